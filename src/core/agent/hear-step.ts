import type { Failure } from '../errors.js'
import {
  type AssistantModelMessage,
  type ModelMessage,
  type StepFinish,
  type StepUsage,
  streamStep,
} from '../model/index.js'
import { inputSchema, type ToolCall } from '../tools/index.js'
import type { AgentEvent } from './agent-event.js'
import type { AgentSetup } from './turn.js'

export interface Reply {
  text: string
  calls: ToolCall[]
  message?: AssistantModelMessage
  reason: StepFinish['reason']
  usage: StepUsage
  /** Set when the step broke off; `text` is what had come. */
  failure?: Failure
}

export interface Hearing {
  setup: AgentSetup
  system: string
  messages: ModelMessage[]
  turn: string
  /** Without tools the model can only answer. */
  withTools: boolean
  isFirstStep: boolean
  signal: AbortSignal
}

/** Sends one step to the model and tells what it says as it says it. */
export async function* hearStep({
  setup,
  system,
  messages,
  turn,
  withTools,
  isFirstStep,
  signal,
}: Hearing): AsyncGenerator<AgentEvent, Reply> {
  const reply: Reply = { text: '', calls: [], reason: 'other', usage: {} }
  const tools = withTools ? setup.toolset : []
  const step = streamStep(setup.model, {
    profile: setup.profile,
    system,
    messages,
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description, inputSchema: inputSchema(tool) })),
    signal,
    settings: { ...setup.settings, isFirstStep },
  })
  for await (const event of step) {
    switch (event.type) {
      case 'text-delta':
        reply.text += event.text
        yield event
        break
      case 'reasoning-delta':
        yield event
        break
      case 'tool-input-start':
      case 'tool-input-delta':
        break
      case 'tool-call': {
        const { id, name, input, error } = event.call
        reply.calls.push({
          id,
          name,
          input,
          turn,
          ...(error && { refused: `Tool ${name} validation failed: ${error}` }),
        })
        break
      }
      case 'retry':
        yield { type: 'notice', text: `${event.failure.message} Trying again in ${Math.ceil(event.waitMs / 1000)} s.` }
        break
      case 'finish':
        reply.reason = event.reason
        reply.usage = event.usage
        reply.message = event.message
        break
      case 'failed':
        reply.failure = event.failure
        reply.message = event.message
        break
      default:
        event satisfies never
    }
  }
  return reply
}
