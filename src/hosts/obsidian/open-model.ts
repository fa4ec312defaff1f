import { withDialect } from '../../core/dialects/index.js'
import type { DialectMemory } from '../../core/model/index.js'
import {
  type Environment,
  type Fetch,
  type Keys,
  type OpenedModel,
  type OpenOptions,
  openModel,
} from '../../core/providers/index.js'
import { aliases } from '../../core/tools/index.js'
import { offlineWords, pluginAdvice } from './advice.js'

export interface ModelSurroundings {
  environment: Environment
  fetch: Fetch
  keys: Keys
  dialects: DialectMemory
}

type Wish = Pick<OpenOptions, 'window' | 'stallMs' | 'onRequest'>

/** Opens a model by its name, ready for the agent. */
export async function openPluginModel(
  name: string,
  dialect: string,
  { environment, fetch, keys, dialects }: ModelSurroundings,
  wish: Wish = {},
): Promise<OpenedModel> {
  const offline = async () => (await import('../../core/offline/index.js')).offlineModel({ words: offlineWords })
  const opened = await openModel(name, { ...wish, environment, fetch, keys, advice: pluginAdvice, others: { offline } })
  if (opened.provider === 'offline') return opened
  const names = Object.entries(aliases).map(([alias, { tool }]) => [alias, tool] as const)
  const options = { dialect, profile: opened.profile, memory: dialects, name: opened.name }
  return { ...opened, model: withDialect(opened.model, { ...options, aliases: Object.fromEntries(names) }) }
}
