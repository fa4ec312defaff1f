import type { RulePlace } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { locateVault, readSettings } from '../../session/locate-vault.js'
import { visibleLine } from '../../terminal/index.js'

export async function rulePlace(invocation: Invocation): Promise<RulePlace> {
  const setup = await readSettings(invocation)
  return {
    setup,
    root: async () => (await locateVault(invocation, setup)).root,
    onTrouble: (text) => invocation.terminal.say(visibleLine(text)),
  }
}
