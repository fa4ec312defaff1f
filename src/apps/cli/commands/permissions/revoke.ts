import { revokeRule } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { visibleLine } from '../../terminal/index.js'
import { rulePlace } from './rule-place.js'

export async function permissionsRevoke(invocation: Invocation, what: string): Promise<void> {
  const { terminal } = invocation
  const revoked = await revokeRule(what, await rulePlace(invocation))
  if (terminal.json) return terminal.printJson({ revoked })
  for (const rule of revoked) terminal.say(`Taken back: ${visibleLine(rule)}`)
}
