import { type AssistantModelMessage, type ModelMessage, toolMessage } from '../../model/index.js'
import type { ToolCall, ToolResult } from '../../tools/index.js'
import type { AgentEvent } from '../agent-event.js'
import { performCalls } from '../calls/perform-calls.js'
import { hearStep, type Reply } from '../hear-step.js'
import { addUsage } from '../progress.js'
import type { ModeRun } from './mode-run.js'

export interface StepWish {
  system: string
  /** The whole conversation up to now. */
  messages: ModelMessage[]
  withTools: boolean
}

/** One step: the model speaks, and what it said is kept. */
export async function* takeStep(
  { turn, setup, progress, limit }: ModeRun,
  wish: StepWish,
): AsyncGenerator<AgentEvent, Reply> {
  const step = ++progress.steps
  yield { type: 'step-start', step }
  // Words of an earlier step were said before its calls; only the last step's are the answer.
  progress.text = ''
  const hearing = hearStep({ ...wish, setup, isFirstStep: step === 1, turn: turn.id, signal: limit.signal })
  let reply: Reply
  for (;;) {
    const next = await hearing.next()
    if (next.done) {
      reply = next.value
      break
    }
    if (next.value.type === 'text-delta') progress.text += next.value.text
    yield next.value
  }
  addUsage(progress.usage, reply.usage)
  if (reply.message) progress.messages.push(repeatable(reply))
  yield { type: 'step-end', step, usage: reply.usage }
  return reply
}

/** Calls beyond this are not even answered one by one: neither they nor their refusals are sent back to the model. */
const mostAnswered = 100
const longestInput = 200_000

/** The reply as later steps repeat it, without what no later step could bear. Drops from `reply` the calls it leaves out. */
function repeatable(reply: Reply): AssistantModelMessage {
  const message = reply.message!
  if (typeof message.content === 'string') return message
  reply.calls.splice(mostAnswered)
  const kept = new Set(reply.calls.map(({ id }) => id))
  const content = message.content.flatMap((part): typeof message.content => {
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
  const results = yield* performCalls(calls, { tools, memory: progress.memory })
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
