/** The request cannot be called back, but nobody has to wait for it. */
export function unlessStopped<T>(asked: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason as Error)
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
    asked
      .then(resolve, (error) => reject(new TypeError((error as Error).message)))
      .finally(() => signal?.removeEventListener('abort', stop))
  })
}
