import { addressOf, type Environment, type Provider } from '../../core/providers/index.js'
import { environmentOf, type PluginSettings } from './settings.js'

/** What a person can set so that a server lets this app read its answers while they are written. */
const ways: Record<string, (app: string) => string> = {
  ollama: (app) => `Start Ollama with OLLAMA_ORIGINS=${app}* to have it.`,
  lmstudio: () => 'Switch on CORS in the server settings of LM Studio (lms server start --cors) to have it.',
}
const anyWay = (app: string): string => `If the server is yours, let it answer ${app} (CORS) to have it.`

/** Said once of a server that answers this app, whose origin is `app`, in one piece only. */
export function noLiveTyping(
  origin: string,
  { settings, providers, app }: { settings: PluginSettings; providers: readonly Provider[]; app: string },
): string {
  const way = ways[providerAt(origin, settings, providers)?.id ?? ''] ?? anyWay
  return `Live typing is not available for ${origin}: answers come in one piece. ${way(app)} Everything else works.`
}

/** Where the provider at this origin names its models, which anybody may ask for. */
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
    const baseUrl = addressOf(provider, environment)
    return baseUrl !== undefined && URL.canParse(baseUrl) ? baseUrl : undefined
  } catch {
    return undefined
  }
}
