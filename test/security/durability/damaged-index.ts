import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { noteLinks } from '../../../src/core/index/index.js'
import { notePath } from '../../../src/core/vault/index.js'
import type { FolderNotebook } from '../../../src/hosts/node/open-notebook.js'
import { openFolderNotebook } from '../../../src/hosts/node/open-notebook.js'
import { openDriver } from '../../../src/hosts/node/sqlite.js'
import { withCpuTime } from '../../runner/cpu-time.js'
import { seedOf } from '../../runner/seed.js'
import { encode, fastScratchFolder, isFull, patience, randomFrom } from '../floor.js'
import { placeOf } from '../place-of.js'
import type { Check } from '../security-case.js'

const truncations = 220
const flips = 1000
const pageSize = 8192

const texts: Record<string, string> = {
  'Home.md':
    '---\naliases: [start]\ntags: [hub]\n---\n# Home\n\nGo to [[Garden/Beans]] or [soup](Kitchen/Soup.md). [[Missing]]\n',
  'Garden/Beans.md': '# Beans\n\nBeans climb poles and fix nitrogen. #garden\n\n## Sowing\n\nSow in May. ![[Home]]\n',
  'Garden/Compost.md': 'Compost feeds the [[Beans]]. #garden/soil\n',
  'Kitchen/Soup.md': '---\ncourse: starter\n---\nSoup with beans and basil, see [[start]].\n',
  'Orphan.md': 'Nobody comes here. Ünïcode, 中文笔记.\n',
}

/** Every kind of answer, without what tells when the index was made. */
async function answersOf(notebook: FolderNotebook): Promise<unknown> {
  const queries = ['beans', 'nitrogen poles', 'soup basil', '中文', 'start', 'nothing like this']
  const { notes, chunks, links, unresolved } = await notebook.status()
  const linked = await Promise.all(Object.keys(texts).map((path) => noteLinks(notebook.index, notePath(path))))
  const hits = []
  for (const query of queries) hits.push((await notebook.index.search({ query })).hits)
  const tagged = (await notebook.index.search({ query: 'beans', tags: ['garden'] })).hits
  const move = await notebook.index.planMove('Garden/Beans.md', 'Runner Beans.md')
  const { impact } = move
  const found = await Promise.all(Object.keys(texts).map(async (path) => (await notebook.index.find(path)).path))
  const rest = [
    await notebook.index.unresolved(),
    await notebook.index.orphans(),
    (await notebook.index.find('Soup')).path,
    found,
  ]
  return { counts: { notes, chunks, links, unresolved }, linked, hits, tagged, impact, rest }
}

export function damagedIndexChecks(): Check[] {
  return [
    {
      name: `cut off at ${truncations} offsets, every page border among them: answers as from a fresh index`,
      timeoutMs: 300_000,
      run: () =>
        onIndex(async ({ damaged, index }) => {
          const size = index.length
          const offsets = new Set([0, 1, 15, 16, 99, 100, 101, 511, 512, size - 1])
          for (let border = 0; border < size; border += pageSize) offsets.add(border).add(border + 1)
          const random = randomFrom(seedOf())
          while (offsets.size < truncations) offsets.add(random(size))
          for (const offset of offsets) {
            await damaged(`cut at ${offset}`, (file) => truncateSync(file, offset))
          }
        }),
    },
    {
      name: `${flips} times one random bit flipped: answers as from a fresh index`,
      timeoutMs: 600_000,
      run: () =>
        onIndex(async ({ damaged, index }) => {
          const seed = seedOf()
          const random = randomFrom(seed)
          let rebuilt = 0
          for (let count = 0; count < flips; count++) {
            const [at, bit] = [random(index.length), random(8)]
            const flip = (file: string) => writeAt(file, at, Uint8Array.of(index[at] ^ (1 << bit)))
            if (await damaged(`seed ${seed}: bit ${bit} of byte ${at}`, flip)) rebuilt++
          }
          expect(rebuilt).toBeGreaterThan(0)
          process.stdout.write(
            `D07: seed ${seed}, ${flips} flipped bits, index of ${index.length} bytes, rebuilt ${rebuilt} times\n`,
          )
        }),
    },
    {
      name: 'the write-ahead log deleted, cut off, flipped, or put beside another database: answers as from a fresh index',
      timeoutMs: 300_000,
      run: () =>
        onIndex(async ({ damaged, index, log, earlier }) => {
          expect(log.length).toBeGreaterThan(0)
          const random = randomFrom(seedOf())
          const withLog = (change: (bytes: Buffer) => Buffer) => (file: string) => {
            writeFileSync(file, earlier)
            writeFileSync(`${file}-wal`, change(Buffer.from(log)))
          }
          await damaged('log deleted', (file) => writeFileSync(file, earlier))
          await damaged(
            'log whole',
            withLog((bytes) => bytes),
          )
          await damaged(
            'log emptied',
            withLog(() => Buffer.alloc(0)),
          )
          await damaged('log beside another database', (file) => {
            writeFileSync(file, index)
            writeFileSync(`${file}-wal`, log)
          })
          await damaged('log is a folder', (file) => mkdirSync(`${file}-wal`))
          for (let count = 0; count < 40; count++) {
            const at = random(log.length)
            await damaged(
              `log cut at ${at}`,
              withLog((bytes) => bytes.subarray(0, at)),
            )
            await damaged(
              `log flipped at ${at}`,
              withLog((bytes) => flipped(bytes, at, random(8))),
            )
          }
        }),
    },
    {
      name: 'a directory, a link, an empty file, other bytes or another database in its place: built anew',
      run: () =>
        onIndex(async ({ damaged }) => {
          const inPlace: Record<string, (file: string) => void> = {
            directory: (file) => {
              rmSync(file)
              mkdirSync(file)
              writeFileSync(join(file, 'theirs.txt'), 'kept')
            },
            'empty file': (file) => truncateSync(file, 0),
            'missing file': (file) => rmSync(file),
            'other bytes': (file) => writeFileSync(file, 'x'.repeat(100_000)),
            'another database': (file) => {
              rmSync(file)
              changedBySql(file, 'CREATE TABLE meta (key, value); INSERT INTO meta VALUES (1, 2)')
            },
          }
          for (const [name, damage] of Object.entries(inPlace)) {
            expect(await damaged(name, damage), name).toBe(true)
          }
        }),
    },
    {
      name: 'an older and a newer schema version, and an older and a newer version of the engine: built anew',
      run: () =>
        onIndex(async ({ damaged }) => {
          const changes = {
            'older schema': 'PRAGMA user_version = 0',
            'newer schema': 'PRAGMA user_version = 999999',
            'a table less': 'DROP TABLE link_rows',
            'a row from elsewhere': `UPDATE documents SET row = replace(row, 'Home', 'Hone')`,
            'a link led elsewhere': `UPDATE link_rows SET row = replace(row, 'Beans', 'Beams')`,
            'a link less': 'DELETE FROM link_rows WHERE id = (SELECT min(id) FROM link_rows)',
            'a row less': 'DELETE FROM chunks WHERE id = (SELECT min(id) FROM chunks)',
            'a state of another engine': `UPDATE meta SET value = replace(value, '"version":"', '"version":"0')`,
          }
          for (const [name, sql] of Object.entries(changes)) {
            expect(await damaged(name, (file) => changedBySql(file, sql)), name).toBe(true)
          }
        }),
    },
    {
      name: `a damaged index of ${isFull ? 10_000 : 2000} notes is made again in 10 s of processor time times ${patience}`,
      timeoutMs: 300_000,
      run: async () => {
        const base = fastScratchFolder()
        try {
          const vault = join(base, 'vault')
          mkdirSync(vault)
          for (let at = 0; at < (isFull ? 10_000 : 2000); at++) {
            writeFileSync(join(vault, `n${at}.md`), `# Note ${at}\n\nSee [[n${at + 1}]]. Words of note${at}.\n`)
          }
          const place = placeOf(vault, join(base, 'home'))
          const first = await openFolderNotebook(place)
          await first.update({ vectors: false })
          const { indexFile } = await first.status()
          await first.close()
          truncateSync(indexFile, 50_000)
          const { answer, ms } = await withCpuTime(async () => {
            const notebook = await openFolderNotebook(place)
            await notebook.update({ vectors: false })
            return { notebook, ...(await notebook.index.search({ query: 'note1234' })) }
          })
          await answer.notebook.close()
          expect(answer.hits.map(({ path }) => path)).toEqual(['n1234.md'])
          expect(ms).toBeLessThan(10_000 * patience)
        } finally {
          rmSync(base, { recursive: true, force: true })
        }
      },
    },
  ]
}

