import { type RuleTexts, vaultRulesFile, vaultRuleTexts, wrongVaultRules } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import { type FileAccess, insideFolder, nodeFiles } from '../files/index.js'

export interface VaultRulesOptions {
  /** Absolute path of the vault, without links. */
  root: string
  /** Told of rules that a vault may not have. */
  onTrouble?(text: string): void
  files?: FileAccess
}

const sizeLimit = 64 << 10

/** The rules a vault brings along. What cannot be read is a failure, not no rules. */
export async function vaultRules({
  onTrouble = () => {},
  files = nodeFiles,
  ...place
}: VaultRulesOptions): Promise<RuleTexts> {
  const text = await insideFolder(files, place.root).read(vaultRulesFile, sizeLimit).catch(named)
  if (text === undefined) return { from: 'vault' }
  return vaultRuleTexts(text, onTrouble)
}

/** What is wrong with a file is said with its name. */
function named(error: unknown): never {
  throw error instanceof Failure ? wrongVaultRules(error.message) : error
}
