/** A queue between work that happens and a generator that tells of it. */
export interface Channel<T> extends AsyncIterable<T> {
  /** Resolves when whoever reads has dealt with the item and asks for the next, or reads no more. */
  push(item: T): Promise<void>
  /** No more items; with an error, the reader throws it after the last one. */
  close(error?: unknown): void
}

export function channel<T>(): Channel<T> {
  const items: { item: T; taken: () => void }[] = []
  let ended = false
  let isLeft = false
  let failure: { error: unknown } | undefined
  let wake = () => {}

  return {
    push(item) {
      if (isLeft) return Promise.resolve()
      return new Promise((taken) => {
        items.push({ item, taken })
        wake()
      })
    },
    close(error) {
      ended = true
      if (error !== undefined) failure = { error }
      wake()
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          while (items.length > 0) {
            yield items[0].item
            items.shift()!.taken()
          }
          if (failure) throw failure.error
          if (ended) return
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      } finally {
        isLeft = true
        for (const { taken } of items.splice(0)) taken()
      }
    },
  }
}
