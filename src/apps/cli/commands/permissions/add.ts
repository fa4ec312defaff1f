import { parseRule, ruleVocabulary } from '../../../../core/approval/index.js'
import { setConfigValue } from '../../../../hosts/node/config/index.js'
import { fileGrants } from '../../../../hosts/node/permissions/index.js'
import { vaultFolders } from '../../../../hosts/node/state/index.js'
import type { Invocation } from '../../program/invocation.js'
import { configuredTools } from '../../session/configured-tools.js'
import { locateVault, readSettings } from '../../session/open-vault.js'
import { visibleLine } from '../../terminal/index.js'

/** What is allowed is allowed here; what is restricted is restricted everywhere. */
export async function permissionsAdd(invocation: Invocation, text: string): Promise<void> {
  const { terminal } = invocation
  const setting = await readSettings(invocation)
  const { config, folders } = setting
  const rule = parseRule(text, ruleVocabulary(configuredTools(config).registry), { from: 'command line' })
  const { effect } = rule
  if (effect === 'allow') {
    const { root } = await locateVault(invocation, setting)
    const grants = fileGrants({
      folder: vaultFolders(folders, root).journal,
      onTrouble: (trouble) => terminal.say(trouble),
    })
    const grant = { id: crypto.randomUUID().slice(0, 8), rule: rule.text, createdAt: new Date().toISOString() }
    await grants.add(grant)
    if (terminal.json) return terminal.printJson({ effect, ...grant })
    return terminal.say(`Allowed always in this vault: ${visibleLine(rule.text)}`)
  }
  const rules = [...new Set([...config.permissions[effect], rule.text])]
  await setConfigValue(folders.configFile, `permissions.${effect}`, JSON.stringify(rules))
  if (terminal.json) return terminal.printJson({ effect, rule: rule.text, path: folders.configFile })
  terminal.say(`${effect === 'deny' ? 'Denied' : 'Always asked'}: ${visibleLine(rule.text)}`)
}
