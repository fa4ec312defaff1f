import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memoryStore, openVaultIndex, runStage, type SearchAnswer } from '../../src/core/index/index.js'
import { memoryVault } from '../../src/core/vault/index.js'
import { madeUpNotes } from '../samples/made-up-notes.js'
import { pluginBrowser } from './plugin-browser.js'
import { openPlugin } from './plugin-page.js'

const browser = pluginBrowser()

const root = join(import.meta.dirname, '../..')
const data = resolve(root, process.env.NOTEWRIGHT_DATA ?? '../shared/data')
const packed = join(data, 'vaults', 'tasks-docs.tar.gz')

describe('a search in the plugin', () => {
  it('returns the same hits and scores as Node for 200 questions on the sample vault', async () => {
    await expectSameAnswers(await notesIn(join(root, 'examples/vault')))
  })

  it('returns the same on a vault of generated words in three scripts', async () => {
    const { notes, queries } = madeUpNotes(300)
    await expectSameAnswers(notes, queries)
  })

  it.runIf(existsSync(packed))(`and on a real vault, ${packed}, where it is there`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'notewright-vault-'))
    try {
      execFileSync('tar', ['-xzf', packed, '-C', folder])
      await expectSameAnswers(await notesIn(folder))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

async function expectSameAnswers(notes: Record<string, string>, queries = questionsAbout(notes)): Promise<void> {
  const here = await answersHere({ '.obsidian/app.json': '{"trashOption":"local"}', ...notes }, queries)
  const plugin = await openPlugin(browser, { files: notes })
  const there = await plugin.page.evaluate(async (asked) => {
    type Opened = {
      ready: Promise<void>
      vault: { notebook: { status(): Promise<{ hasAllVectors: boolean }>; index: Index } }
    }
    type Index = { search(request: object): Promise<SearchAnswer> }
    const { host } = globalThis as unknown as { host: { plugin: { opened(): Promise<Opened> } } }
    const { ready, vault } = await host.plugin.opened()
    const { notebook } = vault
    await ready
    // Vectors come last.
    while (!(await notebook.status()).hasAllVectors) await new Promise((resume) => setTimeout(resume, 100))
    const answers: SearchAnswer[] = []
    for (const query of asked) answers.push(await notebook.index.search({ query, explain: true }))
    return answers
  }, queries)
  await plugin.close()
  expect(queries).toHaveLength(200)
  expect(here.filter(({ hits }) => hits.length > 0).length).toBeGreaterThan(150)
  expect(rounded(there)).toEqual(rounded(here))
}

async function answersHere(files: Record<string, string>, queries: readonly string[]): Promise<SearchAnswer[]> {
  const setup = { vault: memoryVault({ files }), store: memoryStore() }
  await runStage('both', setup, { vectors: true })
  const index = await openVaultIndex(setup)
  const answers: SearchAnswer[] = []
  for (const query of queries) answers.push(await index.search({ query, explain: true }))
  return answers
}

/** Names of notes and stretches of their words, always the same ones. */
function questionsAbout(notes: Record<string, string>): string[] {
  const all = Object.entries(notes)
  return Array.from({ length: 200 }, (_, number) => {
    const [path, text] = all[(number * 37) % all.length]
    if (number % 4 === 0) return path.slice(path.lastIndexOf('/') + 1, -'.md'.length)
    const words = text.match(/[\p{L}\p{N}]+/gu) ?? [path]
    const from = (number * 101) % Math.max(1, words.length - 8)
    return words.slice(from, from + [0, 2, 4, 8][number % 4]).join(' ')
  })
}

/** Engines of different ages differ in the last digit of a logarithm, however small it is. When a file was written is no matter of search. */
function rounded(answers: readonly SearchAnswer[]): unknown {
  const round = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(10)) : value)
  return JSON.parse(
    JSON.stringify(
      answers.map(({ hits }) => hits.map(withoutTimes)),
      round,
    ),
  )
}

function withoutTimes(hit: SearchAnswer['hits'][number]): unknown {
  return Object.fromEntries(Object.entries(hit).filter(([name]) => !/Ms$|^(modified|created)$/.test(name)))
}

async function notesIn(folder: string): Promise<Record<string, string>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found
    .filter((one) => one.isFile() && one.name.endsWith('.md'))
    .map((one) => join(one.parentPath, one.name))
  const pathOf = (file: string) => relative(folder, file).split(sep).join('/')
  const shown = files.filter(
    (file) =>
      !pathOf(file)
        .split('/')
        .some((part) => part.startsWith('.')),
  )
  return Object.fromEntries(await Promise.all(shown.map(async (file) => [pathOf(file), await readFile(file, 'utf8')])))
}
