import { guard, ruleVocabulary } from '../approval/index.js'
import { Failure, failureFromData } from '../errors.js'
import { type LanguageModelV3, linkedAbort, profileFor, stoppedByLeaving } from '../model/index.js'
import { runTool } from '../tools/index.js'
import { askSession } from './ask-session.js'
import type { OpenedVault } from './opened-vault.js'
import type { Session, SessionOptions } from './session.js'
import { lookUpTools, openedModel, openNamed, type SessionParts } from './session-parts.js'
import type { VaultHost } from './vault-host.js'

export async function openSession(
  vault: OpenedVault,
  host: VaultHost,
  options: SessionOptions,
  onClose: () => void,
): Promise<Session> {
  const { resumed, id = crypto.randomUUID() } = options
  const { settings, registry, desk } = vault
  const model = options.model ?? resumed?.model ?? settings.model
  const parts: SessionParts = {
    id,
    vault,
    host,
    options,
    guard: guard({
      level: options.consent ?? resumed?.consent ?? settings.consent,
      rules: () => parts.rules,
      vocabulary: () => ruleVocabulary(registry),
      grants: host.grants,
      desk,
      canonical: host.canonical,
      memory: resumed,
    }),
    rules: [],
    mode: options.mode ?? resumed?.mode ?? settings.mode,
    ...(typeof model === 'string' ? { modelName: model } : ownModel(model)),
    messages: resumed?.messages ?? [],
    mark: crypto.randomUUID().slice(0, 8),
    told: new Set(),
    closing: new AbortController(),
  }
  // A rule or a tool that cannot be read is told now, not in the middle of a conversation.
  await lookUpTools(parts, parts.closing.signal)

  return {
    id,
    get mode() {
      return parts.mode
    },
    set mode(mode) {
      parts.mode = mode
    },
    guard: parts.guard,
    model: () => openedModel(parts),
    async changeModel(name) {
      const opened = await openNamed(parts, name)
      parts.model = Promise.resolve(opened)
      parts.modelName = opened.name
      return opened
    },
    ask(request, signal) {
      const stop = linkedAbort(parts.closing.signal, signal)
      const asked = typeof request === 'string' ? { text: request } : request
      return stoppedByLeaving(askSession(parts, asked, stop), stop)
    },
    async call(call, signal) {
      const stop = linkedAbort(parts.closing.signal, signal)
      try {
        const { setup } = await lookUpTools(parts, stop.signal)
        return await runTool({ id: crypto.randomUUID(), ...call }, setup)
      } finally {
        stop.release()
      }
    },
    toolSetup: async (signal = parts.closing.signal) => (await lookUpTools(parts, signal)).setup,
    async explain(data, signal) {
      const failure = failureFromData(data)
      const near = (await host.nearModels?.(parts.modelName, failure, signal)) ?? []
      if (near.length === 0) return failure
      return new Failure(failure.code, failure.message, {
        ...failure.details,
        hint: `Did you mean ${near.join(' or ')}?`,
      })
    },
    state: () => ({
      ...parts.guard.memory(),
      model: parts.modelName,
      mode: parts.mode,
      consent: parts.guard.level,
      messages: parts.messages,
    }),
    clear() {
      parts.messages = []
      parts.remembered = undefined
    },
    async close() {
      onClose()
      parts.closing.abort(new Error('The session was closed.'))
      desk.close(id)
      await parts.running
    },
  }
}

function ownModel(model: LanguageModelV3): Pick<SessionParts, 'modelName' | 'model'> {
  const { provider, modelId } = model
  const name = `${provider}/${modelId}`
  const profile = { ...profileFor(modelId), dialect: 'native' }
  return { modelName: name, model: Promise.resolve({ name, provider, model, profile }) }
}
