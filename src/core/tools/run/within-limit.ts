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
  const onAbort = () => abort(outer.reason)
  const timer = setTimeout(
    () => abort(new Failure('timeout', `${name} timed out after ${ms}ms`, { hint: 'Try a smaller request.' })),
    ms,
  )
  outer.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(inner.signal), stopped])
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', onAbort)
  }
}
