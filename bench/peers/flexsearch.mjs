import FlexSearch from 'flexsearch'

/** Its export is one callback per key with no single file to weigh or to open, so it has no size and no warm start. */
export function flexSearch() {
  const paths = []
  let index

  return {
    name: 'FlexSearch',
    build(notes) {
      index = new FlexSearch.Document({ document: { id: 'id', index: ['title', 'body'] } })
      for (const { path, title, body } of notes) index.add({ id: paths.push(path) - 1, title, body })
    },
    query(text, limit) {
      return index.search(text, { limit, suggest: true, merge: true }).map((hit) => paths[hit.id])
    },
    close() {},
  }
}
