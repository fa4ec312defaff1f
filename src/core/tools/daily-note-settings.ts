import { notePath } from '../vault/index.js'
import type { DailyNoteSettings } from './tool-context.js'

/**
 * Where Obsidian keeps a vault's daily notes, as its `daily-notes.json` says. The file comes with the vault and may hold
 * anything: what is missing or absurd counts as not set.
 */
export function dailyNoteSettings(json: string): DailyNoteSettings {
  const { folder, format, template } = parsed(json)
  const templatePath = path(template)
  return {
    folder: path(folder) ?? '',
    format: isFormat(format) ? format.trim() : 'YYYY-MM-DD',
    ...(templatePath !== undefined && { template: templatePath }),
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
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  return typeof value === 'string' && value.trim() !== '' && value.length <= 200 && !/[\u0000-\u001f\\]/.test(value)
}
