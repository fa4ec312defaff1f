import { linkedAbort } from '../model/index.js'
import {
  callGroup,
  type DoneCall,
  decideAhead,
  type EarlyDecision,
  findTool,
  runTool,
  type Tool,
  type ToolCall,
  type ToolResult,
  type ToolSetup,
} from '../tools/index.js'
import { type NotePath, stagedView } from '../vault/index.js'
import type { AgentEvent, ApprovalFeed } from './turn.js'

/** More calls than this in one step are a model gone wrong. */
export const mostCalls = 32
const tooMany = `This call was not run: one step can make at most ${mostCalls} tool calls.`
const sideBySide = 6

/** A call that is decided before its turn. */
interface EarlyCall {
  planned: Promise<void>
  decision: Promise<Omit<EarlyDecision, 'unapplied'> | undefined>
}

interface PerformSetup {
  tools: ToolSetup
  memory: TurnMemory
  approvals?: ApprovalFeed | undefined
}

/**
 * Runs the calls of one step: reads in parallel, writes in order. Results are in the order of the calls. Calls that need
 * approval are planned first, each on the results of those before it, so that the user is asked about all of them at
 * once. Leaving the stream stops running calls; a change that is being written is completed.
 */
export async function* performCalls(
  calls: readonly ToolCall[],
  { tools, memory, approvals }: PerformSetup,
): AsyncGenerator<AgentEvent, ToolResult[]> {
  const events = channel<AgentEvent>()
  const stop = linkedAbort(tools.context.signal)
  const stopListening = approvals?.((event) => events.push(event))
  const results: ToolResult[] = []

  const announced = new Set<ToolCall>()
  function announce(call: ToolCall): void {
    if (announced.has(call)) return
    announced.add(call)
    const tool = toolOf(call, tools)
    const about = { title: tool?.title ?? call.name, activity: tool?.activity ?? call.name }
    void events.push({ type: 'tool-call', call, ...about, background: tool?.background === true })
  }

  async function perform(call: ToolCall, at: number, early?: EarlyDecision): Promise<ToolResult> {
    const tool = toolOf(call, tools)
    announce(call)
    const cached = memory.recall(call)
    const result = cached ? { ...cached, callId: call.id } : await run(limited(call, at), early)
    if (result.ok && tool && !cached) remember(tool, call, result)
    results[at] = result
    void events.push({ type: 'tool-result', call, result, ...(cached && { cached: true as const }) })
    return result
  }

  const limited = (call: ToolCall, at: number): ToolCall => (at < mostCalls ? call : { ...call, refused: tooMany })

  function remember(tool: Tool, call: ToolCall, result: DoneCall): void {
    if (result.changeSet) memory.change(call, result)
    else if (isRepeatable(tool)) memory.keep(call, result)
    if (tool.category !== 'file' || !isRead(tool)) return
    for (const path of tool.notesIn?.(result.output) ?? []) memory.notesRead.add(path)
  }

  function run(call: ToolCall, early: EarlyDecision | undefined): Promise<ToolResult> {
    const report: ToolSetup['context']['report'] = (progress) =>
      void events.push({ type: 'tool-progress', callId: call.id, progress })
    return runTool(call, { ...tools, context: { ...tools.context, report, signal: stop.signal } }, early)
  }

  /** Decides on all calls before the first of them changes something. */
  function decideAll(): EarlyCall[] {
    const context = { ...tools.context, signal: stop.signal }
    const member = callGroup(calls.length)
    const staged = stagedView(context.vault)
    const known = new Set<string>()
    let planned: Promise<unknown> = Promise.resolve()
    let changeSets = 0
    return calls.map((call, at) => {
      const isRepeated = known.has(keyOf(call)) || memory.recall(call) !== undefined
      known.add(keyOf(call))
      const before = planned
      let isPlanned = () => {}
      const own = new Promise<void>((resolve) => {
        isPlanned = resolve
      })
      planned = own
      const asked = member(() => announce(call))
      async function decide(): Promise<Omit<EarlyDecision, 'unapplied'> | undefined> {
        await before
        const hasEarlierChanges = changeSets > 0
        if (isRepeated) return void asked.leave()
        const setup = { ...tools, context: { ...context, vault: staged.vault() } }
        const decided = await decideAhead(limited(call, at), setup, {
          member: asked,
          onProposed({ plan }) {
            if (plan === undefined || plan.changes.changes.length === 0) return isPlanned()
            changeSets++
            // If it fails, later calls are planned on the notes as they are, and planned again when it is their turn.
            void staged
              .stage(plan.changes)
              .catch(() => undefined)
              .then(isPlanned)
          },
        })
        return decided && { ...decided, hasEarlierChanges }
      }
      const decision = decide().finally(isPlanned)
      // It is awaited when it is the call's turn, or not at all if the run is stopped before.
      decision.catch(() => undefined)
      return { planned: own, decision }
    })
  }

  async function performAll(): Promise<void> {
    const reads = new Set<Promise<unknown>>()
    const early = calls.length > 1 && !tools.dryRun ? decideAll() : []
    const unapplied: string[] = []
    try {
      for (const [at, call] of calls.entries()) {
        stop.signal.throwIfAborted()
        const decided = await early[at]?.decision
        const decision = decided && { ...decided, unapplied: () => unapplied }
        if (isRead(toolOf(call, tools))) {
          if (reads.size >= sideBySide) await Promise.race(reads)
          const read = perform(call, at, decision).finally(() => reads.delete(read))
          reads.add(read)
        } else {
          await Promise.all([...reads, ...early.map(({ planned }) => planned)])
          const result = await perform(call, at, decision)
          const title = decided?.planned.plan?.changes.title
          if (title !== undefined && !(result.ok && !result.userEdited)) unapplied.push(title)
        }
      }
      await Promise.all(reads)
    } catch (error) {
      // Nothing that still waits for the user can run.
      stop.abort()
      throw error
    } finally {
      await Promise.allSettled([...reads, ...early.map(({ decision }) => decision)])
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

/** A queue between running work and a generator that reports it. */
interface Channel<T> extends AsyncIterable<T> {
  /** Resolves when the reader has handled the item and requests the next, or stops reading. */
  push(item: T): Promise<void>
  /** Ends the queue; with an error, the reader throws it after the last item. */
  close(error?: unknown): void
}

function channel<T>(): Channel<T> {
  const items: { item: T; taken: () => void }[] = []
  let ended = false
  let isLeft = false
  let failure: { error: unknown } | undefined
  let wake = () => {}

  return {
    push(item) {
      if (isLeft) return Promise.resolve()
      return new Promise((taken) => {
        items.push({ item, taken })
        wake()
      })
    },
    close(error) {
      ended = true
      if (error !== undefined) failure = { error }
      wake()
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          while (items.length > 0) {
            // `!`: the loop has just checked that there is one, and only this loop takes items out.
            yield items[0]!.item
            items.shift()!.taken()
          }
          if (failure) throw failure.error
          if (ended) return
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      } finally {
        isLeft = true
        for (const { taken } of items.splice(0)) taken()
      }
    },
  }
}

/** Calls of this turn, to answer an identical call from the cache and to detect loops. */
export interface TurnMemory {
  /** Number of identical calls so far, including this one. */
  count(call: ToolCall): number
  recall(call: ToolCall): DoneCall | undefined
  keep(call: ToolCall, result: DoneCall): void
  /** Notes changed: earlier results may be outdated. Only an identical call is not repeated right away. */
  change(call: ToolCall, result: DoneCall): void
  /** Notes that were read, not only found. */
  readonly notesRead: Set<NotePath>
  /** Notes that were changed, moved or deleted, under each path they had. */
  readonly notesChanged: Set<NotePath>
}

export function turnMemory(): TurnMemory {
  const counts = new Map<string, number>()
  const results = new Map<string, DoneCall>()
  const notesChanged = new Set<NotePath>()
  return {
    count(call) {
      const key = keyOf(call)
      const next = (counts.get(key) ?? 0) + 1
      counts.set(key, next)
      return next
    },
    recall: (call) => results.get(keyOf(call)),
    keep: (call, result) => void results.set(keyOf(call), result),
    change(call, result) {
      results.clear()
      for (const { path, to } of result.changeSet?.changes ?? []) {
        notesChanged.add(path)
        if (to !== undefined) notesChanged.add(to)
      }
      // If the user changed a proposal, an identical call is asked about again.
      if (!result.userEdited) results.set(keyOf(call), doneAlready(result))
    },
    notesRead: new Set(),
    notesChanged,
  }
}

/** Small models repeat themselves; a repeated append is meant once. */
function doneAlready({ changeSet: _, ...result }: DoneCall): DoneCall {
  return { ...result, text: `${result.text}\nThis call repeats an earlier one, so it was not run again.` }
}

function keyOf({ name, input }: ToolCall): string {
  return `${name} ${typeof input === 'string' ? input : JSON.stringify(sorted(input))}`
}

/** The order of arguments has no meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  )
}
