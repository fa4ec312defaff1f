import { answeredTurns } from '../agent/index.js'
import { guard, ruleVocabulary } from '../approval/index.js'
import { costOf } from '../costs/index.js'
import { Failure, failureFromData } from '../errors.js'
import { type LanguageModelV3, linkedAbort, profileFor, stoppedByLeaving } from '../model/index.js'
import { runTool } from '../tools/index.js'
import { askSession, compactSession, goOnInSession } from './ask-session.js'
import { promptsOf } from './chosen-prompt.js'
import { followProject } from './follow-project.js'
import type { OpenedVault } from './opened-vault.js'
import { type Resumed, resumeSession } from './record/resume-session.js'
import { type SessionRecord, sessionRecord } from './record/session-record.js'
import type { Session, SessionOptions } from './session.js'
import { newSessionId } from './session-id.js'
import { changeModel, lookUpTools, openedModel, type SessionParts } from './session-parts.js'
import type { KeptState, StoredEvent } from './store/session-store.js'
import type { VaultHost } from './vault-host.js'

/** What the vault wants to know of its sessions. */
interface SessionEnds {
  /** Something was added to what is kept of it. */
  onKept: (id: string, kept: readonly StoredEvent[]) => void
  onClose: () => void
}

export async function openSession(
  vault: OpenedVault,
  host: VaultHost,
  options: SessionOptions,
  { onKept, onClose }: SessionEnds,
): Promise<Session> {
  const { id = newSessionId(host.clock.now()), keep = true } = options
  const { settings, registry, desk } = vault
  // A name that was made up just now is nobody else's: it is written down with the first request.
  const left: Partial<Resumed> = keep && options.id !== undefined ? await leftOf(host, id, options) : {}
  const resumed = left.state
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
      desk: options.canAsk === false ? undefined : desk,
      canonical: host.canonical,
      memory: resumed,
    }),
    rules: [],
    project: options.project ?? resumed?.project,
    way,
    isResumed: resumed !== undefined,
    mode: way.mode,
    ...(typeof model === 'string' ? { modelName: model } : ownModel(model)),
    turns: left.turns ?? (options.history ? [[...options.history]] : []),
    tokenRatio: 1,
    windowShare: 1,
    waiting: left.waiting,
    mark: crypto.randomUUID().slice(0, 8),
    files: new Map(),
    given: new Set(),
    told: new Set(),
    closing: new AbortController(),
  }
  hearHistory(parts)
  if (options.canAsk === false) desk.leaveUnattended(id)
  if (keep) parts.record = recordOf(parts, left, onKept)
  try {
    // A rule or a tool that cannot be read is told now, not in the middle of a conversation.
    await lookUpTools(parts, parts.closing.signal)
    await followProject(parts)
  } catch (error) {
    await left.writer?.release()
    throw error
  }

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
        await followProject(parts, true)
      } catch (error) {
        Object.assign(parts, before)
        throw error
      }
      // What was said under another project is none of this one's business.
      parts.turns = parts.turns.map(() => [])
      parts.remembered = undefined
      parts.given.clear()
      parts.waiting = undefined
      const { opened, turns } = parts
      // Of a session in which nothing was said nothing is kept.
      if (turns.length > 0)
        await parts.record?.keep({ type: 'project-changed', ...(opened && { project: opened.project.name }) })
    },
    prompts: () => promptsOf(parts),
    model: () => openedModel(parts),
    changeModel: (name) => changeModel(parts, name),
    ask(request, signal) {
      const stop = linkedAbort(parts.closing.signal, signal)
      const asked = typeof request === 'string' ? { text: request } : request
      return stoppedByLeaving(askSession(parts, asked, stop), stop)
    },
    compact(signal) {
      const stop = linkedAbort(parts.closing.signal, signal)
      return stoppedByLeaving(compactSession(parts, stop), stop)
    },
    waits: () => parts.waiting && { text: parts.waiting.start.text, calls: parts.waiting.begun.calls.length },
    goOn(signal) {
      const stop = linkedAbort(parts.closing.signal, signal)
      return stoppedByLeaving(goOnInSession(parts, stop), stop)
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
        hint: `Did you mean ${near.join(' or ')}?`,
        data: failure.details.data,
      })
    },
    state: () => ({ ...stateOf(parts), messages: answeredTurns(parts.turns.flat()) }),
    async close() {
      onClose()
      parts.titling?.stop()
      parts.closing.abort(new Error('The session was closed.'))
      desk.close(id)
      await parts.running
      await parts.record?.close()
    },
  }
}

/** What was read and typed before is not known any more: it may have been anything. */
function hearHistory({ guard, options: { history = [] } }: SessionParts): void {
  if (history.length > 0) guard.observe(['own-note', 'clipped'])
  for (const { role, content } of history) if (role === 'user' && typeof content === 'string') guard.hear(content)
}

/** Where nothing can be kept, a conversation begins anew, and the person knows. */
async function leftOf(
  { sessions, log }: VaultHost,
  id: string,
  { onTrouble }: SessionOptions,
): Promise<Partial<Resumed>> {
  try {
    return await resumeSession(sessions, log, id)
  } catch (error) {
    if (error instanceof Failure) throw error
    onTrouble?.(`This session cannot be kept: ${(error as Error).message}`)
    return {}
  }
}

function recordOf(
  parts: SessionParts,
  { writer, about }: Partial<Resumed>,
  onKept: SessionEnds['onKept'],
): SessionRecord {
  const { id, host, options, vault } = parts
  return sessionRecord({
    store: host.sessions,
    id,
    writer,
    about,
    redact: host.redact,
    now: () => host.clock.now(),
    state: () => stateOf(parts),
    price: (model, usage) => costOf(model, usage, vault.settings.prices),
    onKept: (kept) => onKept(id, kept),
    onTrouble: options.onTrouble ?? (() => {}),
  })
}

function stateOf({ guard, modelName, mode, opened }: SessionParts): KeptState {
  const project = opened && { project: opened.project.name }
  return { ...guard.memory(), model: modelName, mode, consent: guard.level, ...project }
}

function ownModel(model: LanguageModelV3): Pick<SessionParts, 'modelName' | 'model'> {
  const { provider, modelId } = model
  const name = `${provider}/${modelId}`
  const profile = { ...profileFor(modelId), dialect: 'native' }
  return { modelName: name, model: Promise.resolve({ name, provider, model, profile }) }
}
