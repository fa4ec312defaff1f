/**
 * The engines we measure ourselves against. Each is loaded on its own, so that a process that measures one holds no
 * other. A peer is `{ name, build(notes), query(text, limit), save?(), open?(), close() }`: `query` answers paths,
 * `save` writes what a later process can `open` and answers its size.
 */
export const peers = {
  'fts5-porter': async () => (await import('./fts5.mjs')).fts5Porter,
  'fts5-unicode61': async () => (await import('./fts5.mjs')).fts5Unicode,
  'fts5-trigram': async () => (await import('./fts5.mjs')).fts5Trigram,
  minisearch: async () => (await import('./minisearch.mjs')).miniSearch,
  orama: async () => (await import('./orama.mjs')).orama,
  flexsearch: async () => (await import('./flexsearch.mjs')).flexSearch,
  scan: async () => (await import('./scan.mjs')).scan,
  ripgrep: async () => (await import('./ripgrep.mjs')).ripgrep,
}

export const peerNames = {
  'fts5-porter': 'FTS5 porter',
  'fts5-unicode61': 'FTS5 unicode61',
  'fts5-trigram': 'FTS5 trigram',
  minisearch: 'MiniSearch',
  orama: 'Orama',
  flexsearch: 'FlexSearch',
  scan: 'scan of every file',
  ripgrep: 'ripgrep',
}
