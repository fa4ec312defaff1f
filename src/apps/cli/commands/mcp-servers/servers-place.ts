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
