export { argvOf, findServers, type ServersPlace } from './find-servers.js'
export {
  addServer,
  enableServerTools,
  type NewServer,
  removeServer,
  serverRow,
  serverToolIds,
  serverToTrust,
  testServer,
} from './server-rows.js'
export { readToolStates, stateNamed, type ToolState, toolStateRow } from './tool-states.js'
