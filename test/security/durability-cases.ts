import { appendChecks } from './durability/appends.js'
import { badFileChecks } from './durability/bad-files.js'
import { conflictChecks } from './durability/conflicts.js'
import { damagedIndexChecks } from './durability/damaged-index.js'
import { damagedJournalChecks } from './durability/damaged-journal.js'
import { fullDiskChecks } from './durability/full-disk.js'
import { faultsInRollbackChecks, personInBetweenChecks } from './durability/interrupted.js'
import { killChecks } from './durability/kills.js'
import { loggedCallChecks } from './durability/logged-calls.js'
import { renameChecks } from './durability/rename.js'
import { undoAllChecks } from './durability/undo-all.js'
import type { CaseChecks } from './security-case.js'

export const durabilityCases: CaseChecks = {
  D01: killChecks,
  D02: fullDiskChecks,
  D03: conflictChecks,
  D04: appendChecks,
  D05: renameChecks,
  D06: undoAllChecks,
  D07: damagedIndexChecks,
  D08: loggedCallChecks,
  D09: faultsInRollbackChecks,
  D10: personInBetweenChecks,
  D11: damagedJournalChecks,
  D12: badFileChecks,
}
