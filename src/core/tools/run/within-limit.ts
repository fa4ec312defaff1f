import { Failure } from '../../errors.js'

/**
 * Runs work that really ends: when time is up or the person stops, its signal aborts, and even work that does not
 * listen is no longer waited for.
 */
export async function withinLimit<T>(
  name: string,
  ms: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted()
  const inner = new AbortController()
  let stop: (reason: unknown) => void = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = reject
  })
  const abort = (reason: unknown) => {
    inner.abort(reason)
    stop(reason)
  }
  const timer = setTimeout(
    () => abort(new Failure('timeout', `${name} timed out after ${ms}ms`, { hint: 'Try a smaller request.' })),
    ms,
  )
  const forget = onAbort(outer, () => abort(outer.reason))
  try {
    return await Promise.race([work(inner.signal), stopped])
  } finally {
    clearTimeout(timer)
    forget()
  }
}

const listening = new WeakMap<AbortSignal, Set<() => void>>()

/** One listener for all that wait on a signal: hosts warn of a leak when there are many. */
function onAbort(signal: AbortSignal, react: () => void): () => void {
  let reactions = listening.get(signal)
  if (reactions === undefined) {
    const all = new Set<() => void>()
    reactions = all
    listening.set(signal, all)
    const tellAll = () => {
      for (const each of all) each()
    }
    signal.addEventListener('abort', tellAll, { once: true })
  }
  const own = reactions
  own.add(react)
  return () => void own.delete(react)
}
