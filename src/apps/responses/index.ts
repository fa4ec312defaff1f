export { responsesDoor } from './responses-door.js'
export type { Backend } from './setup.js'
