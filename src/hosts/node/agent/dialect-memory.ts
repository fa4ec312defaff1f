import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DialectMemory } from '../../../core/model/index.js'
import { privateFolder } from '../state/index.js'

/** Remembers which dialect a model speaks, in `dialects.json` of the state folder. Damaged, it is as if nothing was known. */
export function dialectMemory(state: string): DialectMemory {
  const file = join(state, 'dialects.json')

  async function known(): Promise<Map<string, string>> {
    try {
      const data: unknown = JSON.parse(await readFile(file, 'utf8'))
      const entries = Object.entries(data as Record<string, unknown>)
      return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    } catch {
      return new Map()
    }
  }

  return {
    recall: async (model) => (await known()).get(model),
    async remember(model, dialect) {
      const all = (await known()).set(model, dialect)
      await privateFolder(state)
      const aside = `${file}.${randomUUID()}`
      await writeFile(aside, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`, { mode: 0o600 })
      await rename(aside, file)
    },
  }
}
