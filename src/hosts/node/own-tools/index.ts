export { type OwnTools, ownTools } from './own-tools.js'
