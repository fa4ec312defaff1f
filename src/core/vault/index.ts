export { type AcceptedHunks, acceptHunks, listHunks } from './accept-hunks.js'
export { asNote } from './as-note.js'
export * from './change-set.js'
export { changedWords, type WordPart } from './changed-words.js'
export { type DamagedRow, type RowRemains, remainsOf } from './damaged-row.js'
export { decodeNote, type NoteEncoding } from './decode-note.js'
export { decodeRules } from './decode-rules.js'
export { describeSteps, doTheSame } from './describe-steps.js'
export { type DiffPart, diffParts, type NumberedLine } from './diff-parts.js'
export { excludedInObsidian } from './excluded-in-obsidian.js'
export { type Exclusions, exclusions } from './exclusions.js'
export { foldCase, foldPath } from './fold-path.js'
export { hashBytes } from './hash-bytes.js'
export { isText } from './is-text.js'
export * from './journal-entry.js'
export { outlived, type Retention } from './journal-retention.js'
export { journalSteps } from './journal-steps.js'
export type { Hunk } from './line-hunks.js'
export { type LinkReading, type LinkSettings, linkSettings, plainMarkdown } from './link-settings.js'
export {
  addStamp,
  emptyListing,
  fileHashes,
  folderHashes,
  isSameListing,
  type ListingSum,
  summing,
  takeStamp,
} from './listing-sum.js'
export { type MemoryVault, type MemoryVaultOptions, memoryVault } from './memory-vault.js'
export { folderOf, isAllowedIn, isNote, type NotePath, newNotePath, notePath, pathFailure } from './note-path.js'
export { planSettle, type Settlement, type SettleTarget } from './plan-settle.js'
export { endsInFrontmatter, isPrivateNote } from './private-note.js'
export { pluginPlace, type TurnFolder, withTurn } from './shared-turn.js'
export {
  type PlannedChanges,
  plannedChanges,
  type ShownChange,
  showChanges,
  showDiff,
  showTaken,
} from './show-changes.js'
export { type FoundFile, removal, type StagedStep, stageChanges } from './stage-changes.js'
export { type TrashOption, trashOption } from './trash-option.js'
export {
  planUndo,
  type Settle,
  type Settled,
  type SettledPlace,
  settlePlaces,
  type UndoConflict,
  type UndoSource,
  type UndoTarget,
} from './undo/index.js'
export type {
  FilePart,
  FileStamp,
  HiddenReading,
  JournaledVault,
  NoteFile,
  RawNote,
  RawReading,
  Vault,
  VaultReading,
} from './vault.js'
export {
  alreadyApplied,
  isRulesUnread,
  mustBeUtf8,
  notText,
  notWritable,
  rulesUnread,
  tooLarge,
  unreadable,
} from './vault-failures.js'
