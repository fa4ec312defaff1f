import { createInterface } from 'node:readline'
import { type AgentOptions, turnScreen, withAgent } from '../../agent/index.js'
import { interrupted } from '../../exit-codes.js'
import type { Invocation } from '../../invocation.js'
import { reportFailure } from '../../report-failure.js'
import { talk } from './talk.js'

/** A question per line, an answer to each (one JSON object a line with `--json`), all in one conversation. */
export async function chatByLines(invocation: Invocation, options: AgentOptions): Promise<void> {
  const { terminal, signal } = invocation
  await withAgent(invocation, options, async (agent) => {
    const conversation = talk(agent, options.mode)
    const lines = createInterface({ input: terminal.input })
    const close = () => lines.close()
    signal.addEventListener('abort', close, { once: true })
    try {
      for await (const line of lines) {
        if (line.trim() === '') continue
        const screen = terminal.json ? { show: () => {} } : turnScreen(terminal)
        const report = await conversation.turn(line.trim(), screen, signal)
        const { reason, failure } = report.end()
        if (terminal.json) terminal.printJson(report.asData(agent.session))
        else if (failure) process.exitCode = reportFailure(await agent.explain(failure, signal), terminal)
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
