export { runTool } from './run-tool.js'
export type * from './tool-call.js'
export type { ToolSetup, ToolStep } from './tool-setup.js'
export { understandCall } from './understand-call.js'
