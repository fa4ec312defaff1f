import { findSetting } from '../../core/config/index.js'
import { withDialect } from '../../core/dialects/index.js'
import type { DialectMemory } from '../../core/model/index.js'
import type { OfflineGuidance } from '../../core/offline/index.js'
import {
  type Advice,
  type Environment,
  type Fetch,
  type Keys,
  type OpenedModel,
  type OpenModelOptions,
  openModel,
  type Provider,
  providerAddress,
} from '../../core/providers/index.js'
import { aliases } from '../../core/tools/index.js'
import { environmentOf, type PluginSettings } from './settings.js'

export interface ModelServices {
  environment: Environment
  fetch: Fetch
  keys: Keys
  dialects: DialectMemory
}

type ModelOptions = Pick<OpenModelOptions, 'window' | 'stallMs' | 'onRequest'>

/** Opens a model by its name, ready for the agent. */
export async function openPluginModel(
  name: string,
  dialect: string,
  { environment, fetch, keys, dialects }: ModelServices,
  wish: ModelOptions = {},
): Promise<OpenedModel> {
  const offline = async () => (await import('../../core/offline/index.js')).offlineModel({ guidance: offlineWords })
  const opened = await openModel(name, { ...wish, environment, fetch, keys, advice: pluginAdvice, others: { offline } })
  if (opened.provider === 'offline') return opened
  const names = Object.entries(aliases).map(([alias, { tool }]) => [alias, tool] as const)
  const options = { dialect, profile: opened.profile, memory: dialects, name: opened.name }
  return { ...opened, model: withDialect(opened.model, { ...options, aliases: Object.fromEntries(names) }) }
}

/** Advice about models, for Obsidian: there may be no terminal. */
export const pluginAdvice: Advice = {
  key: ({ name }) => `Choose one under ${placeOf(`Providers → ${name}`)}.`,
  address: ({ name }) => `enter its base URL under ${placeOf(`Providers → ${name}`)}`,
  models: ({ name }) => `To list its models, select Test connection under ${placeOf(`Providers → ${name}`)}.`,
  setting: (name, value) => `${placeOf(findSetting(name)?.label ?? name)}: ${value}`,
}

/** The same for answers without a model. */
const offlineWords: OfflineGuidance = {
  model: '[Settings → Notewright](notewright:settings)',
  undo: '**Undo last change**',
  history: '**Activity**',
  agentMode: '**Settings → Notewright → Mode**',
  enable: () => '[Settings → Notewright](notewright:settings)',
}

const placeOf = (name: string): string => `Settings → Notewright → ${name}`

/** How to configure a server so that this app can read streamed replies. */
const ways: Record<string, (app: string) => string> = {
  ollama: (app) => `Start Ollama with OLLAMA_ORIGINS=${app}* to enable it.`,
  lmstudio: () => 'Turn on CORS in the server settings of LM Studio (lms server start --cors) to enable it.',
}
const anyWay = (app: string): string => `If the server is yours, allow requests from ${app} (CORS) to enable it.`

/** Shown once for a server that cannot stream to this app, whose origin is `app`. */
export function noStreamingNotice(
  origin: string,
  { settings, providers, app }: { settings: PluginSettings; providers: readonly Provider[]; app: string },
): string {
  const way = ways[providerAt(origin, settings, providers)?.id ?? ''] ?? anyWay
  return `Answers from ${origin} appear only when they are complete, because it does not allow streaming to Obsidian. ${way(app)}`
}

/** The provider's model list at this origin, which needs no key. */
export function modelListAt(
  origin: string,
  settings: PluginSettings,
  providers: readonly Provider[],
): string | undefined {
  const found = providerAt(origin, settings, providers)
  return found && `${found.baseUrl}/models`
}

function providerAt(origin: string, settings: PluginSettings, providers: readonly Provider[]) {
  const environment = environmentOf(settings, providers)
  const all = providers.map((provider) => ({ id: provider.id, baseUrl: baseUrlOf(provider, environment) }))
  return all.find(({ baseUrl }) => baseUrl !== undefined && new URL(baseUrl).origin === origin)
}

function baseUrlOf(provider: Provider, environment: Environment): string | undefined {
  try {
    const baseUrl = providerAddress(provider, environment)
    return baseUrl !== undefined && URL.canParse(baseUrl) ? baseUrl : undefined
  } catch {
    return undefined
  }
}
