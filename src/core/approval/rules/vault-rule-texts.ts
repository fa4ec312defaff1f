import { Failure } from '../../errors.js'
import { isRecord } from '../../is-record.js'
import type { RuleTexts } from './parse-rules.js'

/** Where a vault keeps its rules. */
export const vaultRulesFile = '.notewright/permissions.json'

const mostRules = 1000

/**
 * The rules a vault brings along: `{ "deny": [...], "ask": [...] }`. They can only restrict; what cannot be understood is
 * a failure, not no rules.
 */
export function vaultRuleTexts(text: string, onTrouble: (text: string) => void): RuleTexts {
  const { deny, ask, allow } = listsIn(text)
  if (allow.length > 0) {
    onTrouble(
      `${vaultRulesFile}: a vault can only restrict, so its list of allow rules (${allow.length}) was left out.`,
    )
  }
  return { from: 'vault', file: vaultRulesFile, deny, ask }
}

type RuleLists = Record<'deny' | 'ask' | 'allow', string[]>

function listsIn(text: string): RuleLists {
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (error) {
    throw wrongVaultRules(`not valid JSON (${(error as Error).message})`)
  }
  if (!isRecord(tree)) throw wrongVaultRules('expected an object with lists of rules')
  const lists: RuleLists = { deny: [], ask: [], allow: [] }
  for (const [name, rules] of Object.entries(tree)) {
    if (!Object.hasOwn(lists, name))
      throw wrongVaultRules(`unknown list ${JSON.stringify(name)}`, 'There is deny and ask.')
    if (!Array.isArray(rules) || !rules.every((rule) => typeof rule === 'string')) {
      throw wrongVaultRules(`${name} must be a list of rules`)
    }
    if (rules.length > mostRules) throw wrongVaultRules(`${name} has more than ${mostRules} rules`)
    lists[name as keyof RuleLists] = rules
  }
  return lists
}

/** What is wrong with the file is said with its name. */
export function wrongVaultRules(reason: string, hint?: string): Failure {
  return new Failure('invalid-input', `${vaultRulesFile}: ${reason}`, {
    hint: hint ?? 'Mend the file in the vault, or move it away.',
  })
}
