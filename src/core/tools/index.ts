export { builtInTools } from './built-in.js'
export { dailyNoteSettings } from './daily-note-settings.js'
export { decodedAddress, executableBlocks, executableNotices, htmlTags } from './file/executable-blocks.js'
export * from './guard.js'
export { maySpellSecret, type Redact, type RedactorOptions, redactOnlySecrets, redactor } from './redact.js'
export {
  aliases,
  defaultToolset,
  findTool,
  isServerToolName,
  mayBeOffered,
  offeredName,
  type Registry,
  registry,
} from './registry.js'
export { cutText } from './result-format.js'
export { type CallGroup, callGroup, type GroupMember } from './run/call-group.js'
export { decideAhead, type EarlyDecision } from './run/decide-ahead.js'
export { textToEdit } from './run/edited-results.js'
export { previewCall } from './run/propose-call.js'
export { runTool } from './run/run-tool.js'
export type * from './run/tool-call.js'
export { pomodoroEnd } from './time/timer-time.js'
export * from './tool.js'
export type * from './tool-context.js'
export { inputSchema, type JsonSchema, outputSchema, schemaReasons } from './tool-input.js'
export * from './tool-log.js'
export { type TraceStep, toolTracer, traceLines } from './tool-trace.js'
export {
  checkToolNames,
  enabledTools,
  findToolById,
  type GuidanceSetting,
  guidanceFor,
  isDefaultList,
  type ToolsConfig,
  type Toolset,
  toolset,
  withToolSwitched,
} from './toolset.js'
