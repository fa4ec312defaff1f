import type { Failure } from '../errors.js'
import { isAnnouncement } from './announcement.js'
import { type ModelContext, modelFailure } from './model-failure.js'
import type { ModelRequest } from './model-request.js'
import type { Reply } from './reply.js'

interface MeantCall {
  /** What to tell the model. */
  why: string
  /** It stands in the reply as text, which nobody should have to read. */
  isText: boolean
  /** Whether the model may be asked about it. */
  isAsked: boolean
}

/** The call that a reply means without making it: written as text where that is no call, or only announced. */
export function meantCall(request: ModelRequest, reply: Reply): MeantCall | undefined {
  const { asksBack = 'text-calls', tools = [] } = request
  if (reply.calls.length > 0 || tools.length === 0) return undefined
  if (reply.writtenAsText.length > 0) {
    const names = [...new Set(reply.writtenAsText)].join(', ')
    const why = `You wrote a call of ${names} as text, so nothing was run. ${request.toolChoice === 'none' ? onlyAnswer : makeItProperly}`
    return { why, isText: true, isAsked: asksBack !== 'none' }
  }
  if (asksBack !== 'all' || reply.reason !== 'stop') return undefined
  const words = reply.pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('')
  const isAnnounced = isAnnouncement(
    words,
    tools.map(({ name }) => name),
  )
  return isAnnounced ? { why: makeItNow, isText: false, isAsked: true } : undefined
}

const onlyAnswer = 'No tool can be called now. Answer in plain words.'
const makeItProperly = 'Make the call itself, as a tool call, or answer in plain words.'
const makeItNow = 'You said what you will do, but made no call. Make the call now, or answer.'

export function textCallFailure(context: ModelContext): Failure {
  const message = `${context.modelId} writes its calls as text instead of making them, also after it was told.`
  const hint = context.howToSet && `Let its text be read: ${context.howToSet('dialect', 'sentinel')}`
  return modelFailure('text-call', context, message, { hint })
}
