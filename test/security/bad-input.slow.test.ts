import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aliases, builtInTools, inputSchema, type Tool, type ToolResult } from '../../src/core/tools/index.js'
import { withCpuTime } from '../runner/cpu-time.js'
import { type LoopbackWeb, loopbackWeb } from '../web/loopback-web.js'
import { fastScratchFolder, openFloor, patience } from './floor.js'
import { sampleInput, textFields, withText } from './tools/sample-input.js'
import { type ToolFloor, toolFloor } from './tools/tool-floor.js'

const files = {
  'Note.md': '---\nword: 1\n---\n# Title\n\nA word of this Note. ^block\n',
  'notes/Other.md': 'See [[Note]]. #word\n',
  '.notewrightignore': 'Hidden/\n',
}

const megabytes = (count: number): string => 'x'.repeat(count * 1_000_000)

/** Values in place of a text, and hostile texts. Created for every call, because some cannot be shared. */
const values: Record<string, () => unknown> = {
  nothing: () => null,
  'a number': () => 5,
  'a fraction': () => -0.5,
  NaN: () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  'a huge number': () => 1e308,
  'a truth': () => true,
  'a list': () => ['Note.md'],
  'an object': () => ({ path: 'Note.md' }),
  'an object without a prototype': () => Object.assign(Object.create(null), { a: 1 }),
  'a big integer': () => 10n,
  'a function': () => () => 'Note.md',
  'a symbol': () => Symbol('Note.md'),
  'a date': () => new Date(0),
  bytes: () => new Uint8Array(10),
  'no text at all': () => '',
  blanks: () => ' \t ',
  'a NUL': () => 'No\0te.md',
  'turned text': () => '\u202eNote.md\u2066',
  'invisible text': () => '\u200b\u{e0041}Note.md',
  'half a character': () => '\ud83d',
  escapes: () => '\u001b[2J\u009b31m\u0007\r',
  'line ends': () => 'Note.md\n\nApprove? [Y]',
  'prototype text': () => '__proto__',
  'a pattern': () => '(a+)+$',
  quotes: () => '"\'`"',
  'ten megabytes': () => megabytes(10),
  'more than can be taken': () => megabytes(17),
  'a million words': () => 'ab '.repeat(1_000_000),
  'a million lines': () => '\n'.repeat(1_000_000),
  'a huge list': () => new Array(300_000).fill('Note.md'),
  'deep lists': () => nested(5000, (inner) => [inner]),
  'deep objects': () => nested(100, (inner) => ({ inner })),
  'a circle': () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    return circle
  },
  'a trap': () => ({
    get path(): string {
      throw new Error('a trap')
    },
  }),
  'a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  'keys of prototypes': () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
}

/** Instead of the arguments as a whole. */
const wholes: Record<string, () => unknown> = {
  ...values,
  'text that is no JSON': () => '{"path": ',
  'JSON of a list': () => '["Note.md"]',
  'JSON of a text': () => '"Note.md"',
  'JSON that is too deep': () => `{"path":${'['.repeat(200_000)}`,
  'JSON with a key of prototypes': () => '{"__proto__":{"polluted":1},"path":"Note.md"}',
  'JSON that repeats a key': () => '{"path":"Note.md","path":"../x.md"}',
  'a class': () => new (class Arguments {})(),
}

/** One floor for all: every call leaves it as it was. */
const names = ['search.test', 'www.youtube.com', 'x']
let own: LoopbackWeb
let base: string
let floor: ToolFloor

beforeAll(async () => {
  own = await loopbackWeb(names)
  for (const name of names) own.hosts[name] = (_, response) => response.end('{"results":[]}')
  base = fastScratchFolder()
  const opened = await openFloor(base, files)
  await opened.notebook.update({ vectors: false })
  const config = { web: { searchEngine: 'searxng' as const, searchUrl: 'https://search.test/' } }
  floor = await toolFloor(opened, { level: 'auto', web: own.web, config })
})

afterAll(async () => {
  await floor.notebook.close()
  rmSync(base, { recursive: true, force: true })
  await own.close()
})

