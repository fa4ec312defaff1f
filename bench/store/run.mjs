// Measures the SQLite store of the index: node bench/store/run.mjs [notes=10000]
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundled } from '../bundled.mjs'

const count = Number(process.argv[2] ?? 10_000)
const folder = mkdtempSync(join(tmpdir(), 'notewright-bench-store-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const { sqliteStore } = await bundled('src/hosts/node/sqlite-store/sqlite-store.ts')

const file = join(folder, 'index.db')
const random = mulberry(7)
const words = Array.from({ length: 5000 }, (_, at) => `word${((at * 7919) % 5000).toString(36)}`)
const pick = (list) => list[Math.floor(random() * list.length)]
const pad = (number) => `${Math.floor(number)}`.padStart(4, '0')
/** In order of path, as a listing is. */
const pathOf = (id) =>
  `area ${pad(id / 2500)}/topic ${pad(id / 100)}/${pad(id / 10)} about ${words[id % 5000]} ${id}.md`

const loading = performance.now()
let store = await sqliteStore({ file })
report('load SQLite and create the file', performance.now() - loading)

const rssBefore = process.memoryUsage.rss()
let writing = 0
let writingCpu = 0
let peak = rssBefore
let generation = await store.generation()
for (let from = 1; from <= count; from += 1000) {
  const put = []
  for (let id = from; id < from + 1000 && id <= count; id++) put.push(note(id))
  const began = performance.now()
  const cpu = cpuMs()
  generation = await store.commit({ expect: generation, put })
  writing += performance.now() - began
  writingCpu += cpuMs() - cpu
  peak = Math.max(peak, process.memoryUsage.rss())
}
report(`put ${count} notes in batches of 1000`, writing, writingCpu)
const counts = await store.counts()
console.log(
  `  ${counts.chunks} chunks, ${counts.links} links, RSS grew by ${mb(peak - rssBefore)} with the notes themselves`,
)

const large = new Uint8Array(100_000_000)
for (let at = 0; at < large.length; at += 7) large[at] = at
await time('put a blob of 100 MB', async () => {
  generation = await store.commit({
    expect: generation,
    blobs: { put: [{ name: 'text-1', kind: 'text', bytes: large }] },
  })
})
await time('read a blob of 100 MB', () => store.blob('text-1'))
await time('remove it', async () => {
  generation = await store.commit({ expect: generation, blobs: { remove: ['text-1'] } })
})
await time('close', () => store.close())
console.log(`  file ${mb(statSync(file).size)}`)

await time('open, generation, blobNames', async () => {
  store = await sqliteStore({ file })
  await store.generation()
  await store.blobNames()
})
await time('first notes(10) and chunks(10)', () => hits(1))
await time('files(), first', () => store.files())
await times('files()', 5, () => store.files())
await times('notes(10) and chunks(10)', 500, hits)
await times('linksTo', 1000, (at) => store.linksTo(pathOf(1 + ((at * 131) % count))))
await times('linksFrom', 1000, (at) => store.linksFrom(pathOf(1 + ((at * 131) % count))))
await times('note(path)', 1000, (at) => store.note(pathOf(1 + ((at * 131) % count))))
await times('note(path) that is not there', 1000, (at) => store.note(`none ${at}.md`))
await time('matching(tag), first', () => store.matching({ tags: ['project'] }))
await times('matching(tag)', 50, () => store.matching({ tags: ['Project/p3'] }))
await times('matching(folder, property, date)', 50, () =>
  store.matching({ folder: 'area 0003', properties: { status: 'done' }, afterMs: 1.6e12 }),
)
await time('tags()', () => store.tags())
await time('unresolved()', () => store.unresolved())
await time('orphans()', () => store.orphans())
generation = await store.generation()
await times('replace one note', 50, async (at) => {
  const rows = note(1 + at)
  rows.note.id = count + 1 + at
  generation = await store.commit({ expect: generation, put: [rows], meta: { state: `${at}` } })
})
await time('give 1000 notes a new stamp', async () => {
  const files = (await store.files()).filter(({ id }) => id > 0).slice(0, 1000)
  await store.commit({ expect: generation, files: files.map((known) => ({ ...known, mtimeMs: known.mtimeMs + 1 })) })
})
await store.close()

function hits(at) {
  const wanted = Array.from({ length: 10 }, (_, n) => ({ note: 1 + ((at * 37 + n * 977) % count), ordinal: 0 }))
  return Promise.all([store.notes(wanted.map((want) => want.note)), store.chunks(wanted)])
}

/** About 1.7 passages of 1,180 characters, 5.5 links and 4 headings a note. */
function note(id) {
  const path = pathOf(id)
  const links = Array.from({ length: 3 + (id % 6) }, (_, at) => {
    const target = at === 5 ? null : pathOf(1 + Math.floor(random() ** 3 * count))
    const written = target?.slice(target.lastIndexOf('/') + 1, -3) ?? `missing ${id % 97}`
    return {
      source: path,
      target,
      key: written,
      raw: `[[${written}]]`,
      text: written,
      kind: 'wikilink',
      line: at,
      written,
    }
  })
  const chunks = Array.from({ length: id % 10 < 7 ? 2 : 1 }, (_, ordinal) => ({
    ordinal,
    heading: 'A heading',
    lines: [ordinal * 20 + 1, ordinal * 20 + 19],
    start: ordinal * 1180,
    end: ordinal * 1180 + 1180,
    content: Array.from({ length: 150 }, () => pick(words)).join(' '),
  }))
  return {
    note: {
      id,
      path,
      title: `Note about ${words[id % 5000]}`,
      aliases: id % 5 === 0 ? [`alias ${id}`] : [],
      tags: [`project/p${id % 30}`, pick(words)],
      properties: { status: id % 3 ? 'open' : 'done', created: '2024-01-02', authors: ['Ada', 'Grace'] },
      headings: Array.from({ length: 4 }, (_, at) => ({ level: 2, text: `Heading ${at} of ${id}`, line: at * 9 + 1 })),
      blocks: [],
      size: 2000 + id,
      mtimeMs: 1.7e12 + id * 1000.123,
      ctimeMs: 1.7e12 + id * 1000.123,
      createdMs: 1.6e12 + id * 1e6,
      hash: id.toString(16).padStart(64, '0'),
    },
    chunks,
    links,
  }
}

async function time(name, work) {
  const began = performance.now()
  const cpu = cpuMs()
  await work()
  report(name, performance.now() - began, cpuMs() - cpu)
}

async function times(name, rounds, work) {
  const taken = []
  const cpu = cpuMs()
  for (let at = 0; at < rounds; at++) {
    const began = performance.now()
    await work(at)
    taken.push(performance.now() - began)
  }
  const mean = (cpuMs() - cpu) / rounds
  taken.sort((a, b) => a - b)
  const [p50, p95] = [taken[rounds >> 1], taken[Math.floor(rounds * 0.95)]]
  console.log(
    `${name.padEnd(42)} p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, ${mean.toFixed(2)} ms of processor`,
  )
}

function report(name, ms, cpu) {
  console.log(`${name.padEnd(42)} ${ms.toFixed(1)} ms${cpu === undefined ? '' : `, ${cpu.toFixed(1)} ms of processor`}`)
}

/** On a busy machine the steadier figure. */
function cpuMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function mb(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`
}

function mulberry(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}
