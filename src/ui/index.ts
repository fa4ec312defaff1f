export { ActivityView } from './activity/activity-view.js'
export { ApprovalPart } from './approval/approval-part.js'
export { DiffView } from './approval/changes-body.js'
export { PlainArguments } from './approval/request-panel.js'
export { ChatLog, StatusLine } from './chat/chat-log.js'
export { ChatPanel, useAttempts } from './chat/chat-panel.js'
export { BrokenTurn, FailureBox } from './chat/failure-box.js'
export type { ChatActions } from './chat/turn-view.js'
export { CheckView, type FixPlan, type WantedFix } from './check/check-view.js'
export { type Attachment, Composer } from './composer/composer.js'
export {
  type ComposerSetting,
  conversationSettings,
  modelChoice,
} from './composer/conversation-settings.js'
export type { InputMention } from './composer/find-mention.js'
export type { PastedContent } from './composer/pasted-content.js'
export type { Suggestion } from './composer/use-suggestions.js'
export { Menu, type MenuGroup, type MenuItem } from './controls/menu.js'
export { EmptyState, Skeleton, Toast } from './controls/states.js'
export { DrawnIcon } from './drawn-icon.js'
export { Fold } from './fold.js'
export { svgAsXml } from './markdown/diagram.js'
export { MarkdownView } from './markdown/markdown-view.js'
export { type Backlink, NoteRail, type OutgoingLink } from './note/note-rail.js'
export { NoteView, type ShownNote } from './note/note-view.js'
export { linkWords } from './note/plain-text.js'
export type { SuggestFilter } from './search/filter-bar.js'
export { freshnessWords } from './search/freshness-words.js'
export { relevantHits } from './search/relevant-hits.js'
export type { SearchFilter } from './search/search-filters.js'
export {
  type HitPreview,
  placeOf,
  type SearchInput,
  SearchPanel,
  type SearchQuery,
  SearchView,
} from './search/search-view.js'
export {
  isLocalProvider,
  type ProviderAction,
  providerRow,
  providerWords,
  type ShownProvider,
} from './settings/provider-rows.js'
export {
  type ServerAction,
  type ServerRowFacts,
  serverFromForm,
  serverRow,
  serverWords,
} from './settings/server-rows.js'
export { ServerToolView, type ServerToTrust, type ShownServerTool, TrustBox } from './settings/server-settings.js'
export { type SaveSetting, SettingField, type ShownSetting } from './settings/setting-field.js'
export {
  grantRow,
  permissionWords,
  type RowAction,
  type RowStatus,
  ruleRow,
  type SettingsRow,
  type ShownRule,
  type ShownTool,
  toolGroups,
  toolRow,
  toolWords,
} from './settings/settings-rows.js'
export {
  type ApprovalDecision,
  type CallRow,
  type ChangedNotes,
  emptyTranscript,
  foldEvents,
  isDecided,
  isRunning,
  type Part,
  type Thought,
  type TranscriptEvent,
  type TranscriptState,
  type TurnState,
  type WorkEntry,
  waitingPanels,
  whyFound,
} from './transcript/transcript.js'
export { type TranscriptFeed, useTranscript } from './transcript/use-transcript.js'
export {
  type CodeSpan,
  type IconName,
  type NoteLocation,
  type ReasonDrafts,
  type UiHost,
  UiHostProvider,
  useHost,
} from './ui-host.js'
export type { PlannedDecision } from './undo/undecided-notes.js'
export { ChangeList, type UndoPlan, UndoView } from './undo/undo-view.js'
