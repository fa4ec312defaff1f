import { createInterface } from 'node:readline'
import { turnScreen } from '../../agent/index.js'
import { interrupted } from '../../program/exit-codes.js'
import type { Invocation } from '../../program/invocation.js'
import { reportFailure } from '../../program/report-failure.js'
import { type SessionFlags, withAgent } from '../../session/with-session.js'
import { takeTurn } from './take-turn.js'

/** A question per line, an answer to each (one JSON object a line with `--json`), all in one conversation. */
export async function chatByLines(invocation: Invocation, options: SessionFlags): Promise<void> {
  const { terminal, signal } = invocation
  await withAgent(invocation, options, async ({ session }) => {
    // Stopped while everything was opened: nobody would tell it again.
    signal.throwIfAborted()
    const lines = createInterface({ input: terminal.input })
    const close = () => lines.close()
    signal.addEventListener('abort', close, { once: true })
    try {
      for await (const line of lines) {
        if (line.trim() === '') continue
        const screen = terminal.json ? { show: () => {} } : turnScreen(terminal)
        const report = await takeTurn(session.ask(line.trim(), signal), screen, terminal)
        const { reason, failure } = report.end()
        if (terminal.json) terminal.printJson(report.asData(session.id))
        else if (failure) process.exitCode = reportFailure(await session.explain(failure, signal), terminal)
        if (reason === 'stopped') {
          process.exitCode = interrupted
          return
        }
      }
    } finally {
      signal.removeEventListener('abort', close)
      lines.close()
    }
  })
}
