import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DialectOptions } from '../../core/dialects/index.js'
import { type DialectMemory, modelFailureData } from '../../core/model/index.js'
import {
  findProvider,
  listModels,
  type OpenedModel,
  type OpenModelOptions,
  openModel,
  splitModelName,
} from '../../core/providers/index.js'
import { nearestNames } from '../../core/text/index.js'
import { aliases } from '../../core/tools/index.js'
import type { CodexSettings } from './codex/open-codex.js'
import { type KeyStore, keyStore } from './keys.js'
import { plainFetch } from './plain-fetch.js'
import { userState, usingDatabase } from './state-database.js'

export interface ModelEnvironment {
  environment: Readonly<Record<string, string | undefined>>
  home: string
  /** Notewright's state folder: keys, and facts about models. */
  state: string
  /** The vault in use. Keys are never stored in it. */
  vault?: string
  /** How the model calls tools. Default `auto`. */
  dialect?: string | undefined
  /** False for a page: answers without a model name its settings, and no commands. */
  hasTerminal?: boolean | undefined
  /** The user's settings for Codex. */
  codex?: CodexSettings
}

type ModelOptions = Pick<OpenModelOptions, 'window' | 'stallMs' | 'onRequest'>

/** Opens a model by name, ready for the agent: `offline`, or a provider's model with its dialect. */
export async function openAgentModel(
  name: string,
  place: ModelEnvironment,
  wish: ModelOptions = {},
): Promise<OpenedModel> {
  const opened = await openByName(name, place, wish)
  if (opened.provider === 'offline') return opened
  const names = Object.entries(aliases).map(([alias, { tool }]) => [alias, tool])
  return withModelDialect(opened, place, { aliases: Object.fromEntries(names) })
}

/**
 * Opens a model for clients with their own tools. It gets only the basics of a text dialect: no aliases of our tools,
 * no rules.
 */
export async function openClientModel(
  name: string,
  place: ModelEnvironment,
  wish: ModelOptions = {},
): Promise<OpenedModel> {
  const opened = await openByName(name, place, wish)
  const profile = { ...opened.profile, toolRules: [], toolReminder: undefined }
  if (opened.provider === 'offline') return { ...opened, profile }
  return withModelDialect({ ...opened, profile }, place, { parallelCalls: true })
}

function openByName(name: string, place: ModelEnvironment, wish: ModelOptions): Promise<OpenedModel> {
  return openModel(name, {
    ...wish,
    environment: place.environment,
    fetch: plainFetch,
    keys: keyStoreFor(place).keys,
    others: { offline: () => openOffline(place), codex: (modelId) => openCodexModel(modelId, place) },
  })
}

async function withModelDialect(
  opened: OpenedModel,
  { dialect = 'auto', state }: ModelEnvironment,
  options: Pick<DialectOptions, 'aliases' | 'parallelCalls'>,
): Promise<OpenedModel> {
  const { withDialect } = await import('../../core/dialects/index.js')
  const { profile, name } = opened
  const model = withDialect(opened.model, { ...options, dialect, profile, memory: dialectMemory(state), name })
  return { ...opened, model }
}

async function openOffline(place: ModelEnvironment) {
  const { appGuidance, offlineModel } = await import('../../core/offline/index.js')
  return place.hasTerminal === false
    ? offlineModel({ guidance: appGuidance })
    : offlineModel({ found: await installedModels(place) })
}

/** Loaded only when a Codex model is opened. */
async function openCodexModel(modelId: string, { environment, state, codex }: ModelEnvironment) {
  const { openCodex } = await import('./codex/open-codex.js')
  return openCodex(modelId, { environment, state, settings: codex ?? { tools: [], environment: [] } })
}

function keyStoreFor({ environment, state, vault }: ModelEnvironment): KeyStore {
  return keyStore({ environment, state, vault })
}

const listTimeoutMs = 3000

/** Models of the provider with similar names, for an unknown model. Only that provider is queried. */
export async function similarModels(
  name: string,
  failure: unknown,
  place: ModelEnvironment,
  signal: AbortSignal,
): Promise<string[]> {
  if (modelFailureData(failure)?.kind !== 'unknown-model') return []
  const { provider: id, modelId } = splitModelName(name)
  const provider = findProvider(id)
  try {
    const { environment } = place
    const models = await listModels(provider, {
      environment,
      fetch,
      keys: keyStoreFor(place).keys,
      limitMs: listTimeoutMs,
      signal,
    })
    return nearestNames(modelId, models)
      .slice(0, 3)
      .map((near) => `${provider.id}/${near}`)
  } catch {
    return []
  }
}

/** At most this many models are listed. */
const maxModels = 50

/** Names of the models that Ollama and LM Studio have on this disk. No server is queried; only folders are read. */
export async function installedModels({ environment, home }: Pick<ModelEnvironment, 'environment' | 'home'>) {
  const [ollama, lmstudio] = await Promise.all([ollamaModels(environment, home), lmStudioModels(home)])
  return [...ollama, ...lmstudio].slice(0, maxModels)
}

/** Each model has a manifest: `manifests/registry.ollama.ai/library/qwen3/8b` is `qwen3:8b`. */
async function ollamaModels(environment: ModelEnvironment['environment'], home: string): Promise<string[]> {
  const folder = environment.OLLAMA_MODELS || join(home, '.ollama', 'models')
  const library = join(folder, 'manifests', 'registry.ollama.ai', 'library')
  const found: string[] = []
  for (const model of await visibleNames(library)) {
    for (const tag of await visibleNames(join(library, model))) {
      found.push(`ollama/${model}${tag === 'latest' ? '' : `:${tag}`}`)
    }
    if (found.length >= maxModels) break
  }
  return found
}

/** Each model has a folder inside its publisher's folder. */
async function lmStudioModels(home: string): Promise<string[]> {
  const folder = join(home, '.lmstudio', 'models')
  const found: string[] = []
  for (const publisher of await visibleNames(folder)) {
    for (const model of await visibleNames(join(folder, publisher))) found.push(`lmstudio/${publisher}/${model}`)
    if (found.length >= maxModels) break
  }
  return found
}

async function visibleNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => [])
  return entries.filter((name) => !name.startsWith('.')).sort()
}

/** Remembers in the user's state which dialect a model speaks. */
export function dialectMemory(stateFolder: string): DialectMemory {
  const state = userState(stateFolder)
  return {
    async recall(model) {
      const row = usingDatabase(state, () =>
        state.look((driver) => driver.first('SELECT dialect FROM dialects WHERE model = ?', [model])),
      )
      return row && String(row[0])
    },
    async remember(model, dialect) {
      usingDatabase(state, () =>
        state.change((driver) =>
          driver.run('INSERT OR REPLACE INTO dialects (model, dialect) VALUES (?, ?)', [model, dialect]),
        ),
      )
    },
  }
}
