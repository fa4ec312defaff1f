export { type CheckKind, checkKinds, checkTitles, type FixKind, fixKinds } from './finding.js'
export type { CheckReport, CheckRequest, FixRequest, ShownFinding } from './report.js'
export type { CheckSource } from './vault-facts.js'

/** The checks are loaded when one runs: most commands never run one. */
export const loadCheck = () => import('./report.js')
