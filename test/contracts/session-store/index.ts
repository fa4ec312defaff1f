import { afterEach, beforeEach, describe } from 'vitest'
import type { SessionStore } from '../../../src/core/session/index.js'
import { describeEvents } from './events.js'
import { describeFiles } from './files.js'
import { describeFinding } from './finding.js'
import { describeRemoving } from './removing.js'
import { describeWriters } from './writers.js'

/** A store that is opened anew for each test. */
export interface GivenStore {
  store(): SessionStore
}

/** What every store of sessions promises. A new one proves itself by one call of this. */
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
