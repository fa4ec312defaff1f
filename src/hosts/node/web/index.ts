export { type NodeWebOptions, nodeWeb } from './node-web.js'
