export { GraphView } from './graph-view.js'
