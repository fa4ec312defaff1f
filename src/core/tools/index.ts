export * from './guard.js'
export * from './tool.js'
export type * from './tool-context.js'
export * from './tool-log.js'
