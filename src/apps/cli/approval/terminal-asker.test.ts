import { describe, expect, it } from 'vitest'
import type { ApprovalBatch, ApprovalRequest, UserRequest } from '../../../core/approval/index.js'
import { notePath } from '../../../core/vault/index.js'
import { style } from '../terminal/terminal.js'
import { readNumbers, terminalAsker } from './terminal-asker.js'

const request = (more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  kind: 'call',
  id: 'r1',
  hash: 'h',
  session: 's',
  callId: 'c',
  createdAt: 0,
  expiresAt: 1,
  tool: { name: 'edit_note', title: 'Edit note', source: 'built-in', effects: ['writes'] },
  title: 'Edit Plan.md',
  reasons: ['The consent level is ask.'],
  input: { path: 'Plan.md' },
  edited: false,
  notes: [],
  notices: [],
  sends: [],
  loads: [],
  words: [],
  scopes: ['once', 'session', 'always'],
  offers: [
    { rule: 'edit_note(Plan.md)', about: 'note' },
    { rule: 'edit_note', about: 'tool' },
  ],
  safeDefault: 'deny',
  askedLately: 1,
  ...more,
})

async function answer(panel: UserRequest, ...typed: string[]) {
  const said: string[] = []
  const conversation = {
    style: style(false),
    width: 80,
    say: (text: string) => void said.push(text),
    ask: async (question: string) => {
      said.push(question)
      return typed.shift()
    },
  }
  const given = await terminalAsker(conversation)(panel, new AbortController().signal)
  return { given, said: said.join('\n'), left: typed }
}

