export type { Citation } from './citations.js'
export { isTight, messageTokens, requestTokens, roomFor } from './context-budget.js'
export {
  answeredTurns,
  answerOpenCalls,
  compactedMessages,
  conversationOf,
  openCalls,
  turnsOf,
  unknownOutcome,
} from './conversation.js'
export type { FileSource } from './file-parts.js'
export { contextOfTurn, type FileReference, referenceIn, requestMessage } from './file-parts.js'
export { run } from './run.js'
export type { AgentEvent, Compacted, RunEnd, RunStart } from './turn.js'
export { type AgentSetup, type BegunTurn, type Mode, modes, type Turn } from './turn.js'
