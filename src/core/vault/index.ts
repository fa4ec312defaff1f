export {
  applyChanges,
  type ChangeHost,
  type ChangeJournal,
  type ChangeSurvey,
  type EntryFiles,
  isConflict,
  type PreparedWrite,
  recoverEntries,
  type StepMove,
  type StepState,
  type TrashPlan,
} from './change-engine.js'
export * from './change-set.js'
export { editableText, mergeEdits, withEdits } from './edited-text.js'
export { decodeRules, type Exclusions, exclusions } from './exclusions.js'
export { type AcceptedHunks, acceptHunks, type Hunk, listHunks } from './hunks.js'
export * from './journal.js'
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
export { type MemoryDisk, type MemoryVault, type MemoryVaultOptions, memoryDisk, memoryVault } from './memory-vault.js'
export type { ConflictChoice } from './merge-lines.js'
export {
  foldCase,
  folderOf,
  foldPath,
  freeNames,
  isAllowedIn,
  isNote,
  type NotePath,
  newNotePath,
  notePath,
  pathFailure,
} from './note-path.js'
export { decodeNote, hashBytes, isText, type NoteEncoding } from './note-text.js'
export {
  excludedInObsidian,
  type LinkReading,
  type LinkSettings,
  linkSettings,
  plainMarkdown,
  type TrashOption,
  trashOption,
} from './obsidian-settings.js'
export {
  type ChooseConflict,
  type ConflictResolution,
  chooseAs,
  planUndo,
  type UndoConflict,
  type UndoSource,
  type UndoTarget,
} from './plan-undo.js'
export { asNote, endsInFrontmatter, isPrivateNote } from './private-note.js'
export { planResolution, type Resolution, type ResolutionTarget } from './resolve-interrupted.js'
export {
  changedWords,
  type DiffPart,
  diffParts,
  type NumberedLine,
  type PlannedChanges,
  plannedChanges,
  type ShownChange,
  showChanges,
  showDiff,
  showPastChanges,
  type WordPart,
} from './show-changes.js'
export { type FoundFile, imagesOf, removal, type StagedStep, stageChanges } from './stage-changes.js'
export { type StagedView, stagedView } from './staged-view.js'
export type {
  FilePart,
  FileStamp,
  HiddenNoteReader,
  JournaledVault,
  NoteFile,
  RawNote,
  RawNoteReader,
  Vault,
  VaultReader,
} from './vault.js'
export {
  alreadyApplied,
  areRulesUnreadable,
  changedConflict,
  mustBeUtf8,
  notText,
  notWritable,
  pathTakenConflict,
  rulesUnreadable,
  StepConflict,
  tooLarge,
  unreadable,
} from './vault-failures.js'
export { type LeaseFolder, pluginFolder, withWriteLease } from './write-lease.js'
