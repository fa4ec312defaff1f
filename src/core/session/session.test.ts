import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { memoryHost } from '../../../test/doubles/memory-host.js'
import { type ScriptedStep, scriptedModel } from '../../../test/doubles/scripted-model.js'
import type { AgentEvent, RunEnd } from '../agent/index.js'
import { configSchema } from '../config/index.js'
import { defaultProfile, modelFailure } from '../model/index.js'
import { builtInTools, defineTool, registry } from '../tools/index.js'
import { vaultFromHost } from './opened-vault.js'
import type { SessionOptions } from './session.js'

const notes = { 'Soil.md': 'Compost feeds the soil.\n', 'Plan.md': 'Dig.\n', 'AGENTS.md': 'Answer briefly.\n' }

async function stage(files: Record<string, string> = notes) {
  const host = await memoryHost(files)
  const vault = vaultFromHost({ host, settings: configSchema.parse({}), approvalOptions: { remote: true } })
  const open = (script: readonly ScriptedStep[], options: SessionOptions = {}) =>
    vault.openSession({ model: scriptedModel(script), ...options })
  const text = (path: string) => new TextDecoder().decode(host.memory.snapshot().get(path as never))
  return { host, vault, open, text }
}

async function all(events: AsyncIterable<AgentEvent>): Promise<{ events: AgentEvent[]; end: RunEnd }> {
  const seen: AgentEvent[] = []
  for await (const event of events) seen.push(event)
  return { events: seen, end: seen.at(-1) as RunEnd }
}

const write = (content: string): ScriptedStep => ({
  call: [{ name: 'append_note', input: { path: 'Plan.md', content } }],
})
const done: ScriptedStep = { say: 'Done.' }

describe('text the user typed', () => {
  const sent: string[] = []
  const post = defineTool({
    name: 'post',
    title: 'Post',
    description: 'Post a text.',
    activity: 'Posting',
    category: 'custom',
    effects: ['reaches-network'],
    input: z.object({ text: z.string() }),
    output: z.object({ text: z.string() }),
    reaches: async ({ text }) => ({ sends: [{ url: 'https://post.test/', payload: text, chosen: text }] }),
    async run({ text }) {
      sent.push(text)
      return { text }
    },
    render: ({ text }) => text,
  })
  const say = (text: string) => [{ call: [{ name: 'post', input: { text } }] }, done] satisfies ScriptedStep[]

  async function posting() {
    const host = await memoryHost(notes)
    const tools = registry([...builtInTools, post])
    const vault = vaultFromHost({ host, settings: configSchema.parse({}), tools })
    sent.length = 0
    const open = (script: readonly ScriptedStep[], options: SessionOptions = {}) =>
      vault.openSession({ model: scriptedModel(script), consent: 'auto', ...options })
    return { open }
  }

  it('may be sent, and attached or selected text may not', async () => {
    const { open } = await posting()
    const session = await open([...say('hello world'), ...say('compost'), ...say('attached'), ...say('selected')])
    await all(session.ask('Post hello world'))
    await all(session.ask('Post what the note says'))
    await all(session.ask({ text: 'Post this', attached: [{ name: 'file', text: 'attached' }] }))
    await all(session.ask({ text: 'Post this', selection: 'selected' }))
    expect(sent).toEqual(['hello world'])
  })

  it('is known again when the session is resumed', async () => {
    const { open } = await posting()
    const first = await open([done], { id: 'errand' })
    await all(first.ask('Remember: hello world'))
    await first.close()
    const second = await open([...say('hello world'), ...say('other words')], { id: 'errand' })
    expect(second.state().typed).toEqual(['Remember: hello world'])
    await all(second.ask('Post it'))
    expect(sent).toEqual(['hello world'])
    await all(second.ask('Post it again'))
    expect(sent).toEqual(['hello world'])
  })
})

