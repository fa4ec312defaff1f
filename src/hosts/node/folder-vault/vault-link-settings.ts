import { decodeNote, type LinkSettings, linkSettings, type NotePath, plainMarkdown } from '../../../core/vault/index.js'
import { readRegular } from './read-regular.js'
import type { VaultFolders } from './vault-folders.js'

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

  /** Where there is a file in place of the folder, or none may look, there are no settings. */
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
