export { type CallSettings, callOptions, type Thinking } from './call-options.js'
export { assistantMessage, type CallAnswer, toolMessage, userMessage } from './messages.js'
export {
  addressHint,
  failureFrom,
  type ModelContext,
  type ModelFailureData,
  type ModelFailureKind,
  modelFailure,
  modelFailureData,
} from './model-failure.js'
export {
  detectPrematureResponse,
  type PrematureAnswer,
  type ReplyPart,
  sanitizeResponse,
  shouldTruncateStreaming,
} from './premature-answer.js'
export {
  type DialectCandidate,
  type DialectMemory,
  type DialectProbe,
  type ProbedDialect,
  probeDialect,
} from './probe-dialect.js'
export type { PrematureRule, Profile, ThinkingProfile, ThinkTag } from './profile.js'
export { profileFor } from './profile-for.js'
export { defaultProfile } from './profiles/index.js'
export type * from './sdk.js'
export { enhanceSystemPrompt, enhanceUserMessage, needsSpecialHandling, toolRulesText } from './speak-to.js'
export type { StepCall, StepEvent, StepFailed, StepFinish, StepUsage } from './step-event.js'
export {
  type OfferedTool,
  type RetrySettings,
  type Step,
  type StepSettings,
  streamStep,
  type ToolChoice,
} from './stream-step.js'
export { wrapModel } from './wrap-model.js'
