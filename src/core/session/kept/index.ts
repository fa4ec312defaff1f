export { findSession } from './find-session.js'
export { forkSession } from './fork-session.js'
export { sessionAsMarkdown } from './session-as-markdown.js'
export { type ToldTurn, transcriptOf } from './transcript.js'
