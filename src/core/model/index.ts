export { abortOnReturn, type LinkedAbort, linkedAbort, wait } from './abort.js'
export { askModel } from './ask-model.js'
export {
  addressHint,
  failureHints,
  type ModelContext,
  modelFailure,
  modelFailureData,
  modelFailureFrom,
} from './model-failure.js'
export type { ModelRequest, OfferedTool, RequestSettings, RetrySettings } from './model-request.js'
export {
  type CallOutcome,
  type CallResultMessage,
  noCallRule,
  resultText,
  toolMessage,
  userMessage,
} from './model-request.js'
export { type DialectMemory, probeDialect } from './probe-dialect.js'
export type { Profile } from './profile.js'
export { enhanceSystemPrompt, enhanceUserMessage, toolRulesText } from './profile.js'
export { profileFor } from './profile-for.js'
export { defaultProfile } from './profiles/index.js'
export { addUsage, noticePart, textCallsContent, textCallsPart } from './reply.js'
export { sanitizeResponse, shouldTruncateStreaming } from './reply-checks.js'
export type {
  ReplyCall,
  ReplyEvent,
  ReplyFailed,
  ReplyFinish,
  ReplyMessage,
  ReplyPiece,
  StepUsage,
} from './reply-event.js'
export { type EnclosedPart, type EnclosedText, type RequestParts, requestParts, splitRequest } from './request-parts.js'
export type * from './sdk.js'
