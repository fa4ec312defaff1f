import type { ServersPlace } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { setupPlace } from '../../session/locate-vault.js'
import { visibleLine } from '../../terminal/index.js'

export function serversPlace(invocation: Invocation): ServersPlace {
  const { terminal } = invocation
  return {
    ...setupPlace(invocation),
    onTrouble: (text) => terminal.say(visibleLine(text)),
    onLine: (server, line) => terminal.trace(`${server}: ${visibleLine(line)}`),
  }
}

/** Each word as it is passed on: where one ends and the next begins can be seen. */
export function shownArgv(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}
