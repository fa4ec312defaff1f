import type { SessionStore, StoredEvent } from './store/session-store.js'

/** Tells that something was added to a session in this process. */
export interface SessionChanges {
  tell(id: string): void
  listen(id: string, listener: () => void): () => void
}

export function sessionChanges(): SessionChanges {
  const listeners = new Map<string, Set<() => void>>()
  return {
    tell(id) {
      for (const listener of listeners.get(id) ?? []) listener()
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
  let wake = () => {}
  let isChanged = false
  const rouse = () => {
    isChanged = true
    wake()
  }
  const stop = changes.listen(id, rouse)
  signal.addEventListener('abort', rouse)
  try {
    while (!signal.aborted) {
      isChanged = false
      for (const stored of await store.read(id, { after: last })) {
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
