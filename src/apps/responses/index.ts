export type { Backend } from './model-request.js'
export { responsesMount, routeList } from './routes.js'
export type { ServedVault } from './vault-agent.js'
