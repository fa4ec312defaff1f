export { fingerprint } from './fingerprint.js'
export { runTool, type ToolSetup, type ToolStep } from './run-tool.js'
export type * from './tool-call.js'
