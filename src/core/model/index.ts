export { askModel } from './ask-model.js'

export { enhanceSystemPrompt, enhanceUserMessage, toolRulesText } from './family-prompts.js'
export { type LinkedAbort, linkedAbort, stoppedByLeaving } from './linked-abort.js'
export { type CallAnswer, toolMessage, userMessage } from './messages.js'
export {
  addressHint,
  failureFrom,
  type ModelContext,
  modelFailure,
  modelFailureData,
} from './model-failure.js'
export type { ModelRequest, OfferedTool, RequestSettings, RetrySettings } from './model-request.js'
export { noticePart, textCallsContent, textCallsPart } from './notice-part.js'
export { sanitizeResponse, shouldTruncateStreaming } from './premature-answer.js'
export { type DialectMemory, probeDialect } from './probe-dialect.js'
export type { Profile } from './profile.js'
export { profileFor } from './profile-for.js'
export { defaultProfile } from './profiles/index.js'
export { addUsage } from './reply.js'
export type {
  ReplyCall,
  ReplyEvent,
  ReplyFailed,
  ReplyFinish,
  ReplyMessage,
  ReplyPiece,
  StepUsage,
} from './reply-event.js'
export { resultText } from './result-text.js'
export type * from './sdk.js'
export { noCallRule } from './tool-choice.js'
export { wait } from './wait.js'
export { wrapModel } from './wrap-model.js'
