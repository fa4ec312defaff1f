import { describe, expect, it } from 'vitest'
import { memoryHost } from '../../test/doubles/memory-host.js'
import { type ScriptedStep, scriptedModel } from '../../test/doubles/scripted-model.js'
import type { AgentEvent, Mode } from './agent/index.js'
import { configSchema } from './config/index.js'
import { type SessionOptions, vaultFromHost } from './session/index.js'
import { notePath } from './vault/index.js'

const notes = {
  'Projects/Garden.md':
    '---\nnotewright: project\nfolders: [Garden]\nexclude: ["#old", Garden/Attic]\n---\nSpeak of plants.\n',
  'Garden/Soil.md': 'Loam. [[Taxes]] [[Peas]]\n',
  'Garden/Peas.md': 'Sow in March. #spring\n',
  'Garden/Compost.md': 'Was here. #old\n',
  'Garden/Attic/Notes.md': 'Dusty loam.\n',
  'Work/Taxes.md': 'CANARY loam #secret [[Soil]]\n',
  'Work/Peas.md': 'CANARY other peas\n',
}

async function stage(files: Record<string, string> = notes, settings: object = {}) {
  const host = await memoryHost(files)
  const vault = vaultFromHost({ host, settings: configSchema.parse(settings) })
  const troubles: string[] = []
  const open = (options: SessionOptions = {}, script: readonly ScriptedStep[] = [{ say: 'Yes.' }]) =>
    vault.openSession({
      model: scriptedModel(script),
      project: 'garden',
      consent: 'auto',
      onTrouble: (text) => troubles.push(text),
      ...options,
    })
  const text = (path: string) => {
    const bytes = host.memory.snapshot().get(notePath(path))
    return bytes && new TextDecoder().decode(bytes)
  }
  return { host, vault, open, troubles, text }
}

