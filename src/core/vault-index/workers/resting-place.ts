/** Where work waits while it is wanted to. */
export function restingPlace() {
  let waiting: Promise<void> | undefined
  let goOn = () => {}
  return {
    want(this: void, isWanted: boolean): void {
      goOn()
      waiting = undefined
      if (isWanted) {
        waiting = new Promise((resolve) => {
          goOn = resolve
        })
      }
    },
    /** Nothing where there is nothing to wait for. Whoever is called off does not wait either. */
    over(signal?: AbortSignal): Promise<void> | undefined {
      if (waiting === undefined || signal?.aborted) return undefined
      return Promise.race([
        waiting,
        new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
      ])
    },
  }
}
