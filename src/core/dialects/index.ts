export { type DialectName, dialectNames } from './families/index.js'
export {
  type DialectOptions,
  type TextDialect,
  textDialect,
  textDialects,
  withDialect,
} from './middleware/index.js'
export { dialectName, openReader, type Reader, type ReaderOptions } from './open-reader.js'
export { type Reply, readReply, replyBuilder } from './read-reply.js'
export type { CallErrorKind, JsonObject, ReaderEvent } from './reader-event.js'
export type { JsonSchema, ReaderTool } from './reader-tool.js'
export { findHiddenText, type HiddenText } from './writing/hidden-text.js'
export { neutralise, restoreDeep, restoreNeutralised } from './writing/neutralise.js'
export { type PromptTool, type ToolChoice, type ToolPromptOptions, writeToolPrompt } from './writing/tool-prompt.js'
export {
  flattenTranscript,
  freshNonce,
  type TranscriptTurn,
  type WrittenResult,
  writeAssistantTurn,
  writeResults,
} from './writing/transcript.js'
export { type WrittenCall, type WrittenDialect, writeCall } from './writing/write-call.js'
