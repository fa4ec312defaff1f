import type { DailyNoteSettings } from '../../../core/tools/index.js'
import { decodeNote, type NotePath, notePath } from '../../../core/vault/index.js'
import { type FileAccess, nodeFiles } from '../files/index.js'
import { readRegular } from '../folder-vault/read-regular.js'
import { VaultFolders } from '../folder-vault/vault-folders.js'

const configFolder = '.obsidian'
const configFile = 'daily-notes.json' as NotePath
const configLimit = 1 << 16

/**
 * Where Obsidian keeps this vault's daily notes. The file comes with the vault and may hold anything: what is missing,
 * absurd or not to be read counts as not set.
 */
export async function dailyNoteSettings(root: string, files: FileAccess = nodeFiles): Promise<DailyNoteSettings> {
  return settingsIn(await configText(root, files))
}

function settingsIn(json: string): DailyNoteSettings {
  const { folder, format, template } = parsed(json)
  const templatePath = path(template)
  return {
    folder: path(folder) ?? '',
    format: isFormat(format) ? format.trim() : 'YYYY-MM-DD',
    ...(templatePath !== undefined && { template: templatePath }),
  }
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

function parsed(json: string): Partial<Record<keyof DailyNoteSettings, unknown>> {
  try {
    const settings: unknown = JSON.parse(json.replace(/^\uFEFF/, ''))
    return typeof settings === 'object' && settings !== null ? settings : {}
  } catch {
    return {}
  }
}

/** Obsidian writes folders with or without slashes around them; a path it could not have written does not count. */
function path(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const bare = value.trim().replace(/^\/+|\/+$/g, '')
  if (bare === '' || bare.length > 1024) return undefined
  try {
    return notePath(bare)
  } catch {
    return undefined
  }
}

function isFormat(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 200 && !/[\u0000-\u001f\\]/.test(value)
}
