import {
  decodeNote,
  decodeRules,
  type Exclusions,
  exclusions,
  type LinkSettings,
  linkSettings,
  type NotePath,
  plainMarkdown,
  rulesUnreadable,
} from '../../../core/vault/index.js'
import { readRegular } from './read-files.js'
import type { VaultFolders } from './vault-folders.js'

const ruleFile = '.notewrightignore'
const ruleFileLimit = 1 << 20

/** The exclusions in force now: read again whenever `.notewrightignore` has changed. */
export function vaultExclusions(folders: VaultFolders, globs: readonly string[]): () => Promise<Exclusions> {
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
      if (stat !== undefined && stat.kind !== 'file') throw rulesUnreadable(ruleFile, notAFile(stat.kind))
      if (stat !== undefined && stat.size > ruleFileLimit) throw rulesUnreadable(ruleFile, 'it is longer than 1 MiB')
      const file = await readRegular(folders.files, { folder, name, path: name, stat }, ruleFileLimit)
      const found = file === undefined ? '' : decodeRules(file.bytes)
      if (found === undefined) throw rulesUnreadable(ruleFile, 'it is neither UTF-8 nor UTF-16 text')
      return found
    })
    if (text === undefined) throw rulesUnreadable(ruleFile, 'the vault folder cannot be opened')
    return text
  }
}

function notAFile(kind: string): string {
  return kind === 'folder' ? 'it is a folder' : kind === 'link' ? 'it is a link' : 'it is not a regular file'
}

function unread(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException
  // Our failures already have advice; disk errors are described by code.
  if (!code?.startsWith('E')) throw error
  const isDenied = code === 'EACCES' || code === 'EPERM'
  const failure = rulesUnreadable(
    ruleFile,
    isDenied ? 'you have no permission to read it' : `reading it failed (${code})`,
  )
  failure.cause = error
  throw failure
}

const configFolder = '.obsidian'
const configFile = 'app.json' as NotePath
const configLimit = 1 << 20

/** The link settings in force now: read again whenever Obsidian's `app.json` has changed. */
export function vaultLinkSettings(folders: VaultFolders): () => Promise<LinkSettings> {
  let known = ''
  let settings: LinkSettings | undefined

  return async () => {
    const stamp = await stampOf()
    if (settings !== undefined && stamp === known) return settings
    settings = stamp === 'no vault' ? plainMarkdown : linkSettings(await configText())
    known = stamp
    return settings
  }

  async function stampOf(): Promise<string> {
    const folder = `${folders.root}/${configFolder}`
    const stat = await statOrNothing(`${folder}/${configFile}`)
    if (stat !== undefined) return `${stat.identity}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`
    const kind = (await statOrNothing(folder))?.kind
    // Some keep one set of settings for many vaults, and link to it.
    return kind === 'folder' || kind === 'link' ? 'no settings' : 'no vault'
  }

  /** Without access, or with a file instead of the folder, there are no settings. */
  async function statOrNothing(path: string) {
    try {
      return await folders.files.stat(path)
    } catch {
      return undefined
    }
  }

  /** Settings that cannot be read, or lie outside of the vault, are not set. */
  async function configText(): Promise<string> {
    try {
      const text = await folders.within(configFolder, async (folder) => {
        const stat = await folders.files.stat(folder.open.at(configFile))
        if (stat === undefined) return undefined
        const spot = { folder, name: configFile, path: configFile, stat }
        const file = await readRegular(folders.files, spot, configLimit)
        return file && decodeNote(file.bytes).text
      })
      return text ?? ''
    } catch {
      return ''
    }
  }
}
