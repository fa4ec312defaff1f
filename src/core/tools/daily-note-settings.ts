import { notePath } from '../vault/index.js'
import type { DailyNoteSettings } from './tool-context.js'

/**
 * Reads Obsidian's `daily-notes.json`. The file comes with the vault, so missing or invalid values count as not set.
 */
export function dailyNoteSettings(json: string): DailyNoteSettings {
  const { folder, format, template } = parseJson(json)
  const templatePath = vaultPath(template)
  return {
    folder: vaultPath(folder) ?? '',
    format: isFormat(format) ? format.trim() : 'YYYY-MM-DD',
    ...(templatePath !== undefined && { template: templatePath }),
  }
}

function parseJson(json: string): Partial<Record<keyof DailyNoteSettings, unknown>> {
  try {
    const settings: unknown = JSON.parse(json.replace(/^\uFEFF/, ''))
    return typeof settings === 'object' && settings !== null ? settings : {}
  } catch {
    return {}
  }
}

/** Obsidian writes folders with or without slashes around them; a path it could not have written does not count. */
function vaultPath(value: unknown): string | undefined {
  // Slashes are stripped only in a short text: a long one with many would be slow.
  if (typeof value !== 'string' || value.length > 1024) return undefined
  const bare = value.trim().replace(/^\/+|\/+$/g, '')
  if (bare === '') return undefined
  try {
    return notePath(bare)
  } catch {
    return undefined
  }
}

function isFormat(value: unknown): value is string {
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  return typeof value === 'string' && value.trim() !== '' && value.length <= 200 && !/[\u0000-\u001f\\]/.test(value)
}
