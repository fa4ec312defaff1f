import { decodeNote, type Exclusions, exclusions, type NotePath, pathFailure } from '../../../core/vault/index.js'
import { readRegular } from './read-regular.js'
import type { VaultFolders } from './vault-folders.js'

const ruleFile = '.notewrightignore'
const ruleFileLimit = 1 << 20

/** The exclusions in force now: read again whenever `.notewrightignore` has changed. */
export function vaultRules(folders: VaultFolders, globs: readonly string[]): () => Promise<Exclusions> {
  let known = ''
  let rules: Exclusions | undefined

  return async () => {
    const stat = await folders.files.stat(`${folders.root}/${ruleFile}`)
    const stamp = stat === undefined ? 'none' : `${stat.identity}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`
    if (rules !== undefined && stamp === known) return rules
    rules = exclusions(stat === undefined ? '' : await ruleText(), globs)
    known = stamp
    return rules
  }

  // Rules that cannot be read must not turn into no rules.
  async function ruleText(): Promise<string> {
    const name = ruleFile as NotePath
    const text = await folders.within('', async (folder) => {
      const stat = await folders.files.stat(folder.open.at(name))
      const spot = { folder, name, path: name, stat }
      const file = await readRegular(folders.files, spot, ruleFileLimit)
      return file === undefined ? '' : decodeNote(file.bytes).text
    })
    if (text === undefined) throw pathFailure(ruleFile, 'the exclusion rules cannot be read')
    return text
  }
}
