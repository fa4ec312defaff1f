/** Runs pieces of work side by side, at most so many at a time. */
export interface InFlight {
  /** Begins a piece as soon as there is room. Throws the first error there was, and begins no more. */
  add(work: () => Promise<void>): Promise<void>
  /** Waits for everything that was begun, whatever came of it. */
  settled(): Promise<void>
  /** Waits for everything; throws the first error there was. */
  all(): Promise<void>
}

export function inFlight(most: number): InFlight {
  const running = new Set<Promise<void>>()
  const errors: unknown[] = []
  const throwFirst = () => {
    if (errors.length > 0) throw errors[0]
  }
  const settled = async () => {
    await Promise.all(running)
  }
  return {
    async add(work) {
      while (running.size >= most) await Promise.race(running)
      throwFirst()
      const piece: Promise<void> = work()
        .catch((error) => void errors.push(error))
        .finally(() => running.delete(piece))
      running.add(piece)
    },
    settled,
    async all() {
      await settled()
      throwFirst()
    },
  }
}
