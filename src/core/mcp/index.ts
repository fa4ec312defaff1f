export type {
  ConnectServer,
  ServerConnection,
  ServerQuestion,
  ServerReply,
  ServerTransport,
} from './connection.js'
export type { HttpAddress } from './limited-fetch.js'
export type { MessageLimits } from './message-limits.js'
export { connectWithoutSdk } from './plain-connection.js'
export { httpTransportWithoutSdk } from './plain-http.js'
export { connectServer, httpTransport } from './sdk-client.js'
export {
  describeLaunch,
  enabledToolsOf,
  type HttpSetting,
  isServerNeeded,
  maxVaultServersBytes,
  parseVaultServers,
  redactedUrl,
  serverAddress,
  serverLaunch,
  vaultServersFile,
  withKeys,
  withoutKeys,
} from './server-config.js'
export {
  checkServer,
  type ServerField,
  type ServerForms,
  type ServerKind,
  type ShownServer,
  serverForms,
  shownServer,
} from './server-form.js'
export { type Programs, stdioTransport } from './stdio-transport.js'
export { type ConfiguredServer, type StartedServers, type ToolServers, toolServers } from './tool-servers.js'
export { type ServerTool, serverToolTitle, toolHash, wrapServerTool } from './tools.js'
export {
  type ListedServer,
  listServers,
  type ReviewedTool,
  type ReviewedTools,
  type ReviewState,
  reviewedToolRow,
  reviewStates,
  type TrustedServer,
} from './trust.js'
