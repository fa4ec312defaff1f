import type { Failure } from '../../errors.js'
import { type ModelMessage, modelFailure } from '../../model/index.js'
import { estimateTokens } from '../../text/index.js'
import { offeredTool } from '../modes/offered-tool.js'
import { systemPrompt } from '../system-prompt.js'
import type { AgentSetup } from '../turn.js'
import { type Fitted, fitMessages } from './fit-messages.js'
import { messageTokens } from './message-tokens.js'
import { isTight, requestRoom, type Window } from './window-share.js'

export interface RequestParts {
  system: string
  messages: readonly ModelMessage[]
  tools: readonly unknown[]
  /** Where this turn's messages begin: the first is the person's. */
  requestAt: number
}

/** What a model's template and the lesson of a dialect add. */
const addedBelow = 250

/** The conversation as it fits into the window beside the prompt and the tools; a failure when nothing does. */
export function fitRequest(
  { system, messages, tools, requestAt }: RequestParts,
  window: Window,
  model: { name: string; scale?: number },
): Fitted | Failure {
  const fixed = fixedTokens(system, tools)
  const limit = requestRoom(window) * (model.scale ?? 1) - fixed
  const fitted = fitMessages(messages, limit, requestAt)
  if (fitted.tokens <= limit) return fitted
  const needed = Math.ceil((fitted.tokens + fixed + window.tokens - requestRoom(window)) / 1024) * 1024
  return modelFailure(
    'context',
    { provider: model.name, modelId: model.name },
    `This needs a window of about ${needed.toLocaleString('en')} tokens, and ${model.name} has ${window.tokens.toLocaleString('en')}.`,
    { hint: window.hint?.replace('{tokens}', String(needed)) ?? 'Ask about less at once, or choose another model.' },
  )
}

function fixedTokens(system: string, tools: readonly unknown[]): number {
  return estimateTokens(system) + (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools))) + addedBelow
}

/** The tokens a conversation has beside the prompt and the tools; undefined where there is no limit. */
export function roomFor(setup: AgentSetup): number | undefined {
  const { window, toolset } = setup
  if (window === undefined) return undefined
  const tools = toolset.map((tool) => offeredTool(tool, isTight(window)))
  return requestRoom(window) - fixedTokens(systemPrompt(setup), tools)
}

/** What a request will take, as far as can be told before it is sent. */
export function requestTokens(setup: AgentSetup, messages: readonly ModelMessage[]): number {
  const tools = setup.toolset.map((tool) => offeredTool(tool, isTight(setup.window)))
  return messages.reduce((sum, message) => sum + messageTokens(message), fixedTokens(systemPrompt(setup), tools))
}

/** What a person is told of a conversation that was trimmed more than before. */
export function trimNotice(
  now: Fitted,
  before: Pick<Fitted, 'folded' | 'dropped'>,
  window: Window,
): string | undefined {
  const parts = [
    now.folded > before.folded && counted(now.folded, 'older result', 'shortened'),
    now.dropped > before.dropped && counted(now.dropped, 'older message', 'left out'),
  ].filter(Boolean)
  if (parts.length === 0) return undefined
  return `To fit the model's window of ${window.tokens.toLocaleString('en')} tokens: ${parts.join(', ')}.`
}

const counted = (count: number, what: string, done: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'} ${done}`