/** Skills are offered where there are some, and here there are none. */
const offered = builtInTools.filter(({ name }) => name !== 'use_skill')

describe('bad input of every kind ends in an answer or a clear failure', () => {
  it('the samples are valid input, so other inputs are refused only for what is bad about them', async () => {
    for (const tool of offered) {
      // These take a note or a list of notes.
      const path = /^(?:read_note|get_note_metadata|list_(?:back|forward_)links)$/.test(tool.name) && {
        path: 'Note.md',
      }
      const result = await floor.call(tool.name, { ...sampleInput(tool), ...path })
      expect(result.ok ? '' : result.code, `${tool.name}: ${result.text}`).not.toBe('invalid-input')
      if (result.ok && result.changeSet) await floor.take(result.changeSet.id)
    }
  })

  for (const tool of offered) {
    it(`${tool.name}: every value in every field`, async () => {
      for (const [at, field] of allFields(tool).entries()) {
        for (const [name, value] of Object.entries(values)) {
          // Refused before anyone looks at fields.
          if (at > 0 && name === 'more than can be taken') continue
          const given = { ...withText(sampleInput(tool), field, 'x') }
          const input = withValue(given, field, value())
          await expectClear(tool.name, input, `${field.join('.')}: ${name}`)
        }
      }
    }, 60_000)

    it(`${tool.name}: wrong arguments, unknown fields, missing fields`, async () => {
      for (const [name, whole] of Object.entries(wholes)) await expectClear(tool.name, whole(), name)
      const unknown = await floor.refused('invalid-input', tool.name, { ...sampleInput(tool), not_a_field: 1 })
      expect(unknown.text).toContain(`Tool ${tool.name} validation failed: not_a_field: unknown field`)
      for (const name of (inputSchema(tool).required ?? []) as string[]) {
        const { [name]: _, ...rest } = sampleInput(tool)
        expect((await floor.refused('invalid-input', tool.name, rest)).text).toContain(`${name}: `)
      }
    }, 60_000)
  }

  it('by the names other systems use, too', async () => {
    for (const alias of Object.keys(aliases)) {
      for (const [name, whole] of Object.entries(wholes)) await expectClear(alias, whole(), name)
    }
  }, 60_000)

  it('any name that no tool has', async () => {
    // Values that JSON can contain.
    const named = [
      'no text at all',
      'a NUL',
      'turned text',
      'escapes',
      'prototype text',
      'ten megabytes',
      'deep objects',
    ]
    for (const name of [...named, 'nothing', 'a number', 'a truth', 'a list', 'an object']) {
      const result = await floor.call(values[name]() as string, {})
      expect(result, name).toMatchObject({ ok: false, code: 'unknown-tool' })
      expect(result.text.length).toBeLessThan(2000)
    }
  })
})

/** Also those that are not texts, and the objects on the way. */
function allFields(tool: Tool): string[][] {
  const top = Object.keys((inputSchema(tool).properties ?? {}) as object).map((name) => [name])
  const known = new Set(top.map((field) => field.join('.')))
  return [...top, ...textFields(tool).filter((field) => !known.has(field.join('.')))]
}

function withValue(input: Record<string, unknown>, field: string[], value: unknown): Record<string, unknown> {
  let at = input as Record<string, unknown>
  for (const name of field.slice(0, -1)) at = at[name] as Record<string, unknown>
  at[field[field.length - 1]] = value
  return input
}

async function expectClear(name: string, input: unknown, about: string): Promise<ToolResult> {
  const { answer: result, ms } = await withCpuTime(() => floor.call(name, input))
  const label = `${name}, ${about}: ${result.text.slice(0, 500)}`
  expect(ms, label).toBeLessThan(2000 * patience)
  if (result.ok) {
    if (result.changeSet) await floor.take(result.changeSet.id)
  } else {
    expect(result.code, `${label} ${floor.lastError()}`).not.toBe('internal')
    expect(result.text, label).not.toBe('')
    expect(result.text.length, label).toBeLessThan(6000)
  }
  expect('polluted' in {}, label).toBe(false)
  return result
}

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}
