import { type ConsentLevel, parseRule, ruleVocabulary, type SessionGuard } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import { setConfigValue } from '../config/index.js'
import { fileGrants } from '../permissions/index.js'
import { vaultFolders } from '../state/index.js'
import { configuredTools } from './configured-tools.js'
import type { Setup } from './read-setup.js'

/** Where rules are changed: what is allowed for always belongs to one vault. */
export interface RulePlace {
  setup: Setup
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

/** What is allowed is allowed in this vault; what is restricted is restricted everywhere. */
export async function addRule(text: string, place: RulePlace): Promise<AddedRule> {
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

/** Takes back what the id or the rule names, with or without its effect. Answers what was taken back. */
export async function revokeRule(what: string, place: RulePlace): Promise<string[]> {
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
  throw new Failure('not-found', `There is no such grant or rule: ${wanted}`, {
    hint: 'See them with: notewright permissions list',
  })
}

async function grantsOf({ setup, root, onTrouble }: RulePlace) {
  return fileGrants({ folder: vaultFolders(setup.folders, await root()).journal, onTrouble })
}
