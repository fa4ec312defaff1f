import { describe, expect, it, vi } from 'vitest'
import { type MemoryHost, memoryHost } from '../../../test/doubles/memory-host.js'
import { scriptedModel } from '../../../test/doubles/scripted-model.js'
import type { AgentEvent } from '../agent/index.js'
import { configSchema } from '../config/index.js'
import { profileFor } from '../model/index.js'
import { redactOnlySecrets, redactor } from '../tools/index.js'
import { vaultFromHost } from './opened-vault.js'
import type { SessionOptions } from './session.js'
import { sessionAsMarkdown, transcriptOf } from './transcript.js'
import { usageStats } from './usage-stats.js'

const notes = {
  'Garden/Soil.md': 'Compost feeds the soil.\n',
  'Garden/Plan.md': 'Dig.\n',
  'Kitchen/Soup.md': 'Soup wants time. See [[Soil]].\n',
}
const projects = { garden: { folders: ['Garden'] }, kitchen: { folders: ['Kitchen'] } }

/** Sessions with a model that is opened by its name, as a user's is. */
function openOn(host: MemoryHost, script: Parameters<typeof scriptedModel>[0], settings: object = {}) {
  const model = scriptedModel(script)
  host.openModel = async (name) => ({ name, provider: 'scripted', model, profile: profileFor('gpt-5') })
  const prices = { 'scripted/one': { input: 1, output: 2 } }
  const vault = vaultFromHost({ host, settings: configSchema.parse({ projects, prices, ...settings }) })
  const open = (options: SessionOptions = {}) => vault.openSession({ id: 's', model: 'scripted/one', ...options })
  return { vault, open, model }
}

