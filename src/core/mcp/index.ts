export {
  connectServer,
  type ServerConnection,
  type ServerQuestion,
  type ServerReply,
  type ServerTransport,
} from './connect-server.js'
export { type Familiarity, familiarity, memorySeenTools, type SeenTools } from './seen-tools.js'
export { type ServerTool, titleOf, toolHash } from './server-tool.js'
export { type ConfiguredServer, type ToolServers, toolServers } from './tool-servers.js'
