import { type ProviderRow, providerRows } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { setupPlace } from '../../session/locate-vault.js'
import { count } from '../../show/quantities.js'
import { padToWidth, type Terminal, visibleLine } from '../../terminal/index.js'

export interface ModelsOptions {
  probe?: boolean
}

const shownModels = 20

export async function models(invocation: Invocation, { probe = false }: ModelsOptions): Promise<void> {
  const { terminal } = invocation
  const rows = await providerRows(setupPlace(invocation), probe)
  const offline: ProviderRow = {
    provider: 'offline',
    name: 'Offline',
    configured: true,
    running: true,
    models: ['offline'],
  }
  if (terminal.json) return terminal.printJson({ providers: [...rows, offline] })
  for (const row of rows) show(row, terminal)
  terminal.print(`${padToWidth('Offline', nameWidth)} always there: searches and quotes, without a language model`)
  const isAnyReady = rows.some(({ configured, running, key }) => configured && (running || key !== undefined))
  if (!isAnyReady) terminal.say('Start Ollama or LM Studio, or store a key with: notewright keys set PROVIDER')
}

const nameWidth = 13

function show(row: ProviderRow, terminal: Terminal): void {
  const { style } = terminal
  const { provider, models: list = [], problem, key } = row
  const name = provider === 'compatible' ? 'Compatible' : row.name
  terminal.print(`${padToWidth(name, nameWidth)} ${style.faint(visibleLine(stateOf(row)))}`)
  for (const model of list.slice(0, shownModels)) terminal.print(`  ${visibleLine(model)}`)
  if (list.length > shownModels) {
    terminal.print(style.faint(`  and ${list.length - shownModels} more: notewright models --probe --json`))
  }
  if (problem) terminal.print(`  ${style.warning(visibleLine([problem.text, problem.hint].filter(Boolean).join(' ')))}`)
  else if (key?.source === 'file' || key?.source === 'keyring') terminal.trace(`key of ${provider} from ${key.source}`)
}

function stateOf({ running, models: list, key, configured, address, provider }: ProviderRow): string {
  if (running && list !== undefined) return `${address}, ${count(list.length, 'model')}`
  if (running === false) return `not running at ${address}`
  if (key !== undefined)
    return `key from ${key.where && key.source === 'environment' ? key.where : `the ${key.source}`}`
  if (configured) return `at ${address}`
  return provider === 'compatible' ? 'set NOTEWRIGHT_COMPATIBLE_URL' : `no key (notewright keys set ${provider})`
}