describe('a session', () => {
  it("carries the conversation from turn to turn, and includes the vault's instructions", async () => {
    const { vault } = await stage()
    const model = scriptedModel([{ say: 'Compost.' }, { say: 'Yes.' }])
    const session = await vault.openSession({ model })
    await all(session.ask('what feeds the soil?'))
    await all(session.ask('are you sure?'))
    const sent = JSON.stringify(model.prompts[1].prompt)
    expect(sent).toContain('what feeds the soil?')
    expect(sent).toContain('Compost.')
    expect(sent).toContain('Answer briefly.')
    expect(session.state().messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  it('shows an approval request in its events, and continues when it is answered', async () => {
    const { vault, open, text } = await stage()
    const session = await open([write('Sow.'), done])
    const kinds: string[] = []
    for await (const event of session.ask('add sowing')) {
      kinds.push(event.type)
      if (event.type !== 'approval-asked') continue
      const { id, hash, session: of } = event.panel
      expect(vault.approvalQueue.pending(session.id)).toEqual([event.panel])
      expect(vault.approvalQueue.answer(id, { verdict: 'allow', hash, session: of })).toEqual({ ok: true })
    }
    expect(kinds.filter((kind) => /^(tool|approval)/.test(kind))).toEqual([
      'tool-call',
      'approval-asked',
      'approval-decided',
      'tool-result',
    ])
    expect(text('Plan.md')).toContain('Sow.')
  })

  it('that is closed denies its pending calls, and affects no other', async () => {
    const { vault, open, text } = await stage()
    const [one, two] = [await open([write('One.'), done]), await open([write('Two.'), done])]
    const [first, second] = [all(one.ask('one')), all(two.ask('two'))]
    while (vault.approvalQueue.pending().length < 2) await new Promise((resolve) => setTimeout(resolve, 1))
    await one.close()
    expect((await first).end.reason).toBe('stopped')
    const [panel] = vault.approvalQueue.pending()
    expect(panel.session).toBe(two.id)
    vault.approvalQueue.answer(panel.id, { verdict: 'allow', hash: panel.hash, session: two.id })
    expect((await second).end.reason).toBe('answered')
    expect(text('Plan.md')).toBe('Dig.\nTwo.\n')
  })

  it('answers one request at a time', async () => {
    const { open } = await stage()
    const session = await open([{ say: 'One.' }])
    const first = session.ask('one')
    await first.next()
    await expect(session.ask('two').next()).rejects.toMatchObject({ code: 'conflict' })
    await first.return(undefined)
    expect((await all(session.ask('three'))).end.reason).toBe('answered')
  })

  it('keeps earlier events when its stream is ended', async () => {
    const { open, text } = await stage()
    const session = await open([write('Sow.'), done], { consent: 'auto' })
    for await (const event of session.ask('add sowing')) if (event.type === 'tool-result') break
    expect(text('Plan.md')).toContain('Sow.')
    const messages = session.state().messages
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(JSON.stringify(messages[2])).toContain('Plan.md')
  })

  it('resumes an earlier one: history, consent, taint, and decisions', async () => {
    const { vault, open } = await stage({ ...notes, 'Clip.md': '---\nsource: https://a.test/\n---\nWords.\n' })
    const read: ScriptedStep = { call: [{ name: 'read_note', input: { path: 'Clip.md' } }] }
    const session = await open([read, write('Sow.'), done], { id: 'garden', consent: 'ask', mode: 'agent' })
    for await (const event of session.ask('read, then add')) {
      if (event.type !== 'approval-asked') continue
      const { id, hash, session: of } = event.panel
      vault.approvalQueue.answer(id, { verdict: 'allow', scope: 'session', hash, session: of })
    }
    await session.close()
    const model = scriptedModel([write('Weed.'), done])
    const resumed = await vault.openSession({ model, id: 'garden' })
    const { events, end } = await all(resumed.ask('and weeding'))
    expect(events.map(({ type }) => type)).not.toContain('approval-asked')
    expect(end.reason).toBe('answered')
    expect(JSON.stringify(model.prompts[0].prompt)).toContain('read, then add')
    expect(resumed.guard.memory().seen).toEqual(expect.arrayContaining(['own-note', 'clipped']))
    expect(resumed.guard.level).toBe('ask')
  })

  it('looks up tools, settings and rules for each turn', async () => {
    const { host, vault } = await stage()
    const model = scriptedModel([{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }])
    const session = await vault.openSession({ model })
    const offered = (turn: number) => model.prompts[turn].tools?.map(({ name }) => name) ?? []
    await all(session.ask('one'))
    vault.registry.register(countBeds, 'custom')
    host.rules = { deny: ['reads(Soil.md)'] }
    await all(session.ask('two'))
    vault.registry.unregister('custom')
    vault.settings = configSchema.parse({ tools: { enabled: ['read_note'] } })
    await all(session.ask('three'))
    expect([0, 1, 2].map((turn) => offered(turn).includes('count_beds'))).toEqual([false, true, false])
    expect(offered(2)).not.toContain('search_notes')
    expect(session.guard.rules().map(({ text }) => text)).toEqual(['reads(Soil.md)'])
    expect(await session.call({ name: 'read_note', input: { path: 'Soil.md' } })).toMatchObject({ ok: false })
  })

  it('reports an invalid rule when it is opened, not in the middle of a conversation', async () => {
    const { open } = await stage()
    await expect(open([done], { allow: ['no_such_tool'] })).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('stays with its model when there is none of the other name', async () => {
    const { open } = await stage()
    const session = await open([{ say: 'Still here.' }])
    await expect(session.changeModel('nobody/at-all')).rejects.toMatchObject({ code: 'invalid-input' })
    expect((await all(session.ask('who is there?'))).end.text).toBe('Still here.')
    expect((await session.changeModel('offline')).name).toBe('offline')
  })

  it('uses the current address and key of its model, if they were changed between two turns', async () => {
    const { host, vault, open } = await stage()
    let sources = 'the wrong key'
    const opened: string[] = []
    const offline = host.openModel
    host.modelSources = () => sources
    host.openModel = (name, ...rest) => {
      opened.push(`${name} with ${sources}`)
      return offline(name, ...rest)
    }
    const session = await vault.openSession({ model: 'offline' })
    await all(session.ask('What feeds the soil?'))
    await all(session.ask('And then?'))
    sources = 'the right key'
    await all(session.ask('And now?'))
    await session.changeModel('offline')
    await all(session.ask('And again?'))
    expect(opened).toEqual(['offline with the wrong key', 'offline with the right key', 'offline with the right key'])
    const own = await open([{ say: 'One.' }, { say: 'Two.' }])
    await all(own.ask('who is there?'))
    sources = 'another key'
    expect((await all(own.ask('who is there?'))).end.text).toBe('Two.')
  })

  it('opens its model again where its key was refused or a setting of it was changed, and else keeps it', async () => {
    const { host, vault } = await stage()
    const wishes: unknown[] = []
    const refused = modelFailure('key', { provider: 'Acme', modelId: 'm' }, 'Acme did not accept the key.')
    host.openModel = async (name, dialect, wish) => {
      wishes.push([dialect, wish?.window])
      const model = scriptedModel(wishes.length === 1 ? [{ fail: refused }] : [{ say: 'Here.' }])
      return { name, provider: 'acme', model, profile: defaultProfile }
    }
    const session = await vault.openSession({ model: 'acme/m' })
    expect((await all(session.ask('who is there?'))).end.failure?.text).toBe('Acme did not accept the key.')
    expect((await all(session.ask('who is there?'))).end.text).toBe('Here.')
    await all(session.ask('and now?'))
    expect(wishes).toHaveLength(2)
    vault.settings = configSchema.parse({ models: { window: 16_384 }, dialect: 'native' })
    await all(session.ask('and then?'))
    expect(wishes).toEqual([
      ['auto', undefined],
      ['auto', undefined],
      ['native', 16_384],
    ])
  })

  it('treats attachments as untrusted, and finds the open note as a user names it', async () => {
    const { vault } = await stage()
    const model = scriptedModel([done])
    const session = await vault.openSession({ model })
    await all(session.ask({ text: 'compare', note: 'soil', attached: [{ name: 'mail', text: 'Lime!' }] }))
    expect(JSON.stringify(model.prompts[0].prompt)).toContain('The open note is')
    expect(session.guard.memory().seen).toContain('clipped')
    await expect(all(session.ask({ text: 'compare', note: 'No such note' }))).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})

const countBeds = defineTool({
  name: 'count_beds',
  title: 'Count beds',
  description: 'Count the beds.',
  activity: 'Counting',
  category: 'custom',
  effects: ['reads'],
  input: z.object({}),
  output: z.object({ beds: z.number() }),
  run: async () => ({ beds: 3 }),
  render: ({ beds }) => `${beds} beds`,
})

describe('a session that names its tools', () => {
  it('is offered those of them that are switched on, by any of their names, and no others', async () => {
    const { vault, open } = await stage()
    vault.settings.tools.enabled = ['read_note', 'search_notes']
    const { offered } = await (await open([done], { tools: ['file_read', 'search_notes', 'rename_note'] })).toolSetup()
    expect(offered?.has('search_notes')).toBe(true)
    expect([...(offered ?? [])].filter((name) => ['read_note', 'rename_note', 'file_read'].includes(name))).toEqual([])
  })
})

describe('a request that a busy session refuses', () => {
  it.each(['ask', 'compact'] as const)('leaves nothing behind of %s', async (way) => {
    const { open } = await stage()
    const session = await open([done, done])
    const turn = session.ask('one')
    await turn.next()
    const { signal } = new AbortController()
    const second = way === 'ask' ? session.ask('two', signal) : session.compact(signal)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await expect(second.next()).rejects.toMatchObject({ code: 'conflict' })
    expect(getEventListeners(signal, 'abort')).toEqual([])
    await all(turn)
    expect((await all(session.ask('three'))).end).toMatchObject({ reason: 'answered' })
  })
})
