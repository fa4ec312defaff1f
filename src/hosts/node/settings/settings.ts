import { resolve } from 'node:path'
import {
  type Config,
  findSetting,
  parseSettingText,
  type Setting,
  type SettingForm,
  settings,
  unknownSetting,
  valueAt,
} from '../../../core/config/index.js'
import { type ConfigSource, type LoadedConfig, readConfig, setConfigValue } from '../config.js'
import { findVault, requestedVault } from '../find-vault.js'
import { type HostEnvironment, type StateFolders, stateFolders } from '../state-folders.js'

/** The environment and flags that settings are read from. */
export interface SettingsLocation {
  surroundings: HostEnvironment
  /** Values given on the command line, by dotted name. */
  flags?: Record<string, unknown>
  signal: AbortSignal
}

/** The effective settings and folders. */
export interface LoadedSettings {
  folders: StateFolders
  loaded: LoadedConfig
  config: Config
}

export async function loadSettings({ surroundings, flags }: SettingsLocation): Promise<LoadedSettings> {
  const folders = stateFolders(surroundings)
  const loaded = await readConfig({ file: folders.configFile, environment: surroundings.environment, flags })
  return { folders, loaded, config: loaded.config }
}

/** Real path of the vault in use; undefined where there is none. */
export async function vaultInUse(place: SettingsLocation, { loaded }: LoadedSettings): Promise<string | undefined> {
  // No vault in use is an answer here, not a failure.
  const found = await findVault(requestedVault(loaded), place.surroundings).catch(() => undefined)
  return found?.root
}

/** One setting with its effective value and the values it accepts. */
export interface SettingRow {
  key: string
  /** `(set)` for a secret; null where there is none. */
  value: unknown
  source: ConfigSource
  variable?: string
  about: string
  expects: string
  form: SettingForm
  secret?: true
}

export function settingRows(setup: LoadedSettings): SettingRow[] {
  return settings.map((setting) => settingRow(setting, setup))
}

export function settingRow({ key, about, expects, form, secret }: Setting, setup: LoadedSettings): SettingRow {
  return { ...settingValue(key, setup), about, expects, form, ...(secret && { secret }) }
}

export function settingValue(
  key: string,
  { loaded }: Pick<LoadedSettings, 'loaded'>,
): Pick<SettingRow, 'key' | 'value' | 'source' | 'variable'> {
  const setting = findSetting(key)
  if (setting === undefined) throw unknownSetting(key)
  return {
    key,
    value: displayedValue(setting, valueAt(loaded.config, key)),
    ...(loaded.sources[key] ?? { source: 'default' as const }),
  }
}

/** Sets a value in the user's file; an empty text removes it. A value that would not work is refused. */
export async function changeSetting(
  { surroundings }: SettingsLocation,
  key: string,
  text: string,
): Promise<{ key: string; value: unknown; path: string }> {
  const { configFile } = stateFolders(surroundings)
  // Kept relative, it would mean another folder in every other place.
  const isRelative = key === 'vault' && text !== '' && !text.startsWith('~')
  const given = isRelative ? resolve(surroundings.currentFolder, text) : text
  const setting = findSetting(key)
  if (setting !== undefined && given !== '') {
    const { checkValue } = await import('./check-value.js')
    checkValue(key, parseSettingText(setting, given), given.replace(/^~(?=\/|$)/, surroundings.home))
  }
  const value = await setConfigValue(configFile, key, given)
  return { key, value: displayedValue(setting, value), path: configFile }
}

/** Secrets are never shown. */
function displayedValue(setting: { secret?: true } | undefined, value: unknown): unknown {
  return setting?.secret && value !== undefined && value !== null ? '(set)' : (value ?? null)
}