async function all(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

const promptOf = (model: ReturnType<typeof scriptedModel>, at = -1) => JSON.stringify(model.prompts.at(at)!.prompt)

describe('after a conversation was summed up', () => {
  it('its citations and undo ids are still there to be shown, exported and undone', async () => {
    const host = await memoryHost(notes)
    const append = { name: 'append_note', input: { path: 'Garden/Plan.md', content: 'Sow beans.' } }
    const { vault, open } = openOn(host, [
      { call: [append] },
      { say: 'Done: "Compost feeds the soil." [[Garden/Soil]]' },
      { say: 'You are welcome.' },
      { say: 'They spoke of the plan.' },
      { say: 'Yes.' },
    ])
    const session = await open({ consent: 'auto' })
    await all(session.ask('Sow beans'))
    await all(session.ask('Thanks'))
    expect((await all(session.compact())).map(({ type }) => type)).toEqual(['compacted'])
    await all(session.ask('Are they sown?'))
    const stored = await vault.sessions.read('s')
    const turns = transcriptOf(stored)
    expect(turns[0].citations).toMatchObject([{ path: 'Garden/Soil.md', check: 'verbatim' }])
    const id = turns[0].calls[0].changeSet!
    expect(sessionAsMarkdown((await vault.sessions.list())[0], turns)).toContain(`(undo: \`${id}\`)`)
    await vault.notebook.apply(await vault.notebook.planUndo({ id }))
    expect(new TextDecoder().decode(host.memory.snapshot().get('Garden/Plan.md' as never))).toBe('Dig.\n')
    // The model still knows the names.
    expect(JSON.stringify(stored.find(({ event }) => event.type === 'compacted'))).toContain('Garden/Soil')
  })
})

describe('a session in a project', () => {
  it('is counted there, kept or not', async () => {
    const host = await memoryHost(notes)
    const { vault, open } = openOn(host, [{ say: 'Yes.' }])
    await all((await open({ project: 'garden' })).ask('Hello'))
    await all((await open({ id: 't' })).ask('Hello'))
    await all((await open({ id: 'u', keep: false, project: 'garden' })).ask('Hello'))
    const { rows } = usageStats(await vault.sessions.usage(), 'project')
    expect(rows.map(({ key, turns }) => [key, turns])).toEqual([
      ['garden', 2],
      ['(none)', 1],
    ])
    expect((await vault.sessions.list()).find(({ id }) => id === 's')).toMatchObject({ project: 'garden' })
  })

  it('that switches to another project continues there, without the earlier messages', async () => {
    const host = await memoryHost(notes)
    const { vault, open, model } = openOn(host, [{ say: 'The first secret.' }, { say: 'Soup.' }, { say: 'More.' }])
    const session = await open({ project: 'garden' })
    await all(session.ask('About the garden'))
    await session.changeProject('kitchen')
    // As after a kill: nothing is closed.
    const events = (await vault.sessions.read('s')).map(({ event }) => event)
    expect(events.at(-1)).toEqual({ type: 'project-changed', project: 'kitchen' })
    expect((await vault.sessions.find('s'))!.state).toMatchObject({ project: 'kitchen' })
    await all(session.ask('About soup'))
    await session.close()
    const again = await open()
    expect(again.project).toBe('kitchen')
    await all(again.ask('And now?'))
    expect(promptOf(model)).toContain('About soup')
    expect(promptOf(model)).not.toMatch(/About the garden|The first secret/)
    await again.changeProject(undefined)
    await again.close()
    expect((await open()).project).toBeUndefined()
  })

  it('moves a note that is linked from outside only where those links may be written, and names nothing outside', async () => {
    const host = await memoryHost(notes)
    const { open } = openOn(host, [{ say: 'Yes.' }])
    const session = await open({ project: 'garden', consent: 'auto' })
    const moved = await session.call({
      name: 'rename_note',
      input: { path: 'Garden/Soil.md', new_path: 'Garden/Earth.md' },
    })
    expect(moved.ok).toBe(false)
    expect(JSON.stringify(moved)).not.toContain('Soup')
    expect([...host.memory.snapshot().keys()]).toContain('Garden/Soil.md')
  })
})

describe('a title by the model', () => {
  const titled = async (said: string) => {
    const host = await memoryHost(notes)
    const isNaming = (prompt: object) => JSON.stringify(prompt).includes('You write titles')
    const { vault, open, model } = openOn(host, [(prompt) => ({ say: isNaming(prompt) ? said : 'Compost.' })])
    const session = await open()
    await all(session.ask('What feeds the soil, and how often do I have to bring it there in a year?'))
    const before = { title: (await vault.sessions.list())[0].title, asked: model.prompts.length }
    await vi.waitUntil(async () => (await vault.sessions.usage()).length === 2, { timeout: 30_000 })
    await session.close()
    const used = (await vault.sessions.usage()).map(({ input, output, turn }) => ({ input, output, turn }))
    return { before, asked: model.prompts.length, title: (await vault.sessions.list())[0].title, used }
  }

  it('is one line of at most 60 characters that could name a file; its usage is counted, and it delays no request', async () => {
    const cases: [said: string, title: unknown][] = [
      ['Feeding the soil', 'Feeding the soil'],
      ['Title: "Soil / compost: a plan?"\nAnd more words.', 'Soil compost a plan'],
      ['Long words about soil '.repeat(5), expect.stringMatching(/^.{20,60}$/)],
      ['con', 'con (session)'],
      ['\u202eevil\u0007 name', 'evil name'],
      ['sk-test-CANARYKEY0123456789', expect.not.stringContaining('CANARY')],
    ]
    const all = await Promise.all(cases.map(([said]) => titled(said)))
    for (const [at, { before, asked, title, used }] of all.entries()) {
      // The answer was there before anybody was asked for a title.
      expect(before).toEqual({ title: 'What feeds the soil, and how often do I have to bring it', asked: 1 })
      expect(title).toEqual(cases[at][1])
      expect(title).not.toMatch(/[\n/\\:*?"<>|#^[\]]/)
      expect(used).toEqual(Array.from({ length: 2 }, () => ({ input: 10, output: 5, turn: expect.any(String) })))
      expect(asked).toBe(2)
    }
  })

  it('is made of the question as it was typed, not of the notes that were found for it', async () => {
    const host = await memoryHost(notes)
    const { vault, open, model } = openOn(host, [{ say: 'Compost.' }])
    const session = await open()
    session.mode = 'vault-qa'
    await all(session.ask('What feeds the soil?'))
    expect(JSON.stringify(model.prompts[0].prompt)).toContain('Compost feeds the soil')
    await vi.waitUntil(async () => (await vault.sessions.usage()).length === 2, { timeout: 30_000 })
    await session.close()
    const asked = JSON.stringify(model.prompts[1].prompt)
    expect(asked).toContain('Person: What feeds the soil?')
    expect(asked).not.toContain('Compost feeds the soil')
  })

  it('is cancelled when the user asks something', async () => {
    const { open, model } = openOn(await memoryHost(notes), [{ say: 'Compost.' }])
    const session = await open()
    await all(session.ask('What feeds the soil?'))
    await all(session.ask('And the beans?'))
    await session.close()
    expect(model.prompts).toHaveLength(2)
  })
})

it('secrets reach neither the store, nor titles, exports, usage or the ledger', async () => {
  const canary = 'sk-live-CANARY0123456789abcdef'
  const host = await memoryHost({ 'Keys.md': `The token is ${canary}\n`, 'Plan.md': 'Dig.\n' })
  host.redact = redactor({ ...redactOnlySecrets, secrets: ['CANARY-OWN-SECRET-99'] })
  const { vault, open } = openOn(host, [
    { think: `I see ${canary}`, call: [{ name: 'read_note', input: { path: 'Keys.md' } }] },
    { call: [{ name: 'append_note', input: { path: 'Plan.md', content: `api_key=${canary}` } }] },
    { say: `It is ${canary}, and CANARY-OWN-SECRET-99.` },
    { say: `They spoke of ${canary}.` },
  ])
  const session = await open({ consent: 'auto' })
  await all(session.ask(`${canary} is my key, is CANARY-OWN-SECRET-99 too?`))
  await all(session.compact())
  await session.close()
  const stored = await vault.sessions.read('s')
  const list = await vault.sessions.list()
  const kept = [stored, list, await vault.sessions.find('s'), await vault.sessions.usage(), host.log.requests]
  expect(JSON.stringify(kept)).not.toContain('CANARY')
  expect(sessionAsMarkdown(list[0], transcriptOf(stored))).not.toContain('CANARY')
  expect(await vault.sessions.search('CANARY')).toEqual([])
})
