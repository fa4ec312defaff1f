/** A queue between work that happens and a generator that tells of it. */
export interface Channel<T> extends AsyncIterable<T> {
  push(item: T): void
  /** No more items; with an error, the reader throws it after the last one. */
  close(error?: unknown): void
}

export function channel<T>(): Channel<T> {
  const items: T[] = []
  let ended = false
  let failure: { error: unknown } | undefined
  let wake = () => {}

  return {
    push(item) {
      items.push(item)
      wake()
    },
    close(error) {
      ended = true
      if (error !== undefined) failure = { error }
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (items.length > 0) yield items.shift()!
        if (failure) throw failure.error
        if (ended) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
