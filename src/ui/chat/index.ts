export { ChatLog, StatusLine } from './chat-log.js'
export { FailureBox } from './failure-box.js'
export type { ChatActions } from './turn-view.js'
