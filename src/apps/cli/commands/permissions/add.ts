import { addRule } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { visibleLine } from '../../terminal/index.js'
import { rulePlace } from './rule-place.js'

export async function permissionsAdd(invocation: Invocation, text: string): Promise<void> {
  const { terminal } = invocation
  const added = await addRule(text, await rulePlace(invocation))
  if (terminal.json) return terminal.printJson(added)
  const words = { allow: 'Allowed always in this vault', deny: 'Denied', ask: 'Always asked' }
  terminal.say(`${words[added.effect]}: ${visibleLine(added.rule)}`)
}
