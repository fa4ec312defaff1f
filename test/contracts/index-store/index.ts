import { describe } from 'vitest'
import type { IndexStore } from '../../../src/core/index/index-store.js'
import { describeBlobs } from './blobs.js'
import { describeCommits } from './commits.js'
import { describeFiles } from './files.js'
import { describeFilters } from './filters.js'
import { givenStore } from './given.js'
import { describeLinks } from './links.js'
import { describeNotes } from './notes.js'

export { link, rows } from './rows.js'

/** The contract of every index store. A new store proves itself with one call of this. */
export function describeIndexStore(name: string, open: () => Promise<IndexStore>): void {
  describe(`${name} keeps the index store's promises`, () => {
    const given = givenStore(open)
    describeCommits(given)
    describeNotes(given)
    describeFiles(given)
    describeLinks(given)
    describeFilters(given)
    describeBlobs(given)
  })
}
