import { getNoteMetadata } from './get-note-metadata.js'
import { getRandomNote } from './get-random-note.js'
import { getTagList } from './get-tag-list.js'
import { indexVault } from './index-vault.js'
import { listBacklinks } from './list-backlinks.js'
import { listForwardLinks } from './list-forward-links.js'
import { relatedNotes } from './related-notes.js'
import { searchByTag } from './search-by-tag.js'
import { searchNotes } from './search-notes.js'
import { vaultSearch } from './vault-search.js'

/** In the order in which they are offered. */
export const searchTools = [
  searchNotes,
  vaultSearch,
  searchByTag,
  getTagList,
  listBacklinks,
  listForwardLinks,
  relatedNotes,
  getNoteMetadata,
  getRandomNote,
  indexVault,
]
