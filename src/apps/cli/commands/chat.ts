import { createInterface } from 'node:readline'
import { noteAddresses, takeTurn, turnScreen } from '../agent/turn-screen.js'
import { interrupted, reportFailure } from '../program/failures.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { agentOptions } from '../program/options.js'
import { type SessionFlags, withAgent } from '../session/open-session.js'

export const declareChat: DeclareCommand = (command, run) => {
  command.option('-c, --continue', 'continue the last chat')
  agentOptions(command)
    .addHelpText(
      'after',
      examples(
        ['notewright chat -m ollama/qwen3:8b'],
        ['notewright chat --approvals edit', 'undoable changes need no approval'],
        ['notewright chat -c', 'continue the last chat'],
      ),
    )
    .action((options) => run((to) => startChat(to, options)))
}

/** Bare `notewright`: a conversation at a terminal, a question per line from a pipe. */
export async function startChat(invocation: Invocation, options: SessionFlags = {}): Promise<void> {
  const { canAsk, isScreen, json } = invocation.terminal
  if (canAsk && isScreen && !json)
    await (await import('../chat/chat-at-terminal.js')).chatAtTerminal(invocation, options)
  else await chatByLines(invocation, options)
}

/** A question per line, an answer to each (one JSON object a line with `--json`), all in one conversation. */
export async function chatByLines(invocation: Invocation, options: SessionFlags): Promise<void> {
  const { terminal, signal } = invocation
  await withAgent(invocation, options, async ({ session, vault }) => {
    // Stopped while everything was opened: the abort would otherwise be missed.
    signal.throwIfAborted()
    const lines = createInterface({ input: terminal.input })
    const close = () => lines.close()
    signal.addEventListener('abort', close, { once: true })
    try {
      for await (const line of lines) {
        if (line.trim() === '') continue
        const screen = terminal.json ? { show: () => {} } : turnScreen(terminal, noteAddresses(vault.notebook.root))
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
