export { runTool, type ToolSetup, type ToolStep } from './run-tool.js'
export type * from './tool-call.js'
export { understandCall } from './understand-call.js'
