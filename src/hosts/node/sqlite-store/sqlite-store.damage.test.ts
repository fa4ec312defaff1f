import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { link, rows } from '../../../../test/contracts/index-store/index.js'
import { howOften } from '../../../../test/runner/how-often.js'
import type { IndexStore } from '../../../core/index/index.js'
import { IndexCorrupt } from '../../../core/index/index.js'
import type { NotePath } from '../../../core/vault/index.js'
import { openDriver } from '../sqlite.js'
import { sqliteStore } from './sqlite-store.js'

vi.setConfig({ testTimeout: 180_000 })

const folder = mkdtempSync(join(tmpdir(), 'notewright-damage-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const noteCount = 30
const pathOf = (at: number) => `folder ${at % 7}/note ${at}.md` as NotePath

/** Notes at the start, in between and at the end; one that was removed, one that never was. */
const some = [0, 1, 9, 14, 20, 25, 29, 31].map(pathOf)

/** Every kind of question, each with its answer as text. */
const questions: Record<string, (store: IndexStore) => Promise<unknown>> = {
  counts: (store) => store.counts(),
  files: (store) => store.files(),
  meta: (store) => Promise.all(['state', 'none'].map((key) => store.meta(key))),
  notes: async (store) => [...(await store.notes(upTo(noteCount + 20)))].sort(([a], [b]) => a - b),
  paths: (store) => Promise.all(some.map((path) => store.note(path))),
  chunks: (store) =>
    store.chunks(upTo(noteCount + 20).flatMap((note) => upTo(3).map((ordinal) => ({ note, ordinal })))),
  linksFrom: (store) => Promise.all(some.map((path) => store.linksFrom(path))),
  linksTo: (store) => Promise.all(some.map((path) => store.linksTo(path))),
  linksByKey: (store) => store.linksByKey(upTo(noteCount).map((at) => `folder ${at % 7}/note ${at}`)),
  unresolved: (store) => store.unresolved(),
  orphans: (store) => store.orphans(),
  tags: (store) => store.tags(),
  byTag: (store) => store.matching({ tags: ['t1'] }),
  byProperty: (store) => store.matching({ properties: { status: 'done' }, folder: 'folder 3' }),
  blobs: async (store) => {
    const names = await store.blobNames()
    return Promise.all(
      names.map(async (blob) => ({
        ...blob,
        bytes: await bytesOf(store, blob),
      })),
    )
  },
}

async function bytesOf(store: IndexStore, { name, size }: { name: string; size: number }): Promise<string> {
  const blob = await store.blob(name)
  blob?.need(0, size)
  return Buffer.from(blob?.bytes ?? []).toString('base64')
}

describe('a damaged index', () => {
  const original = join(folder, 'original', 'index.db')
  let whole: Buffer
  let answers: Record<string, string>
  let none: Record<string, string>

  beforeAll(async () => {
    const empty = await sqliteStore({ file: join(folder, 'empty.db') })
    none = await allAnswers(empty)
    await empty.close()
    await fill(original)
    whole = readFileSync(original)
    const store = await sqliteStore({ file: original })
    answers = await allAnswers(store)
    expect(store.rebuiltBecause).toBeUndefined()
    await store.close()
    expect(Object.values(answers).filter((answer) => answer.startsWith('corrupt'))).toEqual([])
  })

  it('truncated anywhere is rebuilt or refuses to answer', async () => {
    const offsets = new Set([0, 1, 15, 16, 99, 100, 101, 511, 512])
    for (let page = 0; page * 8192 < whole.length; page++) offsets.add(page * 8192)
    for (let at = 0; offsets.size < howOften(60, 220); at++) offsets.add(1 + ((at * 7919) % whole.length))
    let noticed = 0
    for (const offset of offsets) {
      const file = damaged((bytes) => bytes.subarray(0, offset))
      noticed += await neverWrong(file, `truncated at ${offset}`)
    }
    expect(noticed).toBe(offsets.size)
  })

  it('with one flipped bit answers as before, is rebuilt, or refuses to answer', async () => {
    const random = randomFrom(20_260_101)
    const rounds = howOften(200, 1000)
    let noticed = 0
    for (let round = 0; round < rounds; round++) {
      const bit = Math.floor(random() * whole.length * 8)
      const file = damaged((bytes) => {
        bytes[bit >> 3] ^= 1 << (bit & 7)
        return bytes
      })
      noticed += await neverWrong(file, `bit ${bit}`)
    }
    expect(noticed).toBeGreaterThan(rounds / 5)
  })

  it('with a page of zeros or of another place answers as before, is rebuilt, or refuses to answer', async () => {
    const pages = whole.length / 8192
    for (let page = 0; page < pages; page++) {
      const at = page * 8192
      await neverWrong(
        damaged((bytes) => bytes.fill(0, at, at + 8192)),
        `zeros in page ${page}`,
      )
      const other = ((page * 31 + 5) % pages) * 8192
      const swapped = damaged((bytes) => {
        whole.copy(bytes, at, other, other + 8192)
        return bytes
      })
      await neverWrong(swapped, `page ${page} replaced by ${other / 8192}`)
    }
  })

  it('whose log was deleted is an older index or a new one, never a mixture', async () => {
    const file = join(folder, 'log', 'index.db')
    await fill(file)
    const before = await sqliteStore({ file })
    const older = await allAnswers(before)
    await before.commit({
      expect: await before.generation(),
      put: [rows(900, 'late.md', {}, [link('late.md', pathOf(3))])],
    })
    const copy = join(folder, 'no log.db')
    copyFileSync(file, copy)
    cpSync(`${file}-blobs`, `${copy}-blobs`, { recursive: true })
    await before.close()
    const store = await sqliteStore({ file: copy })
    const found = await allAnswers(store)
    await store.close()
    for (const [question, answer] of Object.entries(found)) expect(answer, question).toBe(older[question])
  })

  it('with a flipped bit in its log answers as after one of its commits', async () => {
    const file = join(folder, 'open', 'index.db')
    const writer = await sqliteStore({ file })
    const byGeneration = new Map<number, Record<string, string>>()
    await fillStore(writer, async () => {
      byGeneration.set(await writer.generation(), await allAnswers(writer))
    })
    const log = readFileSync(`${file}-wal`)
    const copy = join(folder, 'copy.db')
    const random = randomFrom(4)
    const reached = new Set<number>()
    for (let round = 0; round < 100; round++) {
      for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true })
      copyFileSync(file, copy)
      const bit = Math.floor(random() * log.length * 8)
      const flipped = Buffer.from(log)
      flipped[bit >> 3] ^= 1 << (bit & 7)
      writeFileSync(`${copy}-wal`, flipped)
      const store = await sqliteStore({ file: copy })
      const generation = await store.generation()
      const expected = byGeneration.get(generation) ?? none
      for (const [question, answer] of Object.entries(await allAnswers(store))) {
        if (!answer.startsWith('corrupt')) expect(answer, `${question}, bit ${bit} of the log`).toBe(expected[question])
      }
      reached.add(generation)
      await store.close()
    }
    expect(reached.size).toBeGreaterThan(3)
    await writer.close()
  })

  it.each([0, 1, 99])('of schema version %i is rebuilt and says why', async (version) => {
    const file = damaged((bytes) => bytes)
    const driver = openDriver(file)
    driver.exec(`PRAGMA user_version = ${version}`)
    driver.close()
    const store = await sqliteStore({ file })
    expect(store.rebuiltBecause).toContain(`schema version ${version}`)
    expect(await allAnswers(store)).toEqual(none)
    await store.close()
  })

  it('that is a folder is set aside, with what it holds', async () => {
    const file = join(folder, 'a folder', 'index.db')
    mkdirSync(file, { recursive: true })
    writeFileSync(join(file, 'precious.txt'), 'mine')
    const store = await sqliteStore({ file })
    expect(store.rebuiltBecause).toContain('not a regular file')
    expect(await store.counts()).toMatchObject({ notes: 0 })
    await store.close()
    expect(statSync(file).isFile()).toBe(true)
  })

  it('with a damaged or missing blob says so and answers everything else', async () => {
    const undamaged = { ...answers }
    for (const spoil of [flipFirstBit, (blob: string) => truncateSync(blob, 1), (blob: string) => rmSync(blob)]) {
      const file = damaged((bytes) => bytes)
      for (const name of readdirSync(`${file}-blobs`)) spoil(join(`${file}-blobs`, name))
      const store = await sqliteStore({ file })
      const found = await allAnswers(store)
      await store.close()
      for (const [question, answer] of Object.entries(found)) {
        if (question === 'blobs') expect(answer).toMatch(/^corrupt: .* is damaged$/)
        else expect(answer, question).toBe(undamaged[question])
      }
    }
  })

  it('can be cleared and filled again', async () => {
    const file = damaged((bytes) => bytes.fill(0xa5, bytes.length - 8192 * 6))
    const store = await sqliteStore({ file })
    await store.clear()
    expect(await allAnswers(store)).toEqual(none)
    await fillStore(store)
    expect(await allAnswers(store)).toEqual(answers)
    await store.close()
  })

  let copies = 0

  function damaged(change: (bytes: Buffer) => Buffer): string {
    const file = join(folder, `damaged-${copies++ % 4}.db`)
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
    writeFileSync(file, change(Buffer.from(whole)))
    rmSync(`${file}-blobs`, { recursive: true, force: true })
    cpSync(`${original}-blobs`, `${file}-blobs`, { recursive: true })
    return file
  }

  /** 1 when the damage was noticed. */
  async function neverWrong(file: string, what: string): Promise<number> {
    const store = await sqliteStore({ file })
    const expected = store.rebuiltBecause === undefined ? answers : none
    const found = await allAnswers(store)
    let noticed = store.rebuiltBecause === undefined ? 0 : 1
    for (const [question, answer] of Object.entries(found)) {
      if (answer.startsWith('corrupt')) noticed = 1
      else expect(answer === expected[question], `${question}, ${what}`).toBe(true)
    }
    await store.close()
    return noticed
  }
})

