export { type Activity, ActivityView } from './activity/activity-view.js'
export { ApprovalPart, DiffView, PlainArguments } from './approval/index.js'
export * from './chat/index.js'
export {
  type Attachment,
  Composer,
  type Given,
  type Suggestion,
} from './composer/composer.js'
export { type ComposerSetting, conversationSettings } from './composer/conversation-settings.js'
export type { Mention } from './composer/find-mention.js'
export { DrawnIcon } from './drawn-icon.js'
export { Fold } from './fold.js'
export { MarkdownView } from './markdown/index.js'
export { NoteView, type ShownNote } from './note/note-view.js'
export { RelatedList } from './note/related-list.js'
export { freshnessWords } from './search/freshness-words.js'
export { SearchPanel, type SearchWish } from './search/search-panel.js'
export { noFilters, SearchView } from './search/search-view.js'
export * from './settings/index.js'
export * from './transcript/index.js'
export { type NotePlace, type UiHost, UiHostProvider, useHost } from './ui-host.js'
export { ChangeList } from './undo/change-list.js'
export type { PlannedDecision } from './undo/undecided-notes.js'
export { type UndoPlan, UndoView } from './undo/undo-view.js'
