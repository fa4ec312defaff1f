import { changeSetting, settingRows, settingValue } from '../../../../hosts/node/setup/index.js'
import { stateFolders } from '../../../../hosts/node/state/index.js'
import type { Invocation } from '../../program/invocation.js'
import { readSettings, setupPlace } from '../../session/locate-vault.js'
import { padToWidth, visibleLine } from '../../terminal/index.js'

export async function configPath({ terminal, surroundings }: Invocation): Promise<void> {
  const path = stateFolders(surroundings).configFile
  if (terminal.json) terminal.printJson({ path })
  else terminal.print(visibleLine(path))
}

export async function configList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const rows = settingRows(await readSettings(invocation))
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
  const found = settingValue(key, await readSettings(invocation))
  if (terminal.json) return terminal.printJson(found)
  if (found.value !== null) terminal.print(shownValue(found.value))
}

export async function configSet(invocation: Invocation, key: string, text: string): Promise<void> {
  const { terminal } = invocation
  const set = await changeSetting(setupPlace(invocation), key, text)
  if (terminal.json) return terminal.printJson(set)
  terminal.say(set.value === null ? `${key} is back to its default.` : `${key} = ${shownValue(set.value)}`)
}

function shownValue(value: unknown): string {
  if (value === null) return '-'
  return visibleLine(typeof value === 'string' ? value : JSON.stringify(value))
}
