import { Failure } from '../../../../core/errors.js'
import { modelFailureData } from '../../../../core/model/index.js'
import {
  addressOf,
  isLoopback,
  listModels,
  type Provider,
  providers,
  shownAddress,
} from '../../../../core/providers/index.js'
import type { KeyStore } from '../../../../hosts/node/keys/index.js'
import type { Invocation } from '../../program/invocation.js'
import { openKeyStore } from '../../session/open-key-store.js'
import { count } from '../../show/quantities.js'
import { padToWidth, type Terminal, visibleLine } from '../../terminal/index.js'

export interface ModelsOptions {
  probe?: boolean
}

interface Row {
  provider: string
  name: string
  /** Whether `-m provider/model` would find a key and an address. */
  configured: boolean
  address?: string
  key?: { source: string; where?: string }
  /** Only where it was asked: whether someone answered. */
  running?: boolean
  models?: string[]
  problem?: { text: string; hint?: string }
}

/** Servers that people run on their own machine; asking there tells nobody anything. */
const localServers = new Set(['ollama', 'lmstudio'])
const localLimitMs = 1000
const probeLimitMs = 15_000
const shownModels = 20

export async function models(invocation: Invocation, { probe = false }: ModelsOptions): Promise<void> {
  const { terminal } = invocation
  const store = await openKeyStore(invocation)
  const rows = await Promise.all(providers.map((provider) => describeProvider(provider, { invocation, store, probe })))
  const offline: Row = { provider: 'offline', name: 'Offline', configured: true, running: true, models: ['offline'] }
  if (terminal.json) return terminal.printJson({ providers: [...rows, offline] })
  for (const row of rows) show(row, terminal)
  terminal.print(`${padToWidth('Offline', nameWidth)} always there: searches and quotes, without a language model`)
  const isAnyReady = rows.some(({ configured, running, key }) => configured && (running || key !== undefined))
  if (!isAnyReady) terminal.say('Start Ollama or LM Studio, or store a key with: notewright keys set PROVIDER')
}

interface Task {
  invocation: Invocation
  store: KeyStore
  probe: boolean
}

async function describeProvider(provider: Provider, { invocation, store, probe }: Task): Promise<Row> {
  const { environment } = invocation.surroundings
  const named = { provider: provider.id, name: provider.name }
  let address: string | undefined
  try {
    address = addressOf(provider, environment)
  } catch (error) {
    return { ...named, configured: false, problem: problemOf(error) }
  }
  const found = await store.find(provider)
  const key = found && { source: found.source, ...(found.where && { where: found.where }) }
  const configured = address !== undefined && (found !== undefined || !provider.key?.required)
  const row: Row = { ...named, configured, ...(address && { address: shownAddress(address) }), ...(key && { key }) }
  const isHere = address !== undefined && localServers.has(provider.id) && isLoopback(address)
  if (!isHere && !(probe && configured)) return row
  try {
    const limitMs = probe ? probeLimitMs : localLimitMs
    const list = await listModels(provider, {
      environment,
      fetch,
      keys: store.keys,
      limitMs,
      signal: invocation.signal,
    })
    return { ...row, running: true, models: list.map((id) => `${provider.id}/${id}`) }
  } catch (error) {
    invocation.signal.throwIfAborted()
    const kind = modelFailureData(error)?.kind
    return kind === 'unreachable' ? { ...row, running: false } : { ...row, running: false, problem: problemOf(error) }
  }
}

function problemOf(error: unknown): Row['problem'] {
  if (!(error instanceof Failure)) throw error
  return { text: error.message, ...(error.details.hint && { hint: error.details.hint }) }
}

const nameWidth = 13

function show(row: Row, terminal: Terminal): void {
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

function stateOf({ running, models: list, key, configured, address, provider }: Row): string {
  if (running && list !== undefined) return `${address}, ${count(list.length, 'model')}`
  if (running === false) return `not running at ${address}`
  if (key !== undefined)
    return `key from ${key.where && key.source === 'environment' ? key.where : `the ${key.source}`}`
  if (configured) return `at ${address}`
  return provider === 'compatible' ? 'set NOTEWRIGHT_COMPATIBLE_URL' : `no key (notewright keys set ${provider})`
}