interface Damaged {
  index: Buffer
  /** The database before its log was written into it, and that log. */
  earlier: Buffer
  log: Buffer
  /**
   * Puts a whole index in place, damages it, opens it as the next process would and asks everything, twice: at once
   * and after an update. Answers whether it was built anew.
   */
  damaged(name: string, damage: (file: string) => void): Promise<boolean>
}

async function onIndex(use: (on: Damaged) => Promise<void>): Promise<void> {
  const base = fastScratchFolder()
  try {
    const vault = join(base, 'vault')
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(join(vault, path, '..'), { recursive: true })
      writeFileSync(join(vault, path), encode(text))
    }
    const place = placeOf(vault, join(base, 'home'))
    const first = await openFolderNotebook(place)
    await first.update()
    // A later change is what stands in the log.
    writeFileSync(join(vault, 'Later.md'), encode('added later, see [[Later]]'))
    await first.update()
    const { indexFile } = await first.status()
    const right = await answersOf(first)
    const [earlier, log] = [indexFile, `${indexFile}-wal`].map((file) =>
      existsSync(file) ? readFileSync(file) : Buffer.alloc(0),
    )
    await first.close()
    const index = readFileSync(indexFile)
    const blobs = join(base, 'blobs')
    cpSync(`${indexFile}-blobs`, blobs, { recursive: true })

    async function damaged(name: string, damage: (file: string) => void): Promise<boolean> {
      for (const item of readdirSync(join(indexFile, '..'))) {
        rmSync(join(indexFile, '..', item), { recursive: true, force: true })
      }
      writeFileSync(indexFile, index)
      cpSync(blobs, `${indexFile}-blobs`, { recursive: true })
      damage(indexFile)
      const notebook = await openFolderNotebook(place)
      try {
        const freshness = await notebook.freshness()
        // A discarded index is not reported as fresh; one that is reported as fresh must be right.
        if (freshness === 'fresh') expect(await answersOf(notebook), name).toEqual(right)
        await notebook.update()
        expect(await answersOf(notebook), name).toEqual(right)
        expect(await notebook.freshness(), name).toBe('fresh')
        return freshness !== 'fresh' || (await notebook.status()).rebuiltBecause !== undefined
      } finally {
        await notebook.close()
      }
    }
    await use({ index, earlier, log, damaged })
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function writeAt(file: string, at: number, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, at)
  closeSync(descriptor)
}

function flipped(bytes: Buffer, at: number, bit: number): Buffer {
  bytes[at] ^= 1 << bit
  return bytes
}

function changedBySql(file: string, sql: string): void {
  const driver = openDriver(file)
  for (const statement of sql.split('; ')) driver.exec(statement)
  driver.close()
}
