// Abort signals that follow others, and waits that end with them.

/** An abort controller of our own that also aborts with the signals it is linked to. */
export interface LinkedAbort {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
  /** Stops following the other signals. */
  release: () => void
}

/** `AbortSignal.any` would do, but older phones do not have it. */
export function linkedAbort(...outers: (AbortSignal | null | undefined)[]): LinkedAbort {
  const inner = new AbortController()
  const links = outers.flatMap((outer) => (outer ? [{ outer, follow: () => abort(outer.reason) }] : []))
  const release = () => {
    for (const { outer, follow } of links) outer.removeEventListener('abort', follow)
  }
  function abort(reason?: unknown): void {
    release()
    inner.abort(reason)
  }
  for (const { outer, follow } of links) {
    if (outer.aborted) follow()
    else outer.addEventListener('abort', follow, { once: true })
  }
  return { signal: inner.signal, release, abort }
}

/** Aborts as soon as the caller leaves the generator, even while the next item is still awaited. */
export function abortOnReturn<T>(items: AsyncGenerator<T>, stop: LinkedAbort): AsyncGenerator<T> {
  const leave = items.return.bind(items)
  items.return = (value) => {
    stop.abort()
    return leave(value)
  }
  return items
}

/** Resolves after the time, rejects with the signal's reason as soon as it aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
