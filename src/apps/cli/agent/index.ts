export { type TurnScreen, turnScreen } from './turn-screen.js'
