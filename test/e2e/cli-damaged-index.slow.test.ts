import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Stage, stage } from './cli-harness.js'

let here: Stage
beforeEach(async () => {
  here = await stage()
})
afterEach(() => here.remove())

/** The file of the index, the only large one in the cache. */
async function indexFile(): Promise<string> {
  const cache = join(here.home, 'cache')
  const names = await readdir(cache, { recursive: true })
  const found = names.find((name) => name.endsWith('.db'))
  if (found === undefined) throw new Error(`No index in ${names.join(', ')}`)
  return join(cache, found)
}

async function overwrite(file: string, from: number, to: number): Promise<void> {
  const bytes = await readFile(file)
  bytes.fill(0xa5, Math.floor(bytes.length * from), Math.floor(bytes.length * to))
  await writeFile(file, bytes)
}

const damages: [name: string, damage: (file: string) => Promise<void>][] = [
  ['emptied', (file) => truncate(file, 0)],
  ['cut in half', async (file) => truncate(file, Math.floor((await readFile(file)).length / 2))],
  ['no database at all', (file) => writeFile(file, 'not a database\n'.repeat(1000))],
  ['overwritten at the start', (file) => overwrite(file, 0, 0.1)],
  ['overwritten in the middle', (file) => overwrite(file, 0.4, 0.6)],
  ['overwritten at the end', (file) => overwrite(file, 0.8, 1)],
]

describe.each(damages)('an index that was %s', (_, damage) => {
  it('is detected and rebuilt: answers are right and the vault is unchanged', async () => {
    await here.json('index')
    const right = (await here.json('search', 'late blight')).value.hits.map(({ path }) => path)
    const links = (await here.json('links', 'Tomatoes')).value
    const before = await here.treeHash()

    await damage(await indexFile())
    const found = await here.json('search', 'late blight')
    expect([found.code, found.value.hits?.map(({ path }) => path)]).toEqual([0, right])

    await damage(await indexFile())
    expect((await here.json('links', 'Tomatoes')).value).toEqual(links)

    await damage(await indexFile())
    expect((await here.json('index')).value).toMatchObject({ notes: 7 })
    expect((await here.json('doctor')).value).toMatchObject({ ok: true })
    expect(await here.treeHash()).toBe(before)
  })
})
