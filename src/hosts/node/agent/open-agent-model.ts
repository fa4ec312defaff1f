import type { DialectOptions } from '../../../core/dialects/index.js'
import { type OpenedModel, type OpenOptions, openModel } from '../../../core/providers/index.js'
import { aliases } from '../../../core/tools/index.js'
import type { CodexSettings } from '../codex/index.js'
import { type KeyStore, keyStore } from '../keys/index.js'
import { dialectMemory } from './dialect-memory.js'
import { installedModels } from './installed-models.js'
import { plainFetch } from './plain-fetch.js'

export interface ModelSurroundings {
  environment: Readonly<Record<string, string | undefined>>
  home: string
  /** Notewright's state folder: keys, and what is known about models. */
  state: string
  /** The vault in use: keys are never kept in it. */
  vault?: string
  /** How the model calls tools; `auto` unless the person says otherwise. */
  dialect?: string
  /** What the person's settings say of Codex. */
  codex?: CodexSettings
}

type ModelWish = Pick<OpenOptions, 'window' | 'stallMs' | 'onRequest'>

/** Opens a model by its name, ready for the agent: `offline`, or one of a provider in the dialect it speaks. */
export async function openAgentModel(
  name: string,
  place: ModelSurroundings,
  wish: ModelWish = {},
): Promise<OpenedModel> {
  const opened = await openNamed(name, place, wish)
  if (opened.provider === 'offline') return opened
  const names = Object.entries(aliases).map(([alias, { tool }]) => [alias, tool])
  return inDialect(opened, place, { aliases: Object.fromEntries(names) })
}

/**
 * Opens a model for whoever brings tools of their own. Beyond what a dialect in text needs, it hears nothing of ours:
 * no other names of tools, no rules.
 */
export async function openClientModel(
  name: string,
  place: ModelSurroundings,
  wish: ModelWish = {},
): Promise<OpenedModel> {
  const opened = await openNamed(name, place, wish)
  const profile = { ...opened.profile, toolRules: [], toolReminder: undefined }
  if (opened.provider === 'offline') return { ...opened, profile }
  return inDialect({ ...opened, profile }, place, { parallelCalls: true })
}

function openNamed(name: string, place: ModelSurroundings, wish: ModelWish): Promise<OpenedModel> {
  return openModel(name, {
    ...wish,
    environment: place.environment,
    fetch: plainFetch,
    keys: storeOf(place).keys,
    others: { offline: () => openOffline(place), codex: (modelId) => openCodexLate(modelId, place) },
  })
}

async function inDialect(
  opened: OpenedModel,
  { dialect = 'auto', state }: ModelSurroundings,
  options: Pick<DialectOptions, 'aliases' | 'parallelCalls'>,
): Promise<OpenedModel> {
  const { withDialect } = await import('../../../core/dialects/index.js')
  const { profile, name } = opened
  const model = withDialect(opened.model, { ...options, dialect, profile, memory: dialectMemory(state), name })
  return { ...opened, model }
}

async function openOffline(place: ModelSurroundings) {
  const { offlineModel } = await import('../../../core/offline/index.js')
  return offlineModel({ found: await installedModels(place) })
}

/** Loaded when someone names it. */
async function openCodexLate(modelId: string, { environment, state, codex }: ModelSurroundings) {
  const { openCodex } = await import('../codex/index.js')
  return openCodex(modelId, { environment, state, settings: codex ?? { tools: [], environment: [] } })
}

export function storeOf({ environment, state, vault }: ModelSurroundings): KeyStore {
  return keyStore({ environment, state, vault })
}
