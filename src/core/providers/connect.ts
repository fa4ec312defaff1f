// Collects everything a connection needs: the provider of a model's name, its address, its key, and hints for failures.

import { Failure, type FailureDetails } from '../errors.js'
import { type ModelContext, modelFailure, profileFor } from '../model/index.js'
import { nearestName } from '../text/index.js'
import { displayAddress } from './addresses.js'
import { type Advice, commandLineAdvice, type Environment, type Provider } from './provider.js'
import { redactKeys, type Secret, secret } from './secrets.js'
import { providers } from './table/index.js'

/** Looks up a provider's key. The host checks the environment first, then its own key store. */
export type Keys = (provider: Provider) => Promise<Secret | undefined>

/** Keys from environment variables only. */
export function environmentKeys(environment: Environment): Keys {
  return async (provider) => {
    const name = firstSetVariable(provider.key?.environment ?? [], environment)
    return name === undefined ? undefined : secret((environment[name] ?? '').trim())
  }
}

/** The first variable that is set and not blank. */
export function firstSetVariable(names: readonly string[], environment: Environment): string | undefined {
  return names.find((name) => (environment[name] ?? '').trim() !== '')
}

/** The provider's base URL; undefined if none is configured. */
export function providerAddress(provider: Provider, environment: Environment): string | undefined {
  const name = firstSetVariable(provider.address.environment, environment)
  return name === undefined ? provider.address.standard : provider.address.read(environment[name] ?? '', name)
}

/** The provider's base URL, or a failure that says how to set it. */
export function requireAddress(provider: Provider, environment: Environment, advice = commandLineAdvice): string {
  const address = providerAddress(provider, environment)
  if (address !== undefined) return address
  const how = advice.address(provider)
  throw new Failure('network', `The address of ${provider.name} is not set.`, {
    hint: `${how.charAt(0).toUpperCase()}${how.slice(1)}, like http://127.0.0.1:8080/v1`,
    data: { kind: 'unreachable', provider: provider.name, model: '', retryable: false },
  })
}

interface KeyLookup {
  modelId: string
  baseUrl: string
  environment: Environment
  /** Default: the environment's keys only. */
  keys?: Keys | undefined
  advice?: Advice | undefined
}

/** Looks up a provider's key, and the context for failures of its model. Throws if a required key is missing. */
export async function findKey(
  provider: Provider,
  { modelId, baseUrl, environment, keys = environmentKeys(environment), advice }: KeyLookup,
): Promise<{ key: Secret | undefined; context: ModelContext }> {
  const key = await keys(provider)
  const context = modelContext(provider, modelId, baseUrl, key === undefined ? [] : [key.reveal()], advice)
  if (provider.key?.required && key === undefined) {
    throw modelFailure('no-key', context, `There is no API key for ${provider.name}.`, { hint: context.keyHint })
  }
  return { key, context }
}

function modelContext(
  provider: Provider,
  modelId: string,
  baseUrl: string,
  secrets: readonly string[],
  advice = commandLineAdvice,
): ModelContext {
  return {
    provider: provider.name,
    modelId,
    address: displayAddress(baseUrl),
    keyHint: keyHint(provider, advice),
    unreachableHint: `${provider.unreachableHint} If it runs elsewhere, ${advice.address(provider)}.`,
    modelHint: [provider.modelHint?.(modelId), advice.models(provider)].filter(Boolean).join(' '),
    howToSet: (setting, value) => advice.setting(setting, value),
    redact: (text) => redactKeys(text, secrets),
  }
}

function keyHint(provider: Provider, advice: Advice): string | undefined {
  if (provider.key === undefined) return undefined
  const from = provider.key.from ? ` Get a key at ${provider.key.from}` : ''
  return `${advice.key(provider)}${from}`
}

/** Finds a provider by its id. The failure suggests the most similar id. */
export function findProvider(id: string, others: readonly string[] = []): Provider {
  const wanted = id.trim().toLowerCase()
  const found = providers.find((provider) => provider.id === wanted)
  if (found !== undefined) return found
  const names = [...providers.map((provider) => provider.id), ...others]
  const near = otherNames[wanted] ?? nearestName(wanted, names)
  const hint = near === undefined ? `Available: ${names.join(', ')}.` : `Did you mean ${near}?`
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
  const server = familyProviders[profileFor(bare).family] ?? 'ollama'
  const advice: FailureDetails = isProvider
    ? { hint: `Write it as ${bare}/MODEL, with one of its models.`, command: 'notewright models' }
    : { hint: `Add the provider: ${server}/${bare || 'MODEL'}` }
  throw new Failure('invalid-input', `Model names have the form provider/model, not "${trimmed.slice(0, 60)}".`, advice)
}

/** The usual provider of a family, for a suggestion. */
const familyProviders: Record<string, string> = { gpt: 'openai', claude: 'anthropic', gemini: 'gemini' }

const otherNames: Record<string, string> = {
  google: 'gemini',
  'google-ai': 'gemini',
  claude: 'anthropic',
  gpt: 'openai',
  chatgpt: 'openai',
  'lm-studio': 'lmstudio',
  local: 'ollama',
  'openai-compatible': 'compatible',
}