async function fill(file: string): Promise<void> {
  const store = await sqliteStore({ file })
  await fillStore(store)
  await store.close()
  truncateSync(file, statSync(file).size)
}

/** In several commits, with replaced and removed notes, so that free and old pages are there to be mistaken for rows. */
async function fillStore(store: IndexStore, afterCommit = async () => {}): Promise<void> {
  const bytes = Uint8Array.from({ length: 9000 }, (_, at) => (at * 7) & 255)
  const put = upTo(noteCount).map((at) => note(at + 1, at, 'first'))
  let generation = await store.generation()
  const commit = async (batch: object) => {
    generation = (await store.commit({ expect: generation, ...batch })) ?? Number.NaN
    await afterCommit()
  }
  await commit({ put: put.slice(0, 15), blobs: { put: [{ name: 'text-1', kind: 'text', bytes }] } })
  await commit({ put: put.slice(15), meta: { state: '{"next":31}' } })
  const stamp = { id: 0, size: 1, mtimeMs: 2.5, ctimeMs: 3, hash: '' }
  await commit({ files: [{ ...stamp, path: 'picture.png', state: 'name' }] })
  await commit({ put: upTo(9).map((at) => note(noteCount + 1 + at, at, 'second')), remove: [pathOf(20), pathOf(21)] })
  const stamps = (await store.files())
    .filter(({ id }) => id > 12)
    .map((file) => ({ ...file, mtimeMs: file.mtimeMs + 1 }))
  await commit({ files: stamps })
  const retarget = (await store.unresolved()).map(({ source, raw, line }) => ({ source, raw, line, target: pathOf(3) }))
  await commit({ retarget: retarget.slice(1) })
  const blobs = { put: [{ name: 'vectors-1', kind: 'vectors', bytes: bytes.subarray(500) }], remove: ['text-1'] }
  await commit({ blobs, meta: { state: '{"next":40}' } })
}

function note(id: number, at: number, version: string) {
  const path = pathOf(at)
  const links = [link(path, pathOf((at * 3) % noteCount), 2), link(path, pathOf((at * at) % noteCount), 3)]
  if (at % 5 === 0) links.push(link(path, null, 9))
  const about = { title: `${version} ${at}`, tags: [`T${at % 3}/x`], properties: { status: at % 2 ? 'done' : 'open' } }
  const made = rows(id, path, about, links)
  for (const chunk of made.chunks) chunk.content = `${version} ${chunk.content} `.repeat(12)
  return made
}

async function allAnswers(store: IndexStore): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, ask] of Object.entries(questions)) {
    try {
      found[name] = JSON.stringify(await ask(store))
    } catch (error) {
      if (!(error instanceof IndexCorrupt)) throw error
      found[name] = `corrupt: ${error.message}`
    }
  }
  return found
}

function flipFirstBit(file: string): void {
  const bytes = readFileSync(file)
  bytes[0] ^= 1
  writeFileSync(file, bytes)
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
