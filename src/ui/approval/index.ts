export { ApprovalPart } from './approval-part.js'
export { DiffView, ReplacedLines } from './diff-view.js'
export { PlainArguments } from './request-facts.js'
