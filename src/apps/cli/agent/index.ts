export { liveLine } from './live-line.js'
export { type TurnScreen, turnScreen } from './turn-screen.js'
