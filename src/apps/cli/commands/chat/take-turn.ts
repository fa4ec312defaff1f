import type { AgentEvent } from '../../../../core/agent/index.js'
import { type TurnReport, turnReport } from '../../../../core/session/index.js'
import { type TurnScreen, traceTurn } from '../../agent/index.js'
import type { Terminal } from '../../terminal/index.js'

/** Runs one turn of the conversation; the screen sees it as it happens. */
export async function takeTurn(
  events: AsyncGenerator<AgentEvent>,
  screen: Pick<TurnScreen, 'show'>,
  terminal: Pick<Terminal, 'trace'>,
): Promise<TurnReport> {
  const report = turnReport()
  for await (const event of events) {
    report.see(event)
    screen.show(event)
    traceTurn(event, terminal)
  }
  return report
}