async function all(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

describe('a session in a project', () => {
  it('sees only the notes of the project', async () => {
    const session = await (await stage()).open()
    expect(session.project).toBe('Garden')
    const found = await session.call({ name: 'search_notes', input: { query: 'loam' } })
    expect(found).toMatchObject({ output: { results: [{ path: 'Garden/Soil.md' }] } })
    const calls = [
      ['read_note', { path: 'Work/Taxes.md' }],
      ['read_note', { path: 'Taxes' }],
      ['list_forward_links', { path: 'Garden/Soil.md' }],
      ['list_backlinks', { path: 'Garden/Soil.md' }],
      ['related_notes', { path: 'Garden/Soil.md', include_linked: true }],
      ['get_tag_list', {}],
      ['get_file_tree', {}],
      ['vault_search', { query: 'canary' }],
      ['search_by_tag', { tag: 'secret' }],
      ['get_random_note', {}],
      ['index_vault', {}],
    ] as const
    for (const [name, input] of calls) {
      const { text } = await session.call({ name, input })
      expect(text.replace('Note not found: Taxes', '').replace('Note not found: Work/Taxes.md', ''), name).not.toMatch(
        /CANARY|Work|secret|Compost|Attic|"target_path":"[^"]*Taxes/,
      )
    }
    expect((await session.call({ name: 'read_note', input: { path: 'Peas' } })).text).toContain('Sow in March')
    const indexed = await session.call({ name: 'index_vault', input: {} })
    expect(indexed.ok && indexed.output).toEqual({ notes: 2, skipped: [], skipped_total: 0, ms: expect.any(Number) })
  })

  it('can only write inside the project, and a refused write names the project', async () => {
    const { open, text } = await stage()
    const session = await open()
    for (const path of ['Work/New.md', 'Top.md', 'Garden/Attic/New.md', 'Work/Taxes.md']) {
      const refused = await session.call({ name: 'write_note', input: { path, content: 'x' } })
      expect(refused).toMatchObject({ ok: false, code: 'denied' })
      expect(refused.text).toContain(`${path} is outside the project Garden`)
    }
    const moved = await session.call({ name: 'rename_note', input: { path: 'Garden/Peas.md', new_path: 'Work/P.md' } })
    expect(moved).toMatchObject({ ok: false, code: 'denied', text: expect.stringContaining('Work/P.md is outside') })
    const tagged = await session.call({ name: 'write_note', input: { path: 'Garden/x.md', content: 'now #old' } })
    expect(tagged).toMatchObject({ ok: false, code: 'denied', text: expect.stringContaining('Garden/x.md is outside') })
    expect(await session.call({ name: 'write_note', input: { path: 'Garden/x.md', content: 'new' } })).toMatchObject({
      ok: true,
    })
    expect(await session.call({ name: 'remember', input: { text: 'x' } })).toMatchObject({ ok: false, code: 'denied' })
    expect(text('Work/Taxes.md')).toBe(notes['Work/Taxes.md'])
  })

  it('can create a note whose tags or properties make it part of the project', async () => {
    const files = {
      'P.md': '---\nnotewright: project\ntags: garden\nproperties: {area: soil}\n---\n',
      'A.md': '#garden',
      'B.md': 'x',
    }
    const session = await (await stage(files)).open({ project: 'P' })
    const write = (path: string, content: string) => session.call({ name: 'write_note', input: { path, content } })
    expect(await write('C.md', 'Peas. #garden/peas')).toMatchObject({ ok: true })
    expect(await write('D.md', '---\narea: Soil\n---\n')).toMatchObject({ ok: true })
    expect(await write('E.md', 'Peas.')).toMatchObject({ ok: false, text: expect.stringContaining('E.md is outside') })
    expect(await write('B.md', '#garden')).toMatchObject({
      ok: false,
      text: expect.stringContaining('B.md is outside'),
    })
  })

  it('uses the text of its note as low-trust instructions, and keeps the project when resumed', async () => {
    const model = scriptedModel([{ say: 'Yes.' }])
    const { open } = await stage()
    const session = await open({ model, id: 'beds' })
    await all(session.ask('Hello'))
    expect(`${model.prompts[0].prompt[0].content}`).toMatch(/<<\w+ project Garden\nSpeak of plants\.\n/)
    expect(session.state().project).toBe('Garden')
    await session.close()
    const again = await open({ project: undefined, id: 'beds' })
    expect(again.project).toBe('Garden')
    await again.changeProject(undefined)
    expect((await again.call({ name: 'read_note', input: { path: 'Taxes' } })).ok).toBe(true)
    await expect(again.changeProject('Gardn')).rejects.toMatchObject({ code: 'not-found' })
    expect(again.project).toBeUndefined()
  })

  it('reads its note again for each turn, so that a changed scope takes effect', async () => {
    const { open, host } = await stage()
    const session = await open()
    expect((await session.call({ name: 'read_note', input: { path: 'Garden/Soil.md' } })).ok).toBe(true)
    host.memory.write(
      notePath('Projects/Garden.md'),
      new TextEncoder().encode('---\nnotewright: project\nfolders: [Work]\n---\n'),
    )
    await host.notebook.update({ wait: 'text' })
    expect((await session.call({ name: 'read_note', input: { path: 'Garden/Soil.md' } })).ok).toBe(false)
  })
})

