export { showSources } from './show-sources.js'
export { type TurnScreen, turnScreen } from './turn-screen.js'
