export { call, callsOver, type ThreadPort } from './calls.js'
export { type IndexStage, runStage, type StageOptions } from './index-stage.js'
export { indexingWorker, runInWorker } from './indexing-worker.js'
export { remoteReading, serveReading } from './remote-reading.js'
