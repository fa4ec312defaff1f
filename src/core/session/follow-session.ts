import type { SessionStore, StoredEvent } from './store/session-store.js'

/** Hands on what was added to a session in this process. */
export interface SessionChanges {
  tell(id: string, kept: readonly StoredEvent[]): void
  listen(id: string, listener: (kept: readonly StoredEvent[]) => void): () => void
}

export function sessionChanges(): SessionChanges {
  const listeners = new Map<string, Set<(kept: readonly StoredEvent[]) => void>>()
  return {
    tell(id, kept) {
      for (const listener of listeners.get(id) ?? []) listener(kept)
    },
    listen(id, listener) {
      const own = listeners.get(id) ?? new Set()
      listeners.set(id, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0) listeners.delete(id)
      }
    },
  }
}

/** Another process tells nobody, so the store is looked at once in a while. */
const lookMs = 500

/** Whoever is slower than this reads the rest from the store. */
const mostHanded = 200

interface Following {
  id: string
  after: number
  signal: AbortSignal
  changes: SessionChanges
}

/** The events of a session from a number on, then each as it is kept, whoever adds it. */
export async function* followSession(
  store: SessionStore,
  { id, after, signal, changes }: Following,
): AsyncGenerator<StoredEvent> {
  let last = after
  let handed: StoredEvent[] = []
  let wake = () => {}
  let isChanged = false
  const rouse = () => {
    isChanged = true
    wake()
  }
  const stop = changes.listen(id, (kept) => {
    if (handed.length < mostHanded) handed.push(...kept)
    rouse()
  })
  /** What was handed on, where nothing is missing before it; else what the store has. */
  const next = async () => {
    const told = handed
    handed = []
    return told[0]?.seq === last + 1 ? told : store.read(id, { after: last })
  }
  signal.addEventListener('abort', rouse)
  try {
    while (!signal.aborted) {
      isChanged = false
      for (const stored of await next()) {
        if (stored.seq <= last) continue
        last = stored.seq
        yield stored
      }
      if (isChanged) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  } finally {
    wake()
    stop()
    signal.removeEventListener('abort', rouse)
  }
}
