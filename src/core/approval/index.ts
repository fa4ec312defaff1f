export {
  type AddressedAnswer,
  type AnswerReceipt,
  type ApprovalOutcome,
  type ApprovalQueue,
  type ApprovalQueueOptions,
  approvalQueue,
  type RejectionReason,
  rejectAnswer,
  type SharedQueue,
} from './approval-queue.js'
export {
  type AllowChoice,
  type Approval,
  type ApprovalAnswer,
  type ApprovalBatch,
  type ApprovalEvent,
  type ApprovalRequest,
  type Approve,
  type AskUser,
  allowChoices,
  answerError,
  askEach,
  type BatchAnswer,
  decidedText,
  type Form,
  type FormField,
  type FormValue,
  type FormValues,
  hasHiddenLinksToRewrite,
  type Offer,
  type Question,
  type QuestionAnswer,
  type Scope,
  type UserAnswer,
  type UserRequest,
} from './approval-request.js'
export { canonicalJson } from './build-request.js'
export {
  type ConsentLevel,
  consentLevels,
  levelChoices,
  levelDescriptions,
  levelNames,
  levelTexts,
} from './consent-level.js'
export type { RememberedGrant } from './grants.js'
export { type Grant, type GrantScope, type GrantStore, memoryGrants, type StoredGrant } from './grants.js'
export { type GuardMemory, type GuardOptions, guard, type SessionGuard } from './guard.js'
export { inertText, withoutActiveContent } from './inert-text.js'
export { matchesNote } from './match-rule.js'
export { type ConversationSources, conversationSources } from './outbound.js'
export type { Explanation } from './policy.js'
export {
  invalidVaultRules,
  parseRule,
  parseRules,
  parseSelector,
  type Rule,
  type RuleTexts,
  type RuleVocabulary,
  ruleVocabulary,
  type Selector,
  type SessionScope,
  scopeRules,
  vaultRulesFile,
  vaultRuleTexts,
} from './rules.js'
export { filterVisible, isWithheldBy } from './visibility.js'
