import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'
import { parseNote, scanNote } from '../../src/core/markdown/index.js'

import { withCpuTime } from '../runner/cpu-time.js'
import type { IndexAllAnswer, TakeInAnswer } from './child.js'
import {
  expectFailure,
  type Floor,
  isFull,
  onFloor,
  patience,
  scratchFolder,
  sha256,
  type Tools,
  treeHash,
} from './floor.js'
import { type CaseChecks, type Check, quoted } from './security-case.js'
import { askChild } from './start-child.js'

export const parseCases: CaseChecks = {
  F01: ({ setup }) => {
    const languages = [...setup.matchAll(/---([a-z]+)/g)].map(([, language]) => language)
    const body = quoted(setup)[0].slice('---js'.length)
    const scripts = languages.map((language): Check => {
      return {
        name: `---${language}: nothing runs; it is no frontmatter, and its bytes stay`,
        run: () =>
          onFloor({ 'Plain.md': '#tag plain' }, async ({ tools, notebook, outside, put, bytes }) => {
            const pwned = join(outside, 'PWNED')
            const text = `---${language}${body.replace('$O/PWNED', pwned)}`
            put('js.md', text)
            await notebook.update()
            expect((await tools.read_note('js.md')).text).toBe(text)
            expect((await tools.get_note_metadata('js.md')).properties).toBeNull()
            expect(scanNote(text).frontmatter).toBeUndefined()
            expect(await tools.search_by_tag('tag')).toEqual(['Plain.md'])
            await tools.update_frontmatter('js.md', { a: 1 })
            expect(bytes('js.md').toString()).toBe(`---\na: 1\n---\n${text}`)
            expect(existsSync(pwned)).toBe(false)
          }),
      }
    })
    const shipped: Check = {
      name: 'nothing in the shipped bundle evaluates frontmatter',
      run: async () => {
        let inputs: string[] = []
        await bundle({
          // `main.ts` only loads this, and that is all that anything is compiled for.
          input: resolve('src/apps/cli/run-command-line.ts'),
          platform: 'node',
          plugins: [
            {
              name: 'see-inputs',
              buildEnd() {
                inputs = [...this.getModuleIds()]
              },
            },
          ],
          output: { format: 'esm' },
        })
        expect(inputs.length).toBeGreaterThan(100)
        const packages = inputs.filter((file) => /gray-matter|js-yaml|front-matter/.test(file))
        expect(packages).toEqual([])
        const files = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((file) => /\.m?js$/.test(file))
        expect(files).toContain('notewright.js')
        const code = files.map((file) => readFileSync(join('dist', file), 'utf8')).join('\n')
        expect(code).not.toMatch(/engines\.javascript|[^.\w]eval\(|new Function\(|vm\.run|node:vm/)
      },
    }
    return [...scripts, shipped]
  },

  F02: () => {
    const letters = 'abcdefghi'
    const level = (at: number) => {
      const item = at === 0 ? 'x' : `*${letters[at - 1]}`
      return `${letters[at]}: &${letters[at]} [${Array(9).fill(item).join(', ')}]`
    }
    const bomb = `---\n${[...letters].map((_, at) => level(at)).join('\n')}\n---\nThe fuse burns underneath.\n`
    const takeIn = once(() => takenIn(bomb, { updates: '{"added":1}', query: 'fuse underneath' }))
    return [
      {
        name: `the alias bomb is taken in, read, serialised and edited, each in 200 ms of processor time times ${patience}`,
        run: async () => {
          const { ms } = await takeIn()
          for (const [what, taken] of Object.entries(ms)) expect(taken, what).toBeLessThan(200 * patience)
        },
      },
      {
        name: 'the process grows by less than 64 MiB',
        run: async () => expect((await takeIn()).growth).toBeLessThan(64 << 20),
      },
      {
        name: 'its properties are marked unread, its body is found, and an edit of it is refused',
        run: async () => {
          const { properties, errors, found, edited } = await takeIn()
          expect(properties).toBeNull()
          expect(errors).not.toEqual([])
          expect(found[0]).toBe('Hostile.md')
          expect(edited).toMatchObject({ code: 'invalid-input' })
        },
      },
      {
        name: 'the notes around it are indexed as ever',
        run: () =>
          onFloor({ 'Bomb.md': bomb, 'A.md': 'alpha [[B]]', 'B.md': 'beta' }, async ({ tools, notebook }) => {
            expect(await notebook.update()).toMatchObject({ notes: 3, links: 1, skipped: [] })
            expect(await tools.search_notes('alpha')).toEqual(['A.md'])
            expect(await tools.search_notes('fuse')).toEqual(['Bomb.md'])
            expect(await tools.list_backlinks('B.md')).toEqual(['A.md'])
          }),
      },
    ]
  },

  F03: ({ setup, action }) => {
    const yaml = quoted(setup)[0]
    const text = `---\n${yaml}\n---\nBody stays.\n`
    const updates = /JSON\.parse\('(.*?)'\)/.exec(action)![1]
    const edited = `---\n${yaml.replace('{polluted: yes}', '\n  polluted: 1')}\n---\nBody stays.\n`
    return [
      {
        name: 'index and update_frontmatter in this process: no prototype changes, only the edited key does',
        run: () =>
          onFloor({ 'p.md': text }, async ({ tools, notebook, bytes }) => {
            await notebook.update()
            expect(Object.keys((await tools.get_note_metadata('p.md')).properties ?? {})).toContain('__proto__')
            await tools.update_frontmatter('p.md', JSON.parse(updates) as Record<string, unknown>)
            const lines = (all: string) => all.split('\n').filter((line) => !/__proto__|^ +polluted/.test(line))
            const now = bytes('p.md').toString()
            expect(lines(now)).toEqual(lines(text))
            expect(now.replace(/: *\n +polluted: 1|: \{ ?polluted: 1 ?\}/, '')).not.toBe(now)
            expect('polluted' in {}).toBe(false)
            expect((Object.prototype as Record<string, unknown>).polluted).toBeUndefined()
          }),
      },
      {
        name: 'the same in another process (MCP is for a later floor)',
        run: async () => {
          const answer = await takenIn(text, { updates, query: 'stays' })
          expect(answer.polluted).toBe(false)
          expect(answer.errors).toEqual([])
          expect(typeof answer.edited).toBe('string')
          expect((answer.edited as string).replace(/\s+/g, '')).toBe(edited.replace(/\s+/g, ''))
        },
      },
      {
        name: 'a new __proto__ property is written like any other',
        run: () =>
          onFloor({ 'n.md': 'No frontmatter.\n' }, async ({ tools, bytes }) => {
            await tools.update_frontmatter('n.md', JSON.parse(updates) as Record<string, unknown>)
            expect(bytes('n.md').toString()).toMatch(/^---\n__proto__:\s*\{?\s*polluted: 1\s*---\nNo frontmatter\.\n$/)
            expect('polluted' in {}).toBe(false)
          }),
      },
    ]
  },

  F04: () => {
    const deep = 20_000
    const hostile: Record<string, string> = {
      'brackets then one closing': `${'['.repeat(deep)}]`,
      'brackets all closed': '['.repeat(deep) + ']'.repeat(deep),
      'wikilink brackets': '[['.repeat(deep),
      'nested quotes': `${'>'.repeat(deep)} deep`,
      'nested quotes with blanks': `${'> '.repeat(deep)}deep`,
      'nested lists': `${'- '.repeat(deep)}deep`,
      'lists indented one after the other': Array.from({ length: 1000 }, (_, at) => `${' '.repeat(at * 2)}- x`).join(
        '\n',
      ),
      'brackets in frontmatter': `---\na: ${'['.repeat(deep)}\n---\nbody`,
      'block lists in frontmatter': `---\na:\n  ${'- '.repeat(deep)}x\n---\nbody`,
    }
    const each = Object.entries(hostile).map(
      ([name, text]): Check => ({
        name: `${name}: read and parsed in 1 s of processor time times ${patience}; rendering is for a later floor`,
        run: () =>
          onFloor({ 'Deep.md': text, 'Note.md': 'findable words' }, async ({ tools, notebook }) => {
            const { answer, ms } = await withCpuTime(async () => {
              await notebook.update()
              parseNote('Deep.md', text)
              return tools.read_note('Deep.md')
            })
            expect(answer.text).toBe(text)
            expect(ms).toBeLessThan(1000 * patience)
            expect(await tools.search_notes('findable')).toEqual(['Note.md'])
          }),
      }),
    )
    return [
      ...each,
      {
        name: 'other reads are answered while all of them are indexed',
        run: () =>
          onFloor({ 'Note.md': 'findable words' }, async ({ notebook, tools, put }) => {
            for (const [at, text] of Object.values(hostile).entries()) put(`deep ${at}.md`, text)
            let isDone = false
            const indexing = notebook.update().then(() => {
              isDone = true
            })
            let answered = 0
            while (!isDone) {
              expect((await tools.read_note('Note.md')).text).toBe('findable words')
              answered++
              await new Promise((resume) => setTimeout(resume, 1))
            }
            await indexing
            expect(answered).toBeGreaterThan(0)
            expect(await tools.search_notes('findable')).toContain('Note.md')
          }),
      },
    ]
  },

  F05: ({ setup }) => {
    const written = `\ufeff${quoted(setup)[0]}`
    const withNote = (use: (floor: Floor) => Promise<void>) => onFloor({ 'n.md': written }, use)
    return [
      {
        name: 'update_frontmatter inserts exactly one line (approved: this floor has no prompt)',
        run: () =>
          withNote(async ({ tools, bytes }) => {
            expect([...bytes('n.md').subarray(0, 6)]).toEqual([0xef, 0xbb, 0xbf, 0x2d, 0x2d, 0x2d])
            await tools.update_frontmatter('n.md', { added: 1 })
            const closing = written.lastIndexOf('---\r\n')
            expect(bytes('n.md').toString()).toBe(`${written.slice(0, closing)}added: 1\r\n${written.slice(closing)}`)
          }),
      },
      {
        name: 'BOM, CRLF, comment, 0o17, 1.0, the date and the order of keys stay byte for byte',
        run: () =>
          withNote(async ({ tools, bytes }) => {
            await tools.update_frontmatter('n.md', { added: 1 })
            expect(bytes('n.md').toString('latin1').replace('added: 1\r\n', '')).toBe(
              Buffer.from(written).toString('latin1'),
            )
          }),
      },
      {
        name: 'undo restores the exact sha256',
        run: () =>
          withNote(async ({ tools, notebook, bytes }) => {
            const { id } = await tools.update_frontmatter('n.md', { added: 1 })
            expect(sha256(bytes('n.md'))).not.toBe(sha256(written))
            await notebook.apply(await notebook.planUndo({ id }))
            expect(sha256(bytes('n.md'))).toBe(sha256(written))
          }),
      },
    ]
  },

  F07: ({ setup }) => {
    const bad = Uint8Array.from(/bytes ([0-9A-F ]+)/.exec(setup)![1].trim().split(' '), (pair) =>
      Number.parseInt(pair, 16),
    )
    const badLinks = Buffer.concat([bad, Buffer.from('[[Target]]\n')])
    const start = { 'bad.md': bad, 'bad links.md': badLinks, 'Target.md': 'target', 'good.md': 'See [[Target]].' }
    const withBad = (use: (floor: Floor) => Promise<void>) =>
      onFloor(start, async (floor) => {
        await floor.notebook.update()
        await use(floor)
      })
    const rewrites: Record<string, (tools: Tools) => Promise<unknown>> = {
      'write_note over it': (tools) => tools.write_note('bad.md', 'fresh', { overwrite: true }),
      append: (tools) => tools.append('bad.md', 'more'),
      update_frontmatter: (tools) => tools.update_frontmatter('bad.md', { a: 1 }),
    }
    return [
      {
        name: 'read_note says that it is not UTF-8, and hands out the bytes as they are',
        run: () =>
          withBad(async ({ tools }) => {
            const note = await tools.read_note('bad.md')
            expect(note.encoding).toBe('invalid')
            expect([...note.bytes]).toEqual([...bad])
          }),
      },
      ...Object.entries(rewrites).map(([name, call]) => ({
        name: `${name}: refused, every byte kept`,
        run: () =>
          withBad(async ({ tools, bytes }) => {
            await expectFailure('not-utf8', () => call(tools))
            expect([...bytes('bad.md')]).toEqual([...bad])
          }),
      })),
      {
        name: 'rename_note and delete_note of it keep its bytes',
        run: () =>
          withBad(async ({ tools, bytes }) => {
            await tools.rename_note('bad.md', 'worse.md')
            expect([...bytes('worse.md')]).toEqual([...bad])
            await tools.delete_note('worse.md')
            expect([...bytes('.trash/worse.md')]).toEqual([...bad])
          }),
      },
      {
        name: 'renaming a note that it links to updates the others and names the one left alone',
        run: () =>
          withBad(async ({ notebook, bytes }) => {
            const { changeSet, impact } = await notebook.index.planMove('Target.md', 'Aim.md')
            expect(impact).toMatchObject({ links: 1, notUtf8: ['bad links.md'] })
            await notebook.apply(changeSet)
            expect(bytes('good.md').toString()).toBe('See [[Aim]].')
            expect(bytes('bad links.md').equals(badLinks)).toBe(true)
          }),
      },
      {
        name: 'search, links and changes of other notes go on',
        run: () =>
          withBad(async ({ tools }) => {
            expect(await tools.list_backlinks('Target.md')).toEqual(['bad links.md', 'good.md'])
            await tools.write_note('good.md', 'changed anyway', { overwrite: true })
            expect(await tools.search_notes('anyway')).toEqual(['good.md'])
          }),
      },
    ]
  },

  F08: () => {
    const small = isFull ? 50_000 : 2000
    const readLimit = 32 << 20
    const sizes = { 'big.md': 200 << 20, 'line.md': 50 << 20 }
    const indexAll = once(async () => {
      const base = scratchFolder()
      const vault = join(base, 'vault')
      mkdirSync(join(vault, 'many notes'), { recursive: true })
      writeFileSync(join(vault, 'big.md'), Buffer.alloc(sizes['big.md'], 'a line of ordinary words in a big note\n'))
      writeFileSync(join(vault, 'line.md'), Buffer.alloc(sizes['line.md'], 'words in one line '))
      const lines = Array.from({ length: 1_000_000 }, (_, at) => `line ${at}`)
      writeFileSync(join(vault, 'many.md'), `${lines.join('\n')}\nzanzibar at the end`)
      for (let at = 0; at < small; at++) writeFileSync(join(vault, 'many notes', `${at}.md`), `Note number ${at}.\n`)
      const before = treeHash(vault)
      const answer = await askChild<IndexAllAnswer>({
        do: 'index-all',
        vault,
        home: join(base, 'home'),
        read: ['big.md', 'line.md', 'many.md'],
        query: 'zanzibar',
      })
      return { answer, base, isUntouched: treeHash(vault) === before }
    })
    const minutes = isFull ? 30 : 3
    const check = (name: string, run: (answer: IndexAllAnswer) => void): Check => ({
      name,
      run: async () => run((await indexAll()).answer),
      timeoutMs: minutes * 60_000,
    })
    return [
      check(
        `indexes ${small} notes beside them, all told; the two giants are skipped with their size and the limit`,
        (all) => {
          expect(all.notes).toBe(small + 1)
          expect(all.skipped.map(({ path }) => path).sort()).toEqual(Object.keys(sizes))
          for (const [path, size] of Object.entries(sizes)) {
            const { reason } = all.skipped.find((file) => file.path === path)!
            expect(reason).toContain(String(size))
            expect(reason).toContain(String(readLimit))
          }
        },
      ),
      check('read_note of a giant is refused with the limit, and says how to go on', (all) => {
        for (const path of Object.keys(sizes)) {
          expect(all.whole[path]).toMatchObject({ code: 'too-large', hint: expect.stringContaining('parts') })
        }
        expect(all.whole['many.md']).toHaveProperty('size')
      }),
      check(
        `reading a part of it is bounded, tells the whole size, and takes less than 1 s of processor time times ${patience}`,
        (all) => {
          for (const [path, size] of Object.entries(sizes)) {
            expect(all.parts[path]).toMatchObject({ from: size - 5000, size, length: 2000 })
            expect(all.parts[path].ms).toBeLessThan(1000 * patience)
          }
        },
      ),
      check('the process stays below 1 GiB', (all) => expect(all.peak).toBeLessThan(1 << 30)),
      check('the listing has every file, and a word on the millionth line is found', (all) => {
        expect(all.listed).toBe(small + 3)
        expect(all.found).toEqual(['many.md'])
      }),
      {
        name: 'indexing has written nothing into the vault',
        run: async () => {
          const { isUntouched, base, answer } = await indexAll()
          expect(isUntouched).toBe(true)
          const mebibytes = (answer.peak / (1 << 20)).toFixed(0)
          process.stdout.write(
            `F08: ${small} notes and three giants, ${answer.indexMs.toFixed(0)} ms, ${mebibytes} MiB\n`,
          )
          rmSync(base, { recursive: true, force: true })
        },
        timeoutMs: minutes * 60_000,
      },
    ]
  },
}

/** A process of its own indexes a small vault, then takes the text in as a note and reads it in every way. */
async function takenIn(text: string, { updates, query }: { updates: string; query: string }): Promise<TakeInAnswer> {
  const base = scratchFolder()
  const vault = join(base, 'vault')
  mkdirSync(vault)
  for (let at = 0; at < 20; at++) writeFileSync(join(vault, `${at}.md`), `---\ntags: [a]\n---\nNote [[${at + 1}]].\n`)
  try {
    const task = { do: 'take-in', vault, home: join(base, 'home'), path: 'Hostile.md', updates, query } as const
    return await askChild<TakeInAnswer>(task, text)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => (answer ??= work())
}
