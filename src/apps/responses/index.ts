export { responsesDoor } from './responses-door.js'
export type { Backend, ServedVault } from './setup.js'
