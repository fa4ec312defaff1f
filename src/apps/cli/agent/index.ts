export { liveLine } from './live-line.js'
export { traceTurn } from './trace-turn.js'
export { type TurnScreen, turnScreen } from './turn-screen.js'
