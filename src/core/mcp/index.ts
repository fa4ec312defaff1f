export {
  type ConnectServer,
  connectServer,
  type ServerConnection,
  type ServerQuestion,
  type ServerReply,
  type ServerTransport,
} from './connect-server.js'
export { httpTransport } from './http-transport.js'
export { type MessageLimits, messageMeter } from './message-limits.js'
export { plainConnection } from './plain/plain-connection.js'
export { plainHttp } from './plain/plain-http.js'
export { type Familiarity, familiarity, memorySeenTools, type SeenTools } from './seen-tools.js'
export { type ServerTool, titleOf, toolHash } from './server-tool.js'
export { type ConfiguredServer, type StartedServers, type ToolServers, toolServers } from './tool-servers.js'
export type { HttpAddress } from './watched-fetch.js'
