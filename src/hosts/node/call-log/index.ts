export { callsFolder, type FileLogOptions, fileLog } from './file-log.js'
export { isUnfinished, type LogQuestion, readLog } from './read-log.js'
export { type LogProblem, type Verification, verifyLog } from './verify-log.js'
