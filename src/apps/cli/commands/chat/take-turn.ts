import { type Session, type TurnReport, turnReport } from '../../../../core/session/index.js'
import { type TurnScreen, traceTurn } from '../../agent/index.js'
import type { Terminal } from '../../terminal/index.js'

/** Runs one turn of the conversation; the screen sees it as it happens. */
export async function takeTurn(
  session: Session,
  text: string,
  screen: Pick<TurnScreen, 'show'>,
  terminal: Pick<Terminal, 'trace'>,
  signal: AbortSignal,
): Promise<TurnReport> {
  const report = turnReport()
  for await (const event of session.ask(text, signal)) {
    report.see(event)
    screen.show(event)
    traceTurn(event, terminal)
  }
  return report
}
