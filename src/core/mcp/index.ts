export { isWanted } from './configured/is-wanted.js'
export { type ListedServer, listServers, type TrustedServer } from './configured/list-servers.js'
export { type HttpSetting, serverAddress, shownUrl } from './configured/server-address.js'
export { serverLaunch } from './configured/server-launch.js'
export { vaultServers, vaultServersBytes, vaultServersFile } from './configured/vault-servers.js'
export { shownArgv, whatItRuns } from './configured/what-it-runs.js'
export {
  type ConnectServer,
  connectServer,
  type ServerConnection,
  type ServerQuestion,
  type ServerReply,
  type ServerTransport,
} from './connect-server.js'
export { httpTransport } from './http-transport.js'
export type { MessageLimits } from './message-limits.js'
export { plainConnection } from './plain/plain-connection.js'
export { plainHttp } from './plain/plain-http.js'
export type { Programs } from './program/programs.js'
export { stdioTransport } from './program/stdio-transport.js'
export { type Familiarity, familiarity, memorySeenTools, type SeenTools } from './seen-tools.js'
export { type ServerTool, titleOf, toolHash } from './server-tool.js'
export { type ConfiguredServer, type StartedServers, type ToolServers, toolServers } from './tool-servers.js'
export type { HttpAddress } from './watched-fetch.js'
