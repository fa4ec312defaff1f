import { count } from '../../../core/text/index.js'
import type { ProviderRow } from '../../../hosts/node/settings/providers.js'
import { providerRows } from '../../../hosts/node/settings/providers.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { settingsLocation } from '../session/settings.js'
import type { Terminal } from '../terminal/terminal.js'
import { visibleLine } from '../terminal/terminal.js'
import { padToWidth } from '../terminal/text-width.js'

export const declareModels: DeclareCommand = (command, run) => {
  command
    .option('--probe', 'also ask remote providers for their models')
    .addHelpText(
      'after',
      examples(
        ['notewright models', 'asks only Ollama and LM Studio on this computer'],
        ['notewright models --probe --json', 'every model of every configured provider'],
      ),
    )
    .action((options) => run((to) => models(to, options)))
}

export interface ModelsOptions {
  probe?: boolean
}

const shownModels = 20

export async function models(invocation: Invocation, { probe = false }: ModelsOptions): Promise<void> {
  const { terminal } = invocation
  const rows = await providerRows(settingsLocation(invocation), probe)
  const offline: ProviderRow = {
    provider: 'offline',
    name: 'No model',
    configured: true,
    running: true,
    models: ['offline'],
  }
  if (terminal.json) return terminal.printJson({ providers: [...rows, offline] })
  for (const row of rows) show(row, terminal)
  terminal.print(`${padToWidth('No model', nameWidth)} always available (-m offline): searches and quotes your notes`)
  const isAnyReady = rows.some(({ configured, running, key }) => configured && (running || key !== undefined))
  if (!isAnyReady) terminal.say('Start Ollama or LM Studio, or add an API key: notewright keys set PROVIDER')
}

const nameWidth = 13

function show(row: ProviderRow, terminal: Terminal): void {
  const { style } = terminal
  const { provider, models: list = [], problem, key } = row
  const name = provider === 'compatible' ? 'Compatible' : row.name
  terminal.print(`${padToWidth(name, nameWidth)} ${style.faint(visibleLine(stateOf(row)))}`)
  for (const model of list.slice(0, shownModels)) terminal.print(`  ${visibleLine(model)}`)
  if (list.length > shownModels) {
    terminal.print(style.faint(`  and ${list.length - shownModels} more (list all: notewright models --probe --json)`))
  }
  if (problem) terminal.print(`  ${style.warning(visibleLine([problem.text, problem.hint].filter(Boolean).join(' ')))}`)
  else if (key?.source === 'file' || key?.source === 'keyring')
    terminal.trace(`API key of ${provider} from ${key.source}`)
}

function stateOf({ running, models: list, key, configured, address, provider }: ProviderRow): string {
  if (running && list !== undefined) return `${address}, ${count(list.length, 'model')}`
  if (running === false) return `not running at ${address}`
  if (key !== undefined)
    return `API key from ${key.where && key.source === 'environment' ? key.where : `the ${key.source}`}`
  if (configured) return `at ${address}`
  return provider === 'compatible' ? 'set NOTEWRIGHT_COMPATIBLE_URL' : `no API key (notewright keys set ${provider})`
}
