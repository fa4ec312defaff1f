import type { Provider } from '../../core/providers/index.js'
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
  const environment = environmentOf(settings, providers)
  const at = providers.find((provider) => originOf(provider, environment[provider.address.environment[0]]) === origin)
  const way = (at && ways[at.id]) ?? anyWay
  return `Live typing is not available for ${origin}: answers come in one piece. ${way(app)} Everything else works.`
}

function originOf({ address }: Provider, written: string | undefined): string | undefined {
  const told = written ?? address.standard
  if (told === undefined) return undefined
  try {
    return new URL(address.read(told, '')).origin
  } catch {
    return undefined
  }
}
