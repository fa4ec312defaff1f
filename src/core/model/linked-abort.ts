/** Something of ours that can be stopped, and stops with what it is part of. */
export interface LinkedAbort {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
  /** It is over: the other signals are followed no longer. */
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

/** Whoever leaves the generator stops what it waits for at once, even while the next item is still awaited. */
export function stoppedByLeaving<T>(items: AsyncGenerator<T>, stop: LinkedAbort): AsyncGenerator<T> {
  const leave = items.return.bind(items)
  items.return = (value) => {
    stop.abort()
    return leave(value)
  }
  return items
}
