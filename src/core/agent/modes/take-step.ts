import type { Failure } from '../../errors.js'
import {
  addUsage,
  askModel,
  type ModelMessage,
  type ModelRequest,
  type ReplyCall,
  type ReplyMessage,
  type ReplyPiece,
  sanitizeResponse,
  shouldTruncateStreaming,
  toolMessage,
} from '../../model/index.js'
import { inputSchema, type Tool, type ToolCall, type ToolResult } from '../../tools/index.js'
import type { AgentEvent } from '../agent-event.js'
import { performCalls } from '../calls/perform-calls.js'
import type { ModeRun } from './mode-run.js'

/** What a mode asks the model for in one step. */
export interface StepRequest {
  system: string
  /** The whole conversation up to now. */
  messages: ModelMessage[]
  /**
   * `closed`: the tools are there, so that the request begins as those before it and no provider misses what earlier
   * calls were about, but the model can only answer.
   */
  tools: 'open' | 'closed' | 'absent'
}

export interface StepReply {
  /** Only of a reply that is complete: what comes of a broken one is never run. */
  calls: ToolCall[]
  /** Set when the step broke off. */
  failure?: Failure
}

/** One step: the model speaks, and what it said is kept. */
export async function* takeStep(
  run: ModeRun,
  { system, messages, tools: access }: StepRequest,
): AsyncGenerator<AgentEvent, StepReply> {
  const { turn, setup, progress, limit } = run
  const { profile, settings } = setup
  const step = progress.steps++
  yield { type: 'step-start', step: step + 1 }
  // Words of an earlier step were said before its calls; only the last step's are the answer.
  progress.text = ''
  const mayBeCut = profile.premature !== undefined && step === 0
  const isEnough = (soFar: readonly ReplyPiece[]) => shouldTruncateStreaming(profile, soFar, step)
  const tools = access === 'absent' ? [] : setup.toolset.map(offered)
  const toolChoice = access === 'closed' ? 'none' : 'auto'
  const asked: ModelRequest = { system, messages, tools, toolChoice, profile, settings, signal: limit.signal }
  const calls: ToolCall[] = []
  /** Words after a call, not shown until it is clear that they are few. */
  let held = ''
  for await (const event of askModel(setup.model, mayBeCut ? { ...asked, isEnough } : asked)) {
    if (held !== '' && event.type !== 'text-delta' && event.type !== 'reasoning-delta') {
      const isCut = event.type === 'finish' && isEnough(event.message.content)
      const text = isCut ? '' : held
      held = ''
      progress.text += text
      if (text !== '') yield { type: 'text-delta', text }
    }
    switch (event.type) {
      case 'text-delta':
        if (mayBeCut && calls.length > 0) held += event.text
        else {
          progress.text += event.text
          yield event
        }
        break
      case 'reasoning-delta':
      case 'notice':
        yield event
        break
      case 'tool-call':
        calls.push(toolCall(event.call, turn.id))
        break
      case 'retry':
        yield { type: 'retrying', why: event.failure.message, waitMs: event.waitMs }
        break
      case 'finish': {
        calls.splice(mostAnswered)
        const content = [...sanitizeResponse(profile, event.message.content, step)]
        progress.messages.push(repeatable({ ...event.message, content }, calls))
        addUsage(progress.usage, event.usage)
        yield { type: 'step-end', step: step + 1, usage: event.usage }
        return { calls }
      }
      case 'failed':
        if (event.message) progress.messages.push(event.message)
        yield { type: 'step-end', step: step + 1, usage: {} }
        return { calls: [], failure: event.failure }
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'repair':
        break
      default:
        event satisfies never
    }
  }
  throw new Error('A reply ends with finish or failed.')
}

function offered(tool: Tool) {
  return { name: tool.name, description: tool.description, inputSchema: inputSchema(tool) }
}

function toolCall({ id, name, input, error }: ReplyCall, turn: string): ToolCall {
  return { id, name, input, turn, ...(error && { refused: `Tool ${name} validation failed: ${error}` }) }
}

/** Calls beyond this are not even answered one by one: neither they nor their refusals are sent back to the model. */
const mostAnswered = 100
const longestInput = 200_000

/** The reply as later steps repeat it, without what no later step could bear. */
function repeatable(message: ReplyMessage, calls: readonly ToolCall[]): ReplyMessage {
  const kept = new Set(calls.map(({ id }) => id))
  const content = message.content.flatMap((part): ReplyPiece[] => {
    if (part.type !== 'tool-call') return [part]
    if (!kept.has(part.toolCallId)) return []
    const { length } = JSON.stringify(part.input) ?? ''
    return [length > longestInput ? { ...part, input: { left_out: `${length} characters` } } : part]
  })
  return { ...message, content }
}

/** Runs the calls of a step and keeps their results where the model will see them. */
export async function* answerCalls(
  { progress, setup, limit }: ModeRun,
  calls: readonly ToolCall[],
): AsyncGenerator<AgentEvent, ToolResult[]> {
  const tools = limit.watch({ ...setup.tools, context: { ...setup.tools.context, signal: limit.signal } })
  const results = yield* performCalls(calls, { tools, memory: progress.memory, approvals: setup.approvals })
  const hasEffect = ({ name, ok }: ToolResult) =>
    ok && setup.tools.registry.find(name)?.tool.effects.some((effect) => effect !== 'reads')
  if (results.some(hasEffect)) progress.hadEffect = true
  progress.messages.push(
    toolMessage(
      results.map((result) => ({ id: result.callId, name: result.name, text: result.text, isError: !result.ok })),
    ),
  )
  return results
}
