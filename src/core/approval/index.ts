export { type GuardMemory, type GuardOptions, guard, type SessionGuard } from './guard.js'
export {
  type ConsentLevel,
  consentLevels,
  type Explanation,
  type Grant,
  type GrantScope,
  type GrantStore,
  type KeptGrant,
  levelTexts,
  memoryGrants,
} from './policy/index.js'
export type { RememberedGrant } from './remembered-grants.js'
export {
  type ApprovalAnswer,
  type ApprovalBatch,
  type ApprovalDesk,
  type ApprovalEvent,
  type ApprovalRequest,
  type Asker,
  approvalDesk,
  type BatchAnswer,
  type DeskOptions,
  type Form,
  type FormField,
  hasLinksLeft,
  type Offer,
  type Outcome,
  type Panel,
  type PanelAnswer,
  type Question,
  type QuestionAnswer,
  type Receipt,
  type RefusedReply,
  type Reply,
  type Scope,
} from './requests/index.js'
export {
  parseRule,
  parseRules,
  type Rule,
  type RuleTexts,
  type RuleVocabulary,
  ruleVocabulary,
  type SessionScope,
  scopeRules,
} from './rules/index.js'
export { screenNotes, withheldNotes } from './screen/index.js'
