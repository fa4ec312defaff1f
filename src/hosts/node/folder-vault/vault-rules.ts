import { decodeRules, type Exclusions, exclusions, type NotePath, rulesUnread } from '../../../core/vault/index.js'
import { readRegular } from './read-regular.js'
import type { VaultFolders } from './vault-folders.js'

const ruleFile = '.notewrightignore'
const ruleFileLimit = 1 << 20

/** The exclusions in force now: read again whenever `.notewrightignore` has changed. */
export function vaultRules(folders: VaultFolders, globs: readonly string[]): () => Promise<Exclusions> {
  let known = ''
  let rules: Exclusions | undefined

  return async () => {
    const stat = await statOfRules()
    const stamp = stat === undefined ? 'none' : `${stat.identity}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`
    if (rules !== undefined && stamp === known) return rules
    rules = exclusions(stat === undefined ? '' : await ruleText().catch(unread), globs)
    known = stamp
    return rules
  }

  async function statOfRules() {
    try {
      return await folders.files.stat(`${folders.root}/${ruleFile}`)
    } catch (error) {
      return unread(error)
    }
  }

  async function ruleText(): Promise<string> {
    const name = ruleFile as NotePath
    const text = await folders.within('', async (folder) => {
      const stat = await folders.files.stat(folder.open.at(name))
      if (stat !== undefined && stat.kind !== 'file') throw rulesUnread(ruleFile, notAFile(stat.kind))
      if (stat !== undefined && stat.size > ruleFileLimit) throw rulesUnread(ruleFile, 'it is longer than 1 MiB')
      const file = await readRegular(folders.files, { folder, name, path: name, stat }, ruleFileLimit)
      const found = file === undefined ? '' : decodeRules(file.bytes)
      if (found === undefined) throw rulesUnread(ruleFile, 'it is neither UTF-8 nor UTF-16 text')
      return found
    })
    if (text === undefined) throw rulesUnread(ruleFile, 'the folder of the vault cannot be opened')
    return text
  }
}

function notAFile(kind: string): string {
  return kind === 'folder' ? 'it is a folder' : kind === 'link' ? 'it is a link' : 'it is not a regular file'
}

function unread(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException
  // Ours says what to do already; a disk that fails is told by its code.
  if (!code?.startsWith('E')) throw error
  const isDenied = code === 'EACCES' || code === 'EPERM'
  const failure = rulesUnread(ruleFile, isDenied ? 'you have no permission to read it' : `reading it failed (${code})`)
  failure.cause = error
  throw failure
}
