import type { Invocation } from '../../program/invocation.js'
import type { SessionFlags } from '../../session/with-session.js'

/** Bare `notewright`: a conversation at a terminal, a question per line from a pipe. */
export async function chat(invocation: Invocation, options: SessionFlags = {}): Promise<void> {
  const { canAsk, isScreen, json } = invocation.terminal
  if (canAsk && isScreen && !json) await (await import('./chat-at-terminal.js')).chatAtTerminal(invocation, options)
  else await (await import('./chat-by-lines.js')).chatByLines(invocation, options)
}
