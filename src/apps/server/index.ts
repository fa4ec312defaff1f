export { type ApiError, apiError, badField, errorBody, refusal } from './api-error.js'
export type { Door, DoorContext, ServerEnv } from './door.js'
export { isLoopbackHost } from './own-hosts.js'
export { type RunningServer, startServer } from './start-server.js'
