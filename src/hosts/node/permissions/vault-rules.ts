import type { RuleTexts } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import { isRecord } from '../../../core/is-record.js'
import { type FileAccess, insideFolder, nodeFiles } from '../files/index.js'

export interface VaultRulesOptions {
  /** Absolute path of the vault, without links. */
  root: string
  /** Told of rules that a vault may not have. */
  onTrouble?(text: string): void
  files?: FileAccess
}

/** Where a vault keeps its rules. */
export const vaultRulesFile = '.notewright/permissions.json'

const sizeLimit = 64 << 10
const mostRules = 1000

/** The rules a vault brings along: `{ "deny": [...], "ask": [...] }`. They can only restrict; what cannot be read is a failure, not no rules. */
export async function vaultRules({
  onTrouble = () => {},
  files = nodeFiles,
  ...place
}: VaultRulesOptions): Promise<RuleTexts> {
  const text = await insideFolder(files, place.root).read(vaultRulesFile, sizeLimit).catch(named)
  if (text === undefined) return { from: 'vault' }
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
    throw wrong(`not valid JSON (${(error as Error).message})`)
  }
  if (!isRecord(tree)) throw wrong('expected an object with lists of rules')
  const lists: RuleLists = { deny: [], ask: [], allow: [] }
  for (const [name, rules] of Object.entries(tree)) {
    if (!Object.hasOwn(lists, name)) throw wrong(`unknown list ${JSON.stringify(name)}`, 'There is deny and ask.')
    if (!Array.isArray(rules) || !rules.every((rule) => typeof rule === 'string')) {
      throw wrong(`${name} must be a list of rules`)
    }
    if (rules.length > mostRules) throw wrong(`${name} has more than ${mostRules} rules`)
    lists[name as keyof RuleLists] = rules
  }
  return lists
}

function wrong(reason: string, hint?: string): Failure {
  return new Failure('invalid-input', `${vaultRulesFile}: ${reason}`, {
    hint: hint ?? 'Mend the file in the vault, or move it away.',
  })
}

/** What is wrong with a file is said with its name. */
function named(error: unknown): never {
  throw error instanceof Failure ? wrong(error.message) : error
}
