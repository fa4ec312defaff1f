import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ApprovalRequest } from '../../../src/core/approval/index.js'
import { withCpuTime } from '../../runner/cpu-time.js'
import type { CallToolsAnswer } from '../child.js'
import { isFull, patience, scratchFolder, sha256 } from '../floor.js'
import { type CaseChecks, type Check, quoted } from '../security-case.js'
import { askChild } from '../start-child.js'
import { type ToolFloor, withTools } from './tool-floor.js'

const freely = { level: 'auto' } as const

export const toolParseCases: CaseChecks = {
  F01: ({ setup }) => {
    const languages = [...setup.matchAll(/---([a-z]+)/g)].map(([, language]) => language)
    const body = quoted(setup)[0].slice('---js'.length)
    return languages.map((language) => ({
      name: `---${language}: read, described, tagged and given a property; nothing runs, its bytes stay`,
      run: () =>
        withTools({ 'Plain.md': '#tag plain' }, freely, async (floor) => {
          const pwned = join(floor.outside, 'PWNED')
          const text = `---${language}${body.replace('$O/PWNED', pwned)}`
          floor.put('js.md', text)
          await floor.done('index_vault', {})
          expect((await floor.done('read_note', { path: 'js.md' })).output.content).toBe(text)
          expect((await floor.done('get_note_metadata', { path: 'js.md' })).output.properties).toBeNull()
          const tagged = await floor.done('search_by_tag', { tags: ['tag'] })
          expect(tagged.output.notes.map(({ path }: { path: string }) => path)).toEqual(['Plain.md'])
          await floor.done('update_frontmatter', { path: 'js.md', updates: { a: 1 } })
          expect(floor.bytes('js.md').toString()).toBe(`---\na: 1\n---\n${text}`)
          expect(existsSync(pwned)).toBe(false)
        }),
    }))
  },

  F02: () => {
    const letters = 'abcdefghi'
    const level = (at: number) => {
      const item = at === 0 ? 'x' : `*${letters[at - 1]}`
      return `${letters[at]}: &${letters[at]} [${Array(9).fill(item).join(', ')}]`
    }
    const bomb = `---\n${[...letters].map((_, at) => level(at)).join('\n')}\n---\nThe fuse burns underneath.\n`
    const answers = once(() =>
      calledInChild({ 'Bomb.md': bomb, 'A.md': 'alpha [[B]]', 'B.md': 'beta' }, [
        { name: 'get_note_metadata', input: { path: 'Bomb.md' } },
        { name: 'update_frontmatter', input: { path: 'Bomb.md', updates: { added: 1 } } },
        { name: 'search_notes', input: { query: 'fuse underneath' } },
        { name: 'list_backlinks', input: { path: 'B.md' } },
        { name: 'read_note', input: { path: 'Bomb.md' } },
      ]),
    )
    return [
      {
        name: `each tool answers in 200 ms of processor time times ${patience}`,
        run: async () => {
          for (const { ms } of (await answers()).results) expect(ms).toBeLessThan(200 * patience)
        },
      },
      {
        name: 'the process grows by less than 64 MiB',
        run: async () => expect((await answers()).growth).toBeLessThan(64 << 20),
      },
      {
        name: 'the note says that its properties were not read, is not edited, and is found by its body',
        run: async () => {
          const [about, edited, found, links, read] = (await answers()).results
          expect(JSON.parse(about.text)).toMatchObject({ properties: null, frontmatter_error: expect.any(String) })
          expect(edited).toMatchObject({ ok: false, code: 'invalid-input' })
          expect(JSON.parse(found.text)[0].path).toBe('Bomb.md')
          expect(links.text).toMatch(/^A\.md$/m)
          expect(read.text).toContain('The fuse burns underneath.')
        },
      },
    ]
  },

  F03: ({ setup, action }) => {
    const yaml = quoted(setup)[0]
    const text = `---\n${yaml}\n---\nBody stays.\n`
    const updates = /JSON\.parse\('(.*?)'\)/.exec(action)![1]
    const call = `{"path":"p.md","updates":${updates}}`
    const inputs: Record<string, unknown> = { 'as JSON text': call, 'as data': JSON.parse(call) }
    return [
      ...Object.entries(inputs).map(([name, input]) => ({
        name: `update_frontmatter ${name}: no prototype changes, only the edited key does`,
        run: () =>
          withTools({ 'p.md': text }, freely, async (floor) => {
            expect((await floor.done('update_frontmatter', input)).changeSet).toBeDefined()
            const lines = (all: string) => all.split('\n').filter((line) => !/__proto__|^ +polluted/.test(line))
            const now = floor.bytes('p.md').toString()
            expect(lines(now)).toEqual(lines(text))
            expect(now).toMatch(/__proto__:\s*\{?\s*polluted: 1/)
            await floor.done('get_note_metadata', { path: 'p.md' })
            expect('polluted' in {}).toBe(false)
          }),
      })),
      {
        name: 'the same arguments in another process',
        run: async () => {
          const { results, polluted } = await calledInChild({ 'p.md': text }, [
            { name: 'update_frontmatter', input: call },
            { name: 'get_note_metadata', input: { path: 'p.md' } },
          ])
          expect(results.map(({ ok }) => ok)).toEqual([true, true])
          expect(polluted).toBe(false)
        },
      },
      ...['__proto__', 'constructor', 'prototype', 'toString'].map((name) => ({
        name: `an unknown argument called ${name} is refused like any other`,
        run: () =>
          withTools({ 'p.md': text }, freely, async (floor) => {
            await floor.refused('invalid-input', 'read_note', `{"path":"p.md","${name}":{"polluted":1}}`)
            await floor.refused('unknown-tool', name, {})
            expect('polluted' in {}).toBe(false)
          }),
      })),
    ]
  },

  F04: () => {
    const deep = 20_000
    const hostile: Record<string, string> = {
      'brackets then one closing': `${'['.repeat(deep)}]`,
      'nested quotes': `${'>'.repeat(deep)} deep`,
      'nested lists': `${'- '.repeat(deep)}deep`,
      'brackets in frontmatter': `---\na: ${'['.repeat(deep)}\n---\nbody`,
    }
    return Object.entries(hostile).map(([name, text]) => ({
      name: `${name}: every tool answers in 1 s of processor time times ${patience}, and others meanwhile`,
      run: () =>
        withTools({ 'Deep.md': text, 'Note.md': 'findable words' }, freely, async (floor) => {
          const calls: [string, Record<string, unknown>][] = [
            ['read_note', { path: 'Deep.md' }],
            ['get_note_metadata', { path: 'Deep.md' }],
            ['list_forward_links', { path: 'Deep.md' }],
            ['vault_search', { query: '[[[' }],
            ['append_note', { path: 'Deep.md', content: 'more' }],
            ['edit_note', { path: 'Deep.md', old_text: 'deep', new_text: 'deeper' }],
            ['update_frontmatter', { path: 'Deep.md', updates: { a: 1 } }],
            ['rename_note', { path: 'Deep.md', new_path: 'Deeper.md' }],
          ]
          for (const [tool, input] of calls) {
            const { answer, ms } = await withCpuTime(() =>
              Promise.all([floor.call(tool, input), floor.call('read_note', { path: 'Note.md' })]),
            )
            const [result, other] = answer
            expect(ms).toBeLessThan(1000 * patience)
            expect(other.ok).toBe(true)
            if (!result.ok) expect(result.code).not.toBe('internal')
          }
        }),
    }))
  },

  F05: ({ setup, action }) => {
    const written = `\ufeff${quoted(setup)[0]}`
    const closing = written.lastIndexOf('---\r\n')
    const updates = { added: Number(/added:(\d)/.exec(action)![1]) }
    const approved = (use: (floor: ToolFloor, id: string) => Promise<void>) =>
      withTools({ 'n.md': written }, { answer: 'yes' }, async (floor) => {
        const { changeSet } = await floor.done('update_frontmatter', { path: 'n.md', updates })
        await use(floor, changeSet!.id)
      })
    return [
      {
        name: 'the diff that was shown is exactly one inserted line, and it is what was written',
        run: () =>
          approved(async (floor) => {
            const [{ diff }] = (floor.shown[0] as ApprovalRequest).changes!
            const marked = diff!.split('\n').filter((line) => /^[+-](?![+-])/.test(line))
            expect(marked.map((line) => line.trimEnd())).toEqual(['+added: 1'])
            expect(floor.bytes('n.md').toString()).toBe(
              `${written.slice(0, closing)}added: 1\r\n${written.slice(closing)}`,
            )
          }),
      },
      {
        name: 'BOM, CRLF, comment, 0o17, 1.0, the date and the order of keys stay byte for byte',
        run: () =>
          approved(async (floor) => {
            const left = floor.bytes('n.md').toString('latin1').replace('added: 1\r\n', '')
            expect(left).toBe(Buffer.from(written).toString('latin1'))
          }),
      },
      {
        name: 'undo restores the exact sha256',
        run: () =>
          approved(async (floor, id) => {
            expect(sha256(floor.bytes('n.md'))).not.toBe(sha256(written))
            await floor.take(id)
            expect(sha256(floor.bytes('n.md'))).toBe(sha256(written))
          }),
      },
    ]
  },

  F06: ({ setup, action }) => {
    const length = Number(/\*(\d+)/.exec(setup)![1])
    const note = `${'a'.repeat(length)}!`
    const globs = [`${'*'.repeat(40)}b`, `${'*a'.repeat(40)}b`, `${'**/'.repeat(40)}b`]
    const patterns = [...quoted(action).filter((pattern) => pattern !== '*'), ...globs]
    const tools: Record<string, (pattern: string) => Record<string, unknown>> = {
      vault_search: (query) => ({ query }),
      search_notes: (query) => ({ query }),
      'search_notes in a folder': (folder) => ({ query: 'a', filter: { folder } }),
      search_by_tag: (tag) => ({ tags: [tag] }),
      get_file_tree: (folder) => ({ folder }),
      'edit_note of a long text': (pattern) => ({
        path: 'a.md',
        old_text: `${'a'.repeat(400)}${pattern}`,
        new_text: 'b',
      }),
      'read_note under a heading': (heading) => ({ path: 'a.md', heading }),
    }
    return [
      ...patterns.map((pattern) => ({
        name: `${pattern}: every search answers in 500 ms of processor time times ${patience}, and others after at most 100 ms of it times ${patience}`,
        run: () =>
          withTools({ 'a.md': note }, freely, async (floor) => {
            for (const [name, input] of Object.entries(tools)) {
              const { ms, blocked } = await watched(() => floor.call(name.split(' ')[0], input(pattern)))
              expect(ms, name).toBeLessThan(500 * patience)
              expect(blocked, name).toBeLessThan(100 * patience)
            }
          }),
      })),
      {
        name: 'a pattern is text: the model searches for what it wrote',
        run: () =>
          withTools({ 'a.md': note, 'b.md': 'The pattern (a+)+$ is slow.' }, freely, async (floor) => {
            const { output } = await floor.done('vault_search', { query: '(a+)+$' })
            expect(output.results.map(({ path }: { path: string }) => path)).toEqual(['b.md'])
          }),
      },
      ...globs.map((glob) => ({
        name: `a rule with ${glob} is refused or decided at once`,
        run: async () => {
          const { ms } = await watched(async () => {
            try {
              await withTools({ 'a.md': 'a' }, { deny: [`writes(${glob})`] }, async (floor) => {
                await floor.call('append_note', { path: 'a.md', content: 'x' })
                await floor.call('write_note', { path: `${'a'.repeat(200)}.md`, content: 'x' })
              })
            } catch (error) {
              expect(error).toMatchObject({ name: 'Failure' })
            }
          })
          expect(ms).toBeLessThan(500 * patience)
        },
      })),
    ]
  },

  F07: ({ setup }) => {
    const bad = Uint8Array.from(/bytes ([0-9A-F ]+)/.exec(setup)![1].trim().split(' '), (pair) =>
      Number.parseInt(pair, 16),
    )
    const badLinks = Buffer.concat([bad, Buffer.from('[[Target]]\n')])
    const start = { 'bad.md': bad, 'bad links.md': badLinks, 'Target.md': 'target', 'good.md': 'See [[Target]].' }
    const rewrites: [string, Record<string, unknown>][] = [
      ['write_note', { path: 'bad.md', content: 'fresh' }],
      ['append_note', { path: 'bad.md', content: 'more' }],
      ['edit_note', { path: 'bad.md', old_text: 'a', new_text: 'b' }],
      ['edit_note', { path: 'bad.md', diff: '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE' }],
      ['update_frontmatter', { path: 'bad.md', updates: { a: 1 } }],
    ]
    const withBad = (use: (floor: ToolFloor) => Promise<void>) => withTools(start, freely, use)
    return [
      {
        name: 'read_note and file_read say that it is not UTF-8',
        run: () =>
          withBad(async (floor) => {
            expect((await floor.done('read_note', { path: 'bad.md' })).text).toMatch(/not valid UTF-8/i)
            expect((await floor.done('file_read', { filePaths: ['bad.md'] })).text).toMatch(/not valid UTF-8/i)
          }),
      },
      ...rewrites.map(([tool, input]) => ({
        name: `${tool}${'diff' in input ? ' by diff' : ''}: refused, every byte kept`,
        run: () =>
          withBad(async (floor) => {
            await floor.refused('not-utf8', tool, input)
            expect([...floor.bytes('bad.md')]).toEqual([...bad])
          }),
      })),
      {
        name: 'rename_note and delete_note keep its bytes',
        run: () =>
          withBad(async (floor) => {
            await floor.done('rename_note', { path: 'bad.md', new_path: 'worse.md' })
            expect([...floor.bytes('worse.md')]).toEqual([...bad])
            await floor.done('delete_note', { path: 'worse.md' })
            expect([...floor.bytes('.trash/worse.md')]).toEqual([...bad])
          }),
      },
      {
        name: 'rename_note of a note that it links to updates the others and names the one left alone',
        run: () =>
          withBad(async (floor) => {
            const { text } = await floor.done('rename_note', { path: 'Target.md', new_path: 'Aim.md' })
            expect(text).toContain('bad links.md links to it but is not valid UTF-8')
            expect(floor.bytes('good.md').toString()).toBe('See [[Aim]].')
            expect(floor.bytes('bad links.md').equals(badLinks)).toBe(true)
          }),
      },
      {
        name: 'searching and changing other notes goes on',
        run: () =>
          withBad(async (floor) => {
            expect((await floor.done('list_backlinks', { path: 'Target.md' })).output.links).toHaveLength(2)
            await floor.done('write_note', { path: 'good.md', content: 'changed anyway' })
            const { output } = await floor.done('vault_search', { query: 'anyway' })
            expect(output.results.map(({ path }: { path: string }) => path)).toEqual(['good.md'])
          }),
      },
    ]
  },

  F08: () => {
    const small = isFull ? 50_000 : 2000
    const files = ['big.md', 'line.md', 'many.md']
    const answers = once(async () => {
      const lines = Array.from({ length: 1_000_000 }, (_, at) => `line ${at}`)
      return calledInChild(
        {
          'big.md': Buffer.alloc(200 << 20, 'a line of ordinary words in a big note\n'),
          'line.md': Buffer.alloc(50 << 20, 'words in one line '),
          'many.md': `${lines.join('\n')}\nzanzibar at the end`,
          ...Object.fromEntries(Array.from({ length: small }, (_, at) => [`many/${at}.md`, `Note number ${at}.\n`])),
        },
        [
          ...files.map((path) => ({ name: 'read_note', input: { path } })),
          { name: 'read_note', input: { path: 'big.md', part: 2 } },
          { name: 'file_read', input: { filePaths: files } },
          { name: 'getFileTree', input: {} },
          { name: 'search_notes', input: { query: 'zanzibar' } },
          { name: 'vault_search', input: { query: 'zanzibar' } },
          { name: 'append_note', input: { path: 'big.md', content: 'x' } },
        ],
      )
    })
    const check = (name: string, look: (answer: CallToolsAnswer) => void): Check => ({
      name,
      run: async () => look(await answers()),
      timeoutMs: 300_000,
    })
    return [
      check(`a bounded page with how to go on, in 1 s of processor time times ${patience}`, ({ results }) => {
        for (const { ok, text, length, ms } of results.slice(0, 4)) {
          expect(ok, text).toBe(true)
          expect(length).toBeLessThan(100_000)
          expect(text).toMatch(/part/)
          expect(ms).toBeLessThan(1000 * patience)
        }
      }),
      check('several at once are bounded too, and say what was cut', ({ results }) => {
        expect(results[4].length).toBeLessThan(500_000)
        expect(results[4].ok).toBe(true)
      }),
      check('the tree of files is bounded and says so', ({ results }) => {
        expect(results[5].length).toBeLessThan(50_000)
        expect(results[5].text).toMatch(/more|\d+ md/)
      }),
      check('a word on the millionth line is found, also letter by letter', ({ results }) => {
        for (const { text } of results.slice(6, 8)) expect(text).toMatch(/^\[\{"path":"many\.md"/)
      }),
      check('what is too large to change is refused, not cut', ({ results }) => {
        expect(results[8]).toMatchObject({ ok: false, code: 'too-large' })
      }),
      check('the process stays below 1 GiB', ({ peak }) => expect(peak).toBeLessThan(1 << 30)),
    ]
  },
}

/** How much processor time a call took, and how much of it at most before something else could run. */
async function watched(work: () => Promise<unknown>): Promise<{ ms: number; blocked: number }> {
  const spent = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  let [last, blocked] = [spent(), 0]
  const look = () => {
    const now = spent()
    blocked = Math.max(blocked, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  try {
    const { ms } = await withCpuTime(work)
    look()
    return { ms, blocked }
  } finally {
    clearInterval(timer)
  }
}

async function calledInChild(
  files: Record<string, string | Uint8Array>,
  calls: { name: string; input: unknown }[],
): Promise<CallToolsAnswer> {
  const base = scratchFolder()
  const vault = join(base, 'vault')
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(vault, path, '..'), { recursive: true })
    writeFileSync(join(vault, path), content)
  }
  try {
    return await askChild<CallToolsAnswer>({ do: 'call-tools', vault, home: join(base, 'home'), calls })
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => (answer ??= work())
}
