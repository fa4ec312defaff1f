import { Failure } from '../../../../core/errors.js'
import { setConfigValue } from '../../../../hosts/node/config/index.js'
import { fileGrants } from '../../../../hosts/node/permissions/index.js'
import { vaultFolders } from '../../../../hosts/node/state/index.js'
import type { Invocation } from '../../program/invocation.js'
import { locateVault, readSettings } from '../../session/open-vault.js'
import { visibleLine } from '../../terminal/index.js'

export async function permissionsRevoke(invocation: Invocation, what: string): Promise<void> {
  const { terminal } = invocation
  const setting = await readSettings(invocation)
  const { config, folders } = setting
  const wanted = what.trim()
  const [, effect, bare = wanted] = /^(allow|ask|deny)\s*:\s*(.*)$/s.exec(wanted) ?? []
  const { root } = await locateVault(invocation, setting)
  const grants = fileGrants({ folder: vaultFolders(folders, root).journal, onTrouble: (text) => terminal.say(text) })
  const revoked: string[] = []
  for (const { id, rule } of await grants.load()) {
    if (effect !== undefined && effect !== 'allow') continue
    if ((id === wanted || rule === bare) && (await grants.revoke(id))) revoked.push(`allow: ${rule}`)
  }
  for (const list of ['allow', 'ask', 'deny'] as const) {
    const rules = config.permissions[list]
    if ((effect !== undefined && effect !== list) || !rules.includes(bare)) continue
    const left = rules.filter((rule) => rule !== bare)
    await setConfigValue(folders.configFile, `permissions.${list}`, left.length === 0 ? '' : JSON.stringify(left))
    revoked.push(`${list}: ${bare}`)
  }
  if (revoked.length === 0) {
    throw new Failure('not-found', `There is no such grant or rule: ${wanted}`, {
      hint: 'See them with: notewright permissions list',
    })
  }
  if (terminal.json) return terminal.printJson({ revoked })
  for (const rule of revoked) terminal.say(`Taken back: ${visibleLine(rule)}`)
}
