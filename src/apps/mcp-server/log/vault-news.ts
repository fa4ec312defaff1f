import type { IndexProgress } from '../../../core/vault-index/index.js'
import type { McpSetup, NewsListener } from '../setup.js'

/** What goes on in a vault that is opened for clients: troubles, and how far its index is. */
export interface VaultNews {
  news: NonNullable<McpSetup['news']>
  trouble(text: string): void
  progress(progress: IndexProgress): void
}

export function vaultNews(): VaultNews {
  const listeners = new Set<NewsListener>()
  const tell: NewsListener = (level, text) => {
    for (const listener of listeners) listener(level, text)
  }
  let phase: IndexProgress['phase'] | undefined
  return {
    news(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    trouble: (text) => tell('warning', text),
    progress(progress) {
      if (progress.phase === phase) return
      phase = progress.phase
      tell('info', `Index: ${phase}, ${progress.total} in all.`)
    },
  }
}
