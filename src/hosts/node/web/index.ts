export { type NodeWebOptions, nodeWeb, type WebLimits } from './node-web.js'
