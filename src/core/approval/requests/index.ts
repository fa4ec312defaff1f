export {
  type ApprovalDesk,
  approvalDesk,
  type DeskOptions,
  type Outcome,
  type Reply,
} from './approval-desk.js'

export type * from './approval-request.js'
export { bindCall } from './bind-call.js'
export { canonicalJson } from './canonical-json.js'
export { changedSince } from './changed-since.js'
export { hasLinksLeft } from './check-answer.js'
export { draftRequest } from './draft-request.js'
export { listOffers } from './list-offers.js'
export type { Form, FormField, FormValue, FormValues, Question, QuestionAnswer } from './question.js'
export type { Receipt, RefusedReply } from './receipt.js'
