export { callsFolder, type FileLogOptions, fileLog } from './file-log.js'
export { type Egress, readEgress } from './read-egress.js'
export { type LogQuestion, readLog } from './read-log.js'
export { verifyLog } from './verify-log.js'