describe('the settings of a project', () => {
  const greedy =
    '---\nnotewright: project\nfolders: [Garden]\nconsent: auto\nmodel: openai/evil\nmode: agent\ntools: [web_fetch, read_note]\n---\n'
  const toolsOf = async (session: { toolSetup(): Promise<{ offered?: ReadonlySet<string> }> }) => [
    ...((await session.toolSetup()).offered ?? []),
  ]

  it('are ignored with a notice if a note asks for more', async () => {
    const { open, troubles } = await stage({ ...notes, 'Projects/Garden.md': greedy })
    const session = await open({ consent: 'ask', mode: 'vault-qa' })
    expect(session.guard.level).toBe('ask')
    expect(session.mode).toBe('vault-qa')
    expect((await session.model()).name).toBe('scripted/scripted')
    expect(await toolsOf(session)).not.toContain('web_fetch')
    expect(await toolsOf(session)).not.toContain('write_note')
    expect(troubles.join('\n')).toMatch(/openai\/evil[\s\S]*mode agent[\s\S]*level auto[\s\S]*web_fetch/)
  })

  it('are applied if a note asks for less, whatever the user has set', async () => {
    const meek = '---\nnotewright: project\nfolders: Garden\nconsent: read-only\nmode: chat\ntools: [read_note]\n---\n'
    const { open, troubles } = await stage({ ...notes, 'Projects/Garden.md': meek })
    const session = await open({ consent: 'auto' })
    expect([session.guard.level, session.mode]).toEqual(['read-only', 'chat'])
    expect((await toolsOf(session)).filter((name) => name.includes('note'))).toEqual(['read_note'])
    expect(troubles).toEqual([])
  })

  it('are all applied from the settings, unless the user overrides them', async () => {
    const settings = {
      consent: 'ask',
      projects: {
        beds: {
          folders: ['Garden'],
          consent: 'edit',
          mode: 'plan' satisfies Mode,
          model: 'offline',
          tools: ['web_fetch', 'read_note'],
          guidance: { read_note: 'Read slowly.' },
          instructions: 'Be brief.',
        },
      },
    }
    const { vault } = await stage(notes, { ...settings, model: 'ollama/none' })
    const session = await vault.openSession({ project: 'beds' })
    expect([session.guard.level, session.mode, session.state().model]).toEqual(['edit', 'plan', 'offline'])
    expect(await toolsOf(session)).toContain('web_fetch')
    const own = await vault.openSession({ project: 'beds', consent: 'read-only', mode: 'chat', model: 'ollama/x' })
    expect([own.guard.level, own.mode, own.state().model]).toEqual(['read-only', 'chat', 'ollama/x'])
    const model = scriptedModel([{ say: 'Yes.' }])
    const asked = await vault.openSession({ project: 'beds', mode: 'agent', model })
    await all(asked.ask('Hello'))
    const prompt = `${model.prompts[0].prompt[0].content}`
    expect(prompt).toContain("The user's instructions:\nBe brief.")
    expect(prompt).toContain('Read slowly.')
  })
})

describe('an invalid project', () => {
  it.each([
    ['is not there', {}, 'Gardn', 'not-found', 'Did you mean Garden'],
    [
      'matches nothing',
      { 'Empty.md': '---\nnotewright: project\ntags: nowhere\n---\n' },
      'Empty',
      'not-found',
      'No note belongs to the project Empty. Check the folders, tags and notes in Empty.md.',
    ],
    [
      'is there twice',
      { 'Other/Garden.md': '---\nnotewright: project\ntags: x\n---\n' },
      'Garden',
      'ambiguous',
      'Projects/Garden.md',
    ],
    [
      'has a wrong scope',
      { 'W.md': '---\nnotewright: project\nfolders: [Garden]\nexclude: {a: 1}\n---\n' },
      'W',
      'invalid-input',
      'exclude must be',
    ],
    ['leads out', { 'W.md': '---\nnotewright: project\nfolders: ["../x"]\n---\n' }, 'W', 'invalid-input', '..'],
    ['names nothing', { 'W.md': '---\nnotewright: project\n---\n' }, 'W', 'invalid-input', 'names no folders'],
    [
      'is private',
      { 'W.md': '---\nnotewright: project\nprivate: true\nfolders: [Garden]\n---\n' },
      'W',
      'not-found',
      'no project W',
    ],
  ])('%s', async (_what, more, project, code, words) => {
    const { open } = await stage({ ...notes, ...more })
    const failure = await open({ project }).catch((error) => error)
    expect(failure).toMatchObject({ code })
    expect(`${failure.message} ${failure.details.hint}`).toContain(words)
  })
})
