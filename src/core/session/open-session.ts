import { guard, ruleVocabulary } from '../approval/index.js'
import { Failure, failureFromData } from '../errors.js'
import { type LanguageModelV3, linkedAbort, profileFor, stoppedByLeaving } from '../model/index.js'
import { runTool } from '../tools/index.js'
import { askSession } from './ask-session.js'
import { mustMatch } from './enter-project.js'
import type { OpenedVault } from './opened-vault.js'
import type { Session, SessionOptions } from './session.js'
import { lookUpTools, openedModel, openNamed, type SessionParts, tellOnce } from './session-parts.js'
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
  const way = {
    model: typeof model === 'string' ? model : `${model.provider}/${model.modelId}`,
    mode: options.mode ?? resumed?.mode ?? settings.mode,
    consent: options.consent ?? resumed?.consent ?? settings.consent,
  }
  const parts: SessionParts = {
    id,
    vault,
    host,
    options,
    guard: guard({
      level: way.consent,
      rules: () => parts.rules,
      vocabulary: () => ruleVocabulary(registry),
      grants: host.grants,
      desk,
      canonical: host.canonical,
      memory: resumed,
    }),
    rules: [],
    project: options.project ?? resumed?.project,
    way,
    mode: way.mode,
    ...(typeof model === 'string' ? { modelName: model } : ownModel(model)),
    messages: resumed?.messages ?? [],
    mark: crypto.randomUUID().slice(0, 8),
    told: new Set(),
    closing: new AbortController(),
  }
  // A rule or a tool that cannot be read is told now, not in the middle of a conversation.
  await lookUpTools(parts, parts.closing.signal)
  await follow(parts)

  return {
    id,
    get mode() {
      return parts.mode
    },
    set mode(mode) {
      parts.mode = mode
    },
    guard: parts.guard,
    get project() {
      return parts.opened?.project.name
    },
    async changeProject(name) {
      const before = { project: parts.project, opened: parts.opened, rules: parts.rules }
      parts.project = name
      try {
        await lookUpTools(parts, parts.closing.signal)
        await follow(parts, true)
      } catch (error) {
        Object.assign(parts, before)
        throw error
      }
      parts.messages = []
      parts.remembered = undefined
    },
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
      ...(parts.opened && { project: parts.opened.project.name }),
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

/** Works as the project asks, as far as it may and the person has not said otherwise for this session. */
async function follow(parts: SessionParts, isChanged = false): Promise<void> {
  const { opened, options, guard, way } = parts
  if (opened !== undefined) await mustMatch(parts, opened, parts.rules)
  const { model, mode, consent, notices = [] } = opened?.wishes ?? {}
  const isNote = opened?.project.note !== undefined
  for (const text of notices) tellOnce(parts, text)
  const wished = options.model === undefined && options.resumed?.model === undefined ? model : undefined
  if (wished !== undefined || isChanged) {
    const name = wished ?? way.model
    if (name !== parts.modelName) {
      if (isChanged) parts.model = Promise.resolve(await openNamed(parts, name))
      parts.modelName = name
    }
  }
  // A note restricts whatever was said; the settings are what is meant where nothing was.
  const mayMode = isNote || (options.mode === undefined && options.resumed === undefined)
  parts.mode = (mayMode ? mode : undefined) ?? (isChanged ? way.mode : parts.mode)
  const mayConsent = isNote || (options.consent === undefined && options.resumed === undefined)
  guard.level = (mayConsent ? consent : undefined) ?? (isChanged ? way.consent : guard.level)
}

function ownModel(model: LanguageModelV3): Pick<SessionParts, 'modelName' | 'model'> {
  const { provider, modelId } = model
  const name = `${provider}/${modelId}`
  const profile = { ...profileFor(modelId), dialect: 'native' }
  return { modelName: name, model: Promise.resolve({ name, provider, model, profile }) }
}
