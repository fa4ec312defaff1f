import { Failure, type FailureDetails } from '../errors.js'
import { profileFor } from '../model/index.js'
import { nearestName } from '../names/index.js'
import type { Provider } from './provider.js'
import { providers } from './table/index.js'

/** The provider of an id, or a failure that says which one was meant. */
export function findProvider(id: string, others: readonly string[] = []): Provider {
  const wanted = id.trim().toLowerCase()
  const found = providers.find((provider) => provider.id === wanted)
  if (found !== undefined) return found
  const names = [...providers.map((provider) => provider.id), ...others]
  const near = alsoKnownAs[wanted] ?? nearestName(wanted, names)
  const hint = near === undefined ? `There is ${names.join(', ')}.` : `Did you mean ${near}?`
  throw new Failure('invalid-input', `Unknown provider: ${id.slice(0, 60)}`, { hint })
}

/** `openrouter/anthropic/claude-sonnet-4` is the model `anthropic/claude-sonnet-4` of OpenRouter. */
export function splitModelName(name: string): { provider: string; modelId: string } {
  const trimmed = name.trim()
  const slash = trimmed.indexOf('/')
  if (slash > 0 && slash < trimmed.length - 1) {
    return { provider: trimmed.slice(0, slash), modelId: trimmed.slice(slash + 1) }
  }
  const bare = trimmed.replace(/\/$/, '')
  const isProvider = slash > 0 || providers.some(({ id }) => id === bare.toLowerCase())
  const server = homes[profileFor(bare).family] ?? 'ollama'
  const advice: FailureDetails = isProvider
    ? { hint: `Name it like ${bare}/MODEL, with one of the models it has.`, command: 'notewright models' }
    : { hint: `Name its provider too: ${server}/${bare || 'MODEL'}` }
  throw new Failure('invalid-input', `A model is named provider/model, not "${trimmed.slice(0, 60)}".`, advice)
}

/** Where the models of a family come from, for a guess. */
const homes: Record<string, string> = { gpt: 'openai', claude: 'anthropic', gemini: 'gemini' }

const alsoKnownAs: Record<string, string> = {
  google: 'gemini',
  'google-ai': 'gemini',
  claude: 'anthropic',
  gpt: 'openai',
  chatgpt: 'openai',
  'lm-studio': 'lmstudio',
  local: 'ollama',
  'openai-compatible': 'compatible',
}
