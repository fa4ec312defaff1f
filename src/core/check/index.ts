export type { CheckedVault } from './check-vault.js'
export {
  type CheckKind,
  checkKinds,
  checkTitles,
  type Finding,
  type FixableFinding,
  type FixKind,
  fixKinds,
  fixTitles,
} from './finding.js'
export type { PlannedFixes } from './plan-fixes.js'
export type { CheckSource } from './vault-facts.js'

/** The checks are loaded when one runs: most commands never run one. */
export const loadCheck = () => import('./check-vault.js')
