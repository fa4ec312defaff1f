import { type ConsentLevel, parseRule, ruleVocabulary, type SessionGuard } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import { setConfigValue } from '../config.js'
import { storedGrants } from '../permissions.js'
import { vaultFolders } from '../state-folders.js'
import type { LoadedSettings } from './settings.js'
import { configuredTools } from './tools.js'

/** The settings and the vault whose rules are changed. "Always allowed" belongs to one vault. */
export interface RuleLocation {
  setup: LoadedSettings
  /** Real path of the vault's folder; looked for when it is needed. */
  root(): Promise<string>
  onTrouble(text: string): void
}

export async function permissionRows(guard: SessionGuard, level: ConsentLevel) {
  const rules = guard.rules().map(({ effect, text, from }) => ({ effect, rule: text, from }))
  return { level, rules, grants: await guard.grants() }
}

export type AddedRule =
  | { effect: 'allow'; id: string; rule: string; createdAt: string }
  | { effect: 'ask' | 'deny'; rule: string; path: string }

/** Allow rules are added to this vault, ask and deny rules to the user's settings. */
export async function addRule(text: string, place: RuleLocation): Promise<AddedRule> {
  const { config, folders } = place.setup
  const { registry } = await configuredTools(place.setup)
  const rule = parseRule(text, ruleVocabulary(registry), { from: 'command line' })
  const { effect } = rule
  if (effect === 'allow') {
    const grant = { id: crypto.randomUUID().slice(0, 8), rule: rule.text, createdAt: new Date().toISOString() }
    await (await grantsOf(place)).add(grant)
    return { effect, ...grant }
  }
  const rules = [...new Set([...config.permissions[effect], rule.text])]
  await setConfigValue(folders.configFile, `permissions.${effect}`, JSON.stringify(rules))
  return { effect, rule: rule.text, path: folders.configFile }
}

/** Revokes the grants and rules with this id or text, with or without its effect. Returns the revoked ones. */
export async function revokeRule(what: string, place: RuleLocation): Promise<string[]> {
  const { config, folders } = place.setup
  const wanted = what.trim()
  const [, effect, bare = wanted] = /^(allow|ask|deny)\s*:\s*(.*)$/s.exec(wanted) ?? []
  const grants = await grantsOf(place)
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
  if (revoked.length > 0) return revoked
  throw new Failure('not-found', `Rule not found: ${wanted}`, {
    hint: 'To list the rules: notewright approvals rules',
  })
}

async function grantsOf({ setup, root, onTrouble }: RuleLocation) {
  return storedGrants({ folder: vaultFolders(setup.folders, await root()).journal, onTrouble })
}
