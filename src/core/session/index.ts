export { type Activity, activityOf, type LoggedHistory } from './activity.js'
export type { Answer, PendingAnswer } from './answer.js'
export { shownBranch } from './branches.js'
export {
  actionWords,
  callLabel,
  citationWords,
  citedPlace,
  compactedLine,
  projectLine,
  retryLine,
  stepOutcome,
  stepsLine,
  waitingLine,
  whyNotDone,
} from './event-text.js'
export { type MatchedNote, matchNotes } from './match-notes.js'
export { notesTouched } from './notes-touched.js'
export type { VaultHost } from './opened-vault.js'
export { type OpenedVault, type VaultSetup, vaultFromHost } from './opened-vault.js'
export {
  explainCall,
  type ImpactLine,
  impactLines,
  requestLines,
  type WordGroup,
  wordGroups,
} from './request-text.js'
export { type RunningSessions, runningSessions, type SessionChanges } from './running-sessions.js'
export type { Request, Session, SessionOptions, SessionState } from './session.js'
export { type ProjectRow, projectNotes, projectPlaces, projectRows, webSearchSettings } from './session-internals.js'
export type {
  KeptSession,
  KeptState,
  SessionAbout,
  SessionEntry,
  SessionMatch,
  SessionStore,
  SessionSummary,
  SessionWriter,
  StoredEvent,
  TitledBy,
  UsageRow,
} from './session-store.js'
export { foldWords, mayReplaceTitle, passageWith, searchableText, sessionLocked, summaryOf } from './session-store.js'
export { findSession, forkSession } from './stored-sessions.js'
export { askForTitle, titleFrom } from './titles.js'
export { sessionAsMarkdown, type TranscriptTurn, transcriptOf } from './transcript.js'
export { type ChangeSummary, type TurnReport, turnReport } from './turn-report.js'
export { type StatsBy, type StatsRow, usageStats } from './usage-stats.js'
export type {
  AskOptions,
  Conversation,
  ConversationOptions,
  Note,
  QuestionOptions,
  SearchOptions,
  VaultCalls,
} from './vault-calls.js'
export { welcomeQuestions } from './welcome-questions.js'
