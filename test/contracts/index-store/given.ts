import { afterEach, beforeEach, expect } from 'vitest'
import type { IndexBatch, IndexStore } from '../../../src/core/index/index-store.js'

/** A store of its own for each test. */
export interface Given {
  readonly store: IndexStore
  /** On the store's generation, whatever it is. */
  commit(batch: Omit<IndexBatch, 'expect'>): Promise<number | undefined>
}

export function givenStore(open: () => Promise<IndexStore>): Given {
  let store: IndexStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())
  return {
    get store() {
      return store
    },
    async commit(batch) {
      const generation = await store.commit({ ...batch, expect: await store.generation() })
      expect(generation).toBeDefined()
      return generation
    },
  }
}
