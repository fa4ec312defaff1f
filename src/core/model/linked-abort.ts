/** Something of ours that can be stopped, and stops with what it is part of. */
export interface LinkedAbort {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
  /** It is over: the other signal is followed no longer. */
  release(): void
}

export function linkedAbort(outer: AbortSignal | null | undefined): LinkedAbort {
  const inner = new AbortController()
  const follow = () => inner.abort(outer?.reason)
  if (outer?.aborted) follow()
  else outer?.addEventListener('abort', follow, { once: true })
  const release = () => outer?.removeEventListener('abort', follow)
  return {
    signal: inner.signal,
    release,
    abort(reason) {
      release()
      inner.abort(reason)
    },
  }
}