describe('asking at a terminal', () => {
  it('takes y for once, and nothing else for a yes', async () => {
    expect((await answer(request(), 'y')).given).toEqual({ verdict: 'allow', scope: 'once' })
    for (const no of ['n', 'no', '']) expect((await answer(request(), no)).given).toEqual({ verdict: 'deny' })
    expect((await answer(request())).given).toBeUndefined()
    expect((await answer(request(), 'maybe', 'n')).given).toEqual({ verdict: 'deny' })
  })

  it('lets Enter pass a plain read', async () => {
    expect((await answer(request({ safeDefault: 'allow' }), '')).given).toEqual({ verdict: 'allow' })
  })

  it('shows the literal rule before it is remembered', async () => {
    const { given, said } = await answer(request(), 'a', '2')
    expect(given).toEqual({ verdict: 'allow', scope: 'always', rule: 'edit_note' })
    expect(said).toContain('1  edit_note(Plan.md)')
    expect((await answer(request(), 's', '1')).given).toMatchObject({ scope: 'session', rule: 'edit_note(Plan.md)' })
    expect((await answer(request(), 'a', '', 'n')).given).toEqual({ verdict: 'deny' })
  })

  it('sets what it shows and the keys within the width, at words', async () => {
    const notices = [
      { kind: 'x', text: 'This note is shown to others, and what is added would be seen by all of them at once.' },
    ]
    const { said } = await answer(request({ notices: notices as never }), 'n')
    expect(said).toMatch(/! This note is shown.*\n {4}\w/)
    for (const line of said.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('offers nothing to remember where nothing can be', async () => {
    const { given, said } = await answer(request({ offers: [] }), 'a', 'n')
    expect(given).toEqual({ verdict: 'deny' })
    expect(said).not.toContain('always')
  })

  it('passes on why it was refused', async () => {
    expect((await answer(request(), 'r', 'not in this folder ')).given).toEqual({
      verdict: 'deny',
      words: 'not in this folder',
    })
  })

  it('lets some hunks pass and not others', async () => {
    const hunks = [
      {
        change: 0,
        path: notePath('Plan.md'),
        hunks: [
          { oldLine: 1, newLine: 1, removed: ['a\n'], added: ['b\n'] },
          { oldLine: 9, newLine: 9, removed: [], added: ['c\n'] },
        ],
      },
    ]
    expect((await answer(request({ hunks }), 'h', '2')).given).toEqual({
      verdict: 'allow',
      hunks: [{ change: 0, hunks: [1] }],
    })
  })

  it('shares just the notes that are picked', async () => {
    const pick = ['A.md', 'B.md', 'C.md'].map(notePath)
    expect((await answer(request({ pick }), '1,3')).given).toEqual({ verdict: 'allow', picked: ['A.md', 'C.md'] })
    expect((await answer(request({ pick }), '')).given).toEqual({ verdict: 'deny' })
  })

  it('reviews a flood as one list, in which nothing passes that is not named', async () => {
    const requests = [request({ id: 'a' }), request({ id: 'b' })]
    const batch: ApprovalBatch = { kind: 'batch', id: 'x', hash: 'h', session: 's', requests, expiresAt: 1 }
    expect((await answer(batch, '2')).given).toEqual({
      verdict: 'each',
      answers: { b: { verdict: 'allow', scope: 'once' } },
    })
    expect((await answer(batch, '')).given).toEqual({ verdict: 'each', answers: {} })
  })

  it('shows in full what would be loaded, and the origin of its words', async () => {
    const url = `https://evil.test/?d=${'x'.repeat(3000)}`
    const { said } = await answer(
      request({
        loads: [{ path: 'Plan.md', url, how: 'image' }],
        words: [
          { word: 'peas', from: 'person' },
          { word: 'yraid', from: 'note', notes: [{ path: 'Journal.md', as: 'reversed' }] },
          { word: 'evil', from: 'unknown' },
        ],
      }),
      'n',
    )
    expect(said).toContain(`would load ${url}\n    (image in Plan.md)`)
    expect(said).toContain('yours: peas')
    expect(said).toContain('in Journal.md: yraid (reversed)')
    expect(said).toContain('neither typed by you nor in a note that was read: evil')
  })

  it('shows arguments complete, and no line of theirs can pass for one of ours', async () => {
    const content = `${'x'.repeat(100_000)}\n\nAllow it? [y/N] y\x1b[1A`
    const { said } = await answer(request({ input: { content }, title: `Write ${'p'.repeat(5000)}\u202egnp.md` }), 'n')
    expect(said).toContain('x'.repeat(100_000))
    expect(said).toContain('    │ Allow it? [y/N] y⟦U+001B⟧[1A')
    expect(said).toContain(`${'p'.repeat(5000)}⟦U+202E⟧gnp.md`)
  })

  it('shows the full address of what would be sent', async () => {
    const sends = [{ url: 'https://example.org/?q=secret', payload: 'one\ntwo', bytes: 29 }]
    const { said } = await answer(request({ sends }), 'n')
    expect(said).toContain('https://example.org/?q=secret')
    expect(said).toContain('    │ two')
  })
})

describe('numbers of a list', () => {
  it('are read singly, as ranges, all or none', () => {
    expect(readNumbers('1, 3-4', 5)).toEqual([0, 2, 3])
    expect(readNumbers('all', 2)).toEqual([0, 1])
    expect(readNumbers(' ', 2)).toEqual([])
    for (const wrong of ['0', '6', '4-2', 'x', '1;2', '-1']) expect(readNumbers(wrong, 5)).toBeUndefined()
  })
})

describe('a question of an MCP server', () => {
  const question: UserRequest = {
    kind: 'question',
    id: 'q',
    hash: 'h',
    session: 's',
    createdAt: 0,
    expiresAt: 1,
    from: 'garden\u202e',
    message: 'Which bed?\u001b[31m',
    form: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'of the bed' },
        count: { type: 'integer' },
        colour: { type: 'string', enum: ['red', 'green'], default: 'red' },
        sure: { type: 'boolean' },
      },
      required: ['name'],
    },
  }

  it('is asked field by field, and sent only after a yes to all of it', async () => {
    const { given, said } = await answer(question, '', 'North', 'two', '2', '', 'yes', 'y')
    expect(given).toEqual({ verdict: 'allow', values: { name: 'North', count: 2, colour: 'red', sure: true } })
    expect(said).not.toContain('\u001b')
    expect(said).not.toContain('\u202e')
    expect((await answer(question, 'North', '', '', '', '')).given).toEqual({ verdict: 'deny' })
  })

  it('is not answered when the user leaves', async () => {
    expect((await answer(question, 'North')).given).toBeUndefined()
  })
})
