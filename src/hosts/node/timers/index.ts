export { fileTimers } from './file-timers.js'
