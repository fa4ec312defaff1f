import { type DailyNoteSettings, dailyNoteSettings } from '../../../core/tools/index.js'
import { decodeNote, type NotePath } from '../../../core/vault/index.js'
import { type FileAccess, nodeFiles } from '../files/index.js'
import { readRegular } from '../folder-vault/read-regular.js'
import { VaultFolders } from '../folder-vault/vault-folders.js'

const configFolder = '.obsidian'
const configFile = 'daily-notes.json' as NotePath
const configLimit = 1 << 16

/** Where Obsidian keeps this vault's daily notes. What is not to be read counts as not set. */
export async function folderDailyNotes(root: string, files: FileAccess = nodeFiles): Promise<DailyNoteSettings> {
  return dailyNoteSettings(await configText(root, files))
}

async function configText(root: string, files: FileAccess): Promise<string> {
  try {
    const real = await files.realPath(root)
    if (real === undefined) return ''
    const text = await new VaultFolders(files, real).within(configFolder, async (folder) => {
      const stat = await files.stat(folder.open.at(configFile))
      if (stat === undefined) return undefined
      const file = await readRegular(files, { folder, name: configFile, path: configFile, stat }, configLimit)
      return file && decodeNote(file.bytes).text
    })
    return text ?? ''
  } catch {
    return ''
  }
}
