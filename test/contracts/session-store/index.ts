import { afterEach, beforeEach, describe } from 'vitest'
import type { SessionStore } from '../../../src/core/session/index.js'
import { describeEvents } from './events.js'
import { describeFiles } from './files.js'
import { describeFinding } from './finding.js'
import { describeRemoving } from './removing.js'
import { describeWriters } from './writers.js'

/** Opens a new store for each test. */
export interface GivenStore {
  store(): SessionStore
}

/** The contract of every session store. A new store proves itself with one call of this. */
export function describeSessionStore(name: string, open: () => Promise<SessionStore>): void {
  describe(`${name} keeps the session store's promises`, () => {
    let store: SessionStore
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())
    const given: GivenStore = { store: () => store }
    describeEvents(given)
    describeWriters(given)
    describeFinding(given)
    describeFiles(given)
    describeRemoving(given)
  })
}
