import { normaliseEvents } from './normalise-events.js'
import type { Played } from './play.js'
import type { Scenario } from './scenarios.js'

/** The events of a scenario as plain data, to be compared with those in another environment. */
export interface ToldScenario {
  name: string
  events: unknown
  changed: unknown
  decisions: unknown
  asked: unknown
}

export function toldScenario(scenario: Scenario, dialect: string, stream: boolean, played: Played): ToldScenario {
  const { events, changed, log, asked } = played
  const told = {
    name: `${scenario.name}, ${dialect}, ${stream ? 'streamed' : 'at once'}`,
    events: normaliseEvents(events),
    changed,
    decisions: log.calls.map(({ tool_name, decision }) => [tool_name, decision]),
    asked: asked.map(({ kind }) => kind),
  }
  return JSON.parse(JSON.stringify(told))
}
