import type { ModelMessage } from '../../model/index.js'
import { openedModel, type SessionParts } from '../session-parts.js'
import { askForTitle } from './ask-for-title.js'
import { titleFrom } from './title-from.js'

/** After so long without a request nobody waits for the model. */
const idleMs = 1500

/** Later on the first exchange says little about the whole. */
const lastTurn = 3

/** Asks the model for a title once nobody waits for it; the next request stops that. */
export function titleWhenIdle(
  parts: SessionParts,
  turns: readonly (readonly ModelMessage[])[],
): SessionParts['titling'] {
  const { options, vault, record } = parts
  // A model that was handed in says what its owner has it say.
  const isWanted = options.autoTitle ?? (vault.settings.sessions.autoTitle && typeof options.model !== 'object')
  if (!isWanted || record === undefined || record.isTitled() || turns.length > lastTurn) return undefined
  const stop = new AbortController()
  const timer = setTimeout(() => void nameSession(parts, turns, stop.signal).catch(() => undefined), idleMs)
  return {
    stop() {
      clearTimeout(timer)
      stop.abort()
    },
  }
}

async function nameSession(
  parts: SessionParts,
  turns: readonly (readonly ModelMessage[])[],
  signal: AbortSignal,
): Promise<void> {
  const { id, host, record, turn } = parts
  const model = await openedModel(parts)
  if (model.provider === 'offline') return
  const { title, usage } = await askForTitle(model, turns.flat(), signal)
  signal.throwIfAborted()
  if (usage !== undefined) await record?.count(usage, turn)
  if (title === undefined) return
  await host.sessions.rename(id, titleFrom(host.redact(title) as string), 'model')
  record?.titled()
}
