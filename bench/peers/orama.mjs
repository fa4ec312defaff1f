import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, insert, load, save, search } from '@orama/orama'

const schema = { title: 'string', body: 'string' }

export function orama(folder) {
  const file = join(folder, 'orama.json')
  let database

  return {
    name: 'Orama',
    async build(notes) {
      database = create({ schema })
      for (const { path, title, body } of notes) await insert(database, { id: path, title, body })
    },
    save() {
      writeFileSync(file, JSON.stringify(save(database)))
      return statSync(file).size
    },
    open() {
      database = create({ schema })
      load(database, JSON.parse(readFileSync(file, 'utf8')))
    },
    async query(text, limit) {
      const { hits } = await search(database, { term: text, limit })
      return hits.map((hit) => hit.id)
    },
    close() {},
  }
}
