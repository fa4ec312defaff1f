import { Failure } from '../errors.js'
import { type ModelContext, modelFailure } from '../model/index.js'
import { type Advice, commandLineAdvice } from './advice.js'
import { shownAddress } from './base-url.js'
import type { Environment, Provider } from './provider.js'
import { redactKeys } from './redact-keys.js'
import { type Secret, secret } from './secret.js'

/** Where keys come from. The host looks in the environment first, then in its own safe place. */
export type Keys = (provider: Provider) => Promise<Secret | undefined>

/** Keys from environment variables alone. */
export function environmentKeys(environment: Environment): Keys {
  return async (provider) => {
    const name = variableOf(provider.key?.environment ?? [], environment)
    return name === undefined ? undefined : secret(environment[name]!.trim())
  }
}

/** The first variable that is set to something. */
export function variableOf(names: readonly string[], environment: Environment): string | undefined {
  return names.find((name) => (environment[name] ?? '').trim() !== '')
}

/** Where a provider is reached, undefined when nobody has said. */
export function addressOf(provider: Provider, environment: Environment): string | undefined {
  const name = variableOf(provider.address.environment, environment)
  return name === undefined ? provider.address.standard : provider.address.read(environment[name]!, name)
}

/** The same, for when it is needed. */
export function requireAddress(provider: Provider, environment: Environment, advice = commandLineAdvice): string {
  const address = addressOf(provider, environment)
  if (address !== undefined) return address
  const how = advice.address(provider)
  throw new Failure('network', `${provider.name} has no address yet.`, {
    hint: `${how[0].toUpperCase()}${how.slice(1)}, like http://127.0.0.1:8080/v1`,
    data: { kind: 'unreachable', provider: provider.name, model: '', retryable: false },
  })
}

export function modelContext(
  provider: Provider,
  modelId: string,
  baseUrl: string,
  secrets: readonly string[],
  advice = commandLineAdvice,
): ModelContext {
  return {
    provider: provider.name,
    modelId,
    address: shownAddress(baseUrl),
    keyHint: keyHint(provider, advice),
    unreachableHint: `${provider.unreachableHint} If it runs elsewhere, ${advice.address(provider)}.`,
    modelHint: [provider.modelHint?.(modelId), advice.models(provider)].filter(Boolean).join(' '),
    howToSet: (setting, value) => advice.setting(setting, value),
    redact: (text) => redactKeys(text, secrets),
  }
}

export function missingKey(provider: Provider, context: ModelContext): Failure {
  return modelFailure('no-key', context, `There is no key for ${provider.name}.`, { hint: context.keyHint })
}

function keyHint(provider: Provider, advice: Advice): string | undefined {
  if (provider.key === undefined) return undefined
  const from = provider.key.from ? ` Keys are made at ${provider.key.from}` : ''
  return `${advice.key(provider)}${from}`
}
