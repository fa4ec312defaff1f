import { removeServer } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { serversPlace } from './servers-place.js'

export async function serversRemove(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  await removeServer(serversPlace(invocation), name)
  if (terminal.json) return terminal.printJson({ removed: name })
  terminal.say(`Removed ${name}.`)
}
