import { linkedAbort } from '../../model/index.js'
import {
  type DoneCall,
  findTool,
  runTool,
  type Tool,
  type ToolCall,
  type ToolResult,
  type ToolSetup,
} from '../../tools/index.js'
import type { AgentEvent } from '../agent-event.js'
import type { ApprovalFeed } from '../turn.js'
import { channel } from './channel.js'
import type { TurnMemory } from './turn-memory.js'

/** More calls than this in one step are a model gone wrong. */
const mostCalls = 32
const tooMany = `More than ${mostCalls} tool calls in one step; this one was not run.`
const sideBySide = 6
/** More changes than a person can look at one by one: they are asked about together, as one list. */
const oneByOne = 10

export interface PerformSetup {
  tools: ToolSetup
  memory: TurnMemory
  approvals?: ApprovalFeed
}

/**
 * Runs the calls of one step: reads side by side, writes one after the other. Results are in the order of the calls.
 * Who leaves stops what still runs; a change that is being written is written to its end.
 */
export async function* performCalls(
  calls: readonly ToolCall[],
  { tools, memory, approvals }: PerformSetup,
): AsyncGenerator<AgentEvent, ToolResult[]> {
  const events = channel<AgentEvent>()
  const stop = linkedAbort(tools.context.signal)
  const stopListening = approvals?.((event) => events.push(event))
  const results: ToolResult[] = []

  async function perform(call: ToolCall, at: number): Promise<void> {
    const tool = toolOf(call, tools)
    const about = { title: tool?.title ?? call.name, activity: tool?.activity ?? call.name }
    void events.push({ type: 'tool-call', call, ...about, background: tool?.background === true })
    const cached = memory.recall(call)
    const result = cached
      ? { ...cached, callId: call.id }
      : await run(at < mostCalls ? call : { ...call, refused: tooMany })
    if (result.ok && tool && !cached) remember(tool, call, result)
    results[at] = result
    void events.push({ type: 'tool-result', call, result, ...(cached && { cached: true as const }) })
  }

  function remember(tool: Tool, call: ToolCall, result: DoneCall): void {
    if (result.changeSet) memory.change(call, result)
    else if (isRepeatable(tool)) memory.keep(call, result)
    if (tool.category !== 'file' || !isRead(tool)) return
    for (const path of tool.notesIn?.(result.output) ?? []) memory.notesRead.add(path)
  }

  function run(call: ToolCall): Promise<ToolResult> {
    const report: ToolSetup['context']['report'] = (progress) =>
      void events.push({ type: 'tool-progress', callId: call.id, progress })
    return runTool(call, { ...tools, context: { ...tools.context, report, signal: stop.signal } })
  }

  async function performAll(): Promise<void> {
    const reads = new Set<Promise<void>>()
    const isFlood = calls.filter((call) => !isRead(toolOf(call, tools))).length > oneByOne
    try {
      for (const [at, call] of calls.entries()) {
        stop.signal.throwIfAborted()
        if (isFlood || isRead(toolOf(call, tools))) {
          if (!isFlood && reads.size >= sideBySide) await Promise.race(reads)
          const read = perform(call, at).finally(() => reads.delete(read))
          reads.add(read)
        } else {
          await Promise.all(reads)
          await perform(call, at)
        }
      }
      await Promise.all(reads)
    } finally {
      await Promise.allSettled(reads)
    }
  }

  const all = performAll().then(
    () => events.close(),
    (error) => events.close(error),
  )
  try {
    yield* events
  } finally {
    stop.abort()
    await all
    stopListening?.()
  }
  return results
}

function toolOf(call: ToolCall, { registry, offered }: ToolSetup): Tool | undefined {
  try {
    return findTool(registry, call, offered).registered.tool
  } catch {
    return undefined
  }
}

function isRead(tool: Tool | undefined): boolean {
  return tool === undefined || tool.effects.every((effect) => effect === 'reads')
}

/** Only what would come out the same again. */
function isRepeatable(tool: Tool): boolean {
  return tool.effects.length === 1 && tool.effects[0] === 'reads' && !tool.varies
}
