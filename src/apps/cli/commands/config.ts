import { changeSetting, settingRows, settingValue } from '../../../hosts/node/settings/settings.js'
import { stateFolders } from '../../../hosts/node/state-folders.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { withoutSubcommand } from '../program/options.js'
import { readSettings, settingsLocation } from '../session/settings.js'
import { visibleLine } from '../terminal/terminal.js'
import { padToWidth } from '../terminal/text-width.js'

export const declareConfig: DeclareCommand = (command, run) => {
  command.addHelpText('after', examples(['notewright config list'], ['notewright config set vault ~/Notes']))
  command
    .command('path')
    .description('Print the path of the configuration file.')
    .addHelpText('after', examples(['notewright config path']))
    .action(() => run((to) => configPath(to)))
  command
    .command('list')
    .description('List all settings with their values and sources.')
    .addHelpText('after', examples(['notewright config list'], ['notewright config list --json']))
    .action(() => run((to) => configList(to)))
  command
    .command('get')
    .description('Print a setting.')
    .argument('<setting>', 'e.g. search.limit')
    .addHelpText('after', examples(['notewright config get search.limit']))
    .action((name: string) => run((to) => configGet(to, name)))
  command
    .command('set')
    .description('Change a setting in the configuration file.')
    .argument('<setting>', 'e.g. search.limit')
    .argument('<value>', 'new value; "" resets it to the default')
    .addHelpText(
      'after',
      examples(['notewright config set search.limit 20'], ['notewright config set exclude "Journal/, *.draft.md"']),
    )
    .action((name: string, value: string) => run((to) => configSet(to, name, value)))
  withoutSubcommand(command, () => run((to) => configList(to)))
}

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
  const set = await changeSetting(settingsLocation(invocation), key, text)
  if (terminal.json) return terminal.printJson(set)
  terminal.say(set.value === null ? `Reset ${key} to its default.` : `${key} = ${shownValue(set.value)}`)
}

function shownValue(value: unknown): string {
  if (value === null) return '-'
  return visibleLine(typeof value === 'string' ? value : JSON.stringify(value))
}
