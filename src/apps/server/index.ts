export type { Door, DoorContext, ServerEnv } from './door.js'
export { isLoopbackHost } from './own-hosts.js'
export type { RequestHead } from './request-head.js'
export { type RunningServer, startServer } from './start-server.js'
