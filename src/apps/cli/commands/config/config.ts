import { resolve } from 'node:path'
import { settingNamed, settings, unknownSetting, valueAt, valueFromText } from '../../../../core/config/index.js'
import { setConfigValue } from '../../../../hosts/node/config/index.js'
import { stateFolders } from '../../../../hosts/node/state/index.js'
import type { Invocation } from '../../program/invocation.js'
import { readSettings } from '../../session/open-vault.js'
import { padToWidth, visibleLine } from '../../terminal/index.js'

export async function configPath({ terminal, surroundings }: Invocation): Promise<void> {
  const path = stateFolders(surroundings).configFile
  if (terminal.json) terminal.printJson({ path })
  else terminal.print(visibleLine(path))
}

export async function configList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const { loaded } = await readSettings(invocation)
  const rows = settings.map(({ key, secret }) => {
    const { source, variable } = loaded.sources[key]
    const value = valueAt(loaded.config, key) ?? null
    return { key, value: secret && value !== null ? '(set)' : value, source, ...(variable && { variable }) }
  })
  if (terminal.json) return terminal.printJson({ settings: rows })
  const shown = rows.map(({ key, value, source, variable }) => ({
    key,
    value: shownValue(value),
    from: variable ?? source,
  }))
  const width = Math.max(...shown.map(({ key }) => key.length))
  const valueWidth = Math.min(40, Math.max(...shown.map(({ value }) => value.length)))
  for (const { key, value, from } of shown) {
    terminal.print(`${padToWidth(key, width)}  ${padToWidth(value, valueWidth)}  ${terminal.style.faint(from)}`)
  }
}

export async function configGet(invocation: Invocation, key: string): Promise<void> {
  const { terminal } = invocation
  const setting = settingNamed(key)
  if (setting === undefined) throw unknownSetting(key)
  const { loaded } = await readSettings(invocation)
  const found = valueAt(loaded.config, key) ?? null
  const value = setting.secret && found !== null ? '(set)' : found
  if (terminal.json) return terminal.printJson({ key, value, ...loaded.sources[key] })
  if (value !== null) terminal.print(shownValue(value))
}

export async function configSet(invocation: Invocation, key: string, text: string): Promise<void> {
  const { terminal, surroundings } = invocation
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
  const shown = setting?.secret && value !== undefined ? '(set)' : value
  if (terminal.json) return terminal.printJson({ key, value: shown ?? null, path: configFile })
  terminal.say(shown === undefined ? `${key} is back to its default.` : `${key} = ${shownValue(shown)}`)
}

function shownValue(value: unknown): string {
  if (value === null) return '-'
  return visibleLine(typeof value === 'string' ? value : JSON.stringify(value))
}
