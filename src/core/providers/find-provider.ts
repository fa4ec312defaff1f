import { Failure } from '../errors.js'
import { profileFor } from '../model/index.js'
import type { Provider } from './provider.js'
import { providers } from './table/index.js'

/** The provider of an id, or a failure that says which one was meant. */
export function findProvider(id: string, others: readonly string[] = []): Provider {
  const wanted = id.trim().toLowerCase()
  const found = providers.find((provider) => provider.id === wanted)
  if (found !== undefined) return found
  const names = [...providers.map((provider) => provider.id), ...others]
  const near = alsoKnownAs[wanted] ?? nearest(wanted, names)
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
  const hint = isProvider
    ? `Name one of its models, like ${bare}/MODEL. See them: notewright models`
    : `Name its provider too: ${server}/${bare || 'MODEL'}`
  throw new Failure('invalid-input', `A model is named provider/model, not "${trimmed.slice(0, 60)}".`, { hint })
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

function nearest(wanted: string, names: readonly string[]): string | undefined {
  const close = names.map((name) => ({ name, edits: edits(wanted, name) })).sort((a, b) => a.edits - b.edits)[0]
  return close !== undefined && close.edits <= Math.max(1, Math.floor(close.name.length / 3)) ? close.name : undefined
}

function edits(a: string, b: string): number {
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= Math.min(a.length, 64); row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = last[column - 1] + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(last[column] + 1, current[column - 1] + 1, replaced))
    }
    last = current
  }
  return last[b.length]
}
