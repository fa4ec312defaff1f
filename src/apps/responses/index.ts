export { responsesDoor } from './responses-door.js'
export { routeList } from './route-list.js'
export type { Backend, ServedVault } from './setup.js'
