import type { IndexStore } from '../../../src/core/index/index.js'

export type DyingStore = IndexStore & {
  readonly isDead: boolean
  /** The process dies when it has committed so often; not at all when left out. */
  dieAfter(commits: number | undefined): void
}

/** The index of a process that may die: nothing is written or read after that. */
export function dyingStore(store: IndexStore, hasDied: () => boolean): DyingStore {
  let isDead = false
  let left = Number.POSITIVE_INFINITY
  const dying = Object.entries(store).map(([name, work]) => [
    name,
    (...given: unknown[]) => {
      if (name === 'commit' && left-- <= 0) isDead = true
      if (isDead || hasDied()) return Promise.reject(new Error('The process was killed.'))
      return work(...given)
    },
  ])
  return Object.defineProperty(
    {
      ...(Object.fromEntries(dying) as IndexStore),
      dieAfter(commits: number | undefined) {
        left = commits ?? Number.POSITIVE_INFINITY
      },
    } as DyingStore,
    'isDead',
    { get: () => isDead },
  )
}
