import { resolve } from 'node:path'
import {
  type SettingForm,
  settingNamed,
  settings,
  unknownSetting,
  valueAt,
  valueFromText,
} from '../../../core/config/index.js'
import { type Source, setConfigValue } from '../config/index.js'
import { stateFolders } from '../state/index.js'
import type { Setup, SetupPlace } from './read-setup.js'

/** One setting as it counts now, and what it takes. */
export interface SettingRow {
  key: string
  /** `(set)` for a secret; null where there is none. */
  value: unknown
  source: Source
  variable?: string
  about: string
  expects: string
  form: SettingForm
  secret?: true
}

export function settingRows(setup: Setup): SettingRow[] {
  return settings.map(({ key, about, expects, form, secret }) => ({
    ...settingValue(key, setup),
    about,
    expects,
    form,
    ...(secret && { secret }),
  }))
}

export function settingValue(
  key: string,
  { loaded }: Pick<Setup, 'loaded'>,
): Pick<SettingRow, 'key' | 'value' | 'source' | 'variable'> {
  const setting = settingNamed(key)
  if (setting === undefined) throw unknownSetting(key)
  return { key, value: shown(setting, valueAt(loaded.config, key)), ...loaded.sources[key] }
}

/** Sets a value in the person's file; an empty text takes it out again. What would not work is refused. */
export async function changeSetting(
  { surroundings }: SetupPlace,
  key: string,
  text: string,
): Promise<{ key: string; value: unknown; path: string }> {
  const { configFile } = stateFolders(surroundings)
  // Kept relative, it would mean another folder in every other place.
  const isRelative = key === 'vault' && text !== '' && !text.startsWith('~')
  const given = isRelative ? resolve(surroundings.currentFolder, text) : text
  const setting = settingNamed(key)
  if (setting !== undefined && given !== '') {
    const { checkValue } = await import('./check-value.js')
    checkValue(key, valueFromText(setting, given), given.replace(/^~(?=\/|$)/, surroundings.home))
  }
  const value = await setConfigValue(configFile, key, given)
  return { key, value: shown(setting, value), path: configFile }
}

/** Secrets are never told. */
function shown(setting: { secret?: true } | undefined, value: unknown): unknown {
  return setting?.secret && value !== undefined && value !== null ? '(set)' : (value ?? null)
}
