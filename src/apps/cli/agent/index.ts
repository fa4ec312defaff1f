export { showSources } from './show-sources.js'
export { type TurnReport, turnReport } from './turn-report.js'
export { type TurnScreen, turnScreen } from './turn-screen.js'
export { type Agent, type AgentOptions, withAgent } from './with-agent.js'
