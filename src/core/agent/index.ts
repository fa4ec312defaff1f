export type * from './agent-event.js'

export { requestTokens, roomFor } from './budget/fit-request.js'
export { messageTokens } from './budget/message-tokens.js'
export { isTight } from './budget/window-share.js'
export type { Citation } from './citations/index.js'
export {
  answeredTurns,
  answerOpenCalls,
  compactedMessages,
  conversationOf,
  notKnown,
  openCalls,
  turnsOf,
} from './conversation.js'
export { type FileReference, referenceIn, requestMessage } from './files/file-part.js'
export type { FileSource } from './files/send-files.js'
export { run } from './run.js'
export { type AgentSetup, type BegunTurn, type Mode, modes, type Turn } from './turn.js'
