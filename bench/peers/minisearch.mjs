import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import MiniSearch from 'minisearch'

const options = { fields: ['title', 'body'], idField: 'path' }

export function miniSearch(folder) {
  const file = join(folder, 'minisearch.json')
  let index

  return {
    name: 'MiniSearch',
    build(notes) {
      index = new MiniSearch(options)
      for (const note of notes) index.add(note)
    },
    save() {
      writeFileSync(file, JSON.stringify(index))
      return statSync(file).size
    },
    open() {
      index = MiniSearch.loadJSON(readFileSync(file, 'utf8'), options)
    },
    query(text, limit) {
      return index
        .search(text)
        .slice(0, limit)
        .map((hit) => hit.id)
    },
    close() {},
  }
}
