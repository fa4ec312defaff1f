import { describe } from 'vitest'
import type { IndexStore } from '../../../src/core/vault-index/index-store.js'
import { describeBlobs } from './blobs.js'
import { describeCommits } from './commits.js'
import { describeFiles } from './files.js'
import { describeFilters } from './filters.js'
import { givenStore } from './given.js'
import { describeLinks } from './links.js'
import { describeNotes } from './notes.js'

export { link, rows } from './rows.js'

/** What every store of the index promises. A new one proves itself by one call of this. */
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
