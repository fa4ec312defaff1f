import { describe, expect, it } from 'vitest'
import { memoryHost } from '../../../test/doubles/memory-host.js'
import { type ScriptedStep, scriptedModel } from '../../../test/doubles/scripted-model.js'
import type { ApprovalRequest } from '../approval/index.js'
import { configSchema } from '../config/index.js'
import { Failure } from '../errors.js'
import { vaultFromHost } from './opened-vault.js'
import type { AskOptions } from './vault-calls.js'

const notes = {
  'Soil.md': '---\naliases: [Ground]\nstatus: done\n---\n# Soil\n\nCompost feeds the soil. #garden\n',
  'Plan.md': 'Dig.\n',
  'Diary.md': 'The soil of my heart.\n',
}

async function stage(settings: Record<string, unknown> = {}) {
  const host = await memoryHost(notes)
  const vault = vaultFromHost({ host, settings: configSchema.parse(settings) })
  const text = (path: string) => new TextDecoder().decode(host.memory.snapshot().get(path as never))
  return { host, vault, text }
}

const saying = (...steps: ScriptedStep[]): AskOptions => ({ model: scriptedModel(steps) })
const append: ScriptedStep = { call: [{ name: 'append_note', input: { path: 'Plan.md', content: 'Sow.' } }] }
const done: ScriptedStep = { say: 'Done.' }

describe('vault.ask', () => {
  it('is awaited for the text, its checked citations, and what it took', async () => {
    const { vault } = await stage()
    const answer = await vault.ask(
      'What feeds the soil?',
      saying({ say: '"Compost feeds the soil." ([[Soil]]) See also [[Soil]] and [[Nowhere]].' }),
    )
    expect(answer).toMatchObject({
      text: '"Compost feeds the soil." ([[Soil]]) See also [[Soil]] and [[Nowhere]].',
      sources: ['Soil.md'],
      changes: [],
      reason: 'answered',
      model: 'scripted/scripted',
      usage: { input: 10, output: 5 },
    })
    expect(answer.citations.map(({ check }) => check)).toEqual(['verbatim', 'unquoted', 'missing'])
    expect(answer).not.toHaveProperty('refused')
  })

  it('yields the events of its turn, and can be awaited after, before and during the loop', async () => {
    const { vault } = await stage()
    const after = vault.ask('Hello', saying(done))
    const types: string[] = []
    for await (const { type } of after) {
      types.push(type)
      // Awaited inside, the events that are left still come.
      if (type === 'run-start') expect((await after).text).toBe('Done.')
    }
    expect(types[0]).toBe('run-start')
    expect(types).toContain('text-delta')
    expect(types.at(-1)).toBe('run-end')
    expect((await after).text).toBe('Done.')

    const before = vault.ask('Hello', saying(done))
    expect((await before).text).toBe('Done.')
    const later: string[] = []
    for await (const { type } of before) later.push(type)
    expect(later).toEqual(types)
  })

  it('sends nothing before it is awaited or read, and asks once however often it is awaited', async () => {
    const { vault } = await stage()
    const model = scriptedModel([done])
    const pending = vault.ask('Hello', { model })
    await vault.read('Plan')
    expect(model.prompts).toEqual([])
    const [one, two] = await Promise.all([pending, pending])
    expect(one).toBe(two)
    expect(model.prompts).toHaveLength(1)
  })

  it('throws the failure of the turn, awaited and in the loop', async () => {
    const { vault } = await stage()
    const failing = saying({ fail: new Failure('network', 'The server is away.', { hint: 'Start it.' }) })
    const pending = vault.ask('Hello', failing)
    const seen: string[] = []
    const loop = async () => {
      for await (const { type } of pending) seen.push(type)
    }
    await expect(loop()).rejects.toBeInstanceOf(Failure)
    expect(seen).not.toContain('run-end')
    await expect(pending).rejects.toMatchObject({ code: 'network', hint: expect.any(String) })
    await expect(vault.ask('Hello', { model: 'nobody/nothing' })).rejects.toMatchObject({ name: 'Failure' })
  })

  it('throws the reason of an aborted signal, before and during the turn', async () => {
    const { vault } = await stage()
    const reason = new Error('Enough.')
    await expect(vault.ask('Hello', { ...saying(done), signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const stop = new AbortController()
    const pending = vault.ask('Hello', { ...saying({ stall: true }), signal: stop.signal })
    const loop = async () => {
      for await (const { type } of pending) if (type === 'step-start') stop.abort(reason)
    }
    await expect(loop()).rejects.toBe(reason)
    await expect(pending).rejects.toBe(reason)
  })

  it('is stopped by leaving the loop', async () => {
    const { vault, text } = await stage()
    const pending = vault.ask('Add it', { ...saying(append, done), approve: () => true })
    for await (const { type } of pending) if (type === 'run-start') break
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
    for await (const { type } of pending) expect(type).toBe('')
    expect(text('Plan.md')).toBe('Dig.\n')
  })

  it('ends with the vault', async () => {
    const { vault } = await stage()
    const pending = vault.ask('Hello', saying({ stall: true }))
    const loop = async () => {
      for await (const { type } of pending) if (type === 'step-start') void vault.close()
    }
    await expect(loop()).rejects.toMatchObject({ name: 'Failure', code: 'conflict' })
  })

  it('stores nothing', async () => {
    const { vault, host } = await stage()
    await vault.ask('Hello', saying(done))
    expect(await host.sessions.list()).toEqual([])
  })
})

describe('changes that an answer needs', () => {
  it.each(['ask', 'edit', 'auto'])('are denied by default, also if the settings say %s', async (consent) => {
    const { vault, text } = await stage({ consent })
    const answer = await vault.ask('Add it', saying(append, done))
    expect(answer).toMatchObject({ text: 'Done.', changes: [], refused: { code: 'denied' } })
    expect(text('Plan.md')).toBe('Dig.\n')
  })

  it.each(['ask', 'auto'])('are made if the callback says so, and can be undone (settings: %s)', async (consent) => {
    const { vault, text } = await stage({ consent })
    const seen: ApprovalRequest[] = []
    const answer = await vault.ask('Add it', {
      ...saying(append, done),
      approve(request) {
        seen.push(request)
        return true
      },
    })
    expect(seen.map(({ tool, changes }) => [tool.name, changes?.length])).toEqual([['append_note', 1]])
    expect(text('Plan.md')).toBe('Dig.\nSow.\n')
    expect(answer.changes).toEqual([{ id: expect.any(String), title: expect.any(String), paths: ['Plan.md'] }])
    expect(await vault.undo(answer.changes[0]?.id ?? '')).toMatchObject({ paths: ['Plan.md'] })
    expect(text('Plan.md')).toBe('Dig.\n')
  })

  it('are denied by false, undefined or a reason, which the model receives', async () => {
    const { vault, text } = await stage()
    for (const approval of [false, undefined, { verdict: 'deny', words: 'Not today.' } as const]) {
      const model = scriptedModel([append, done])
      const answer = await vault.ask('Add it', { model, approve: async () => approval })
      expect(answer.refused?.code).toBe('denied')
      expect(JSON.stringify(model.prompts.at(-1)).includes('Not today.')).toBe(typeof approval === 'object')
    }
    expect(text('Plan.md')).toBe('Dig.\n')
  })

  it('are denied if the callback throws, and the call throws that error', async () => {
    const { vault, text } = await stage()
    const bug = new TypeError('x is not a function')
    const approve = () => {
      throw bug
    }
    await expect(vault.ask('Add it', { ...saying(append, done), approve })).rejects.toBe(bug)
    expect(text('Plan.md')).toBe('Dig.\n')
  })

  it('follow the level that the caller gives', async () => {
    const { vault, text } = await stage()
    const answer = await vault.ask('Add it', { ...saying(append, done), consent: 'edit' })
    expect(answer.changes).toHaveLength(1)
    expect(text('Plan.md')).toBe('Dig.\nSow.\n')
  })
})

describe('vault.session', () => {
  it('remembers the questions before, and asks its own callback', async () => {
    const { vault } = await stage()
    const model = scriptedModel([{ say: 'Tomatoes.' }, append, done])
    const session = await vault.session({ model, approve: () => true })
    await session.ask('What do we sow?')
    expect((await session.ask('Write it down')).changes).toHaveLength(1)
    expect(JSON.stringify(model.prompts.at(-1)?.prompt)).toContain('Tomatoes.')
    await session.close()
  })

  it('is stored and continued under its id', async () => {
    const { vault, host } = await stage()
    const first = await vault.session({ ...saying({ say: 'Tomatoes.' }), id: 'garden' })
    await first.ask('What do we sow?')
    await first.close()
    const model = scriptedModel([done])
    const again = await vault.session({ model, id: 'garden' })
    await again.ask('And then?')
    expect(JSON.stringify(model.prompts[0]?.prompt)).toContain('Tomatoes.')
    expect((await host.sessions.list()).map(({ id }) => id)).toEqual(['garden'])
  })

  it('answers one question at a time', async () => {
    const { vault } = await stage()
    const session = await vault.session(saying(done))
    const results = await Promise.allSettled([session.ask('One'), session.ask('Two')])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(results[1]).toMatchObject({ reason: { code: 'conflict' } })
  })
})

describe('vault.search and vault.read', () => {
  it('find a note that was written a moment ago', async () => {
    const { vault, host } = await stage()
    host.memory.write('Worms.md', 'Worms dig tunnels.\n')
    const { hits, freshness } = await vault.search('tunnels')
    expect(hits.map(({ path }) => path)).toEqual(['Worms.md'])
    expect(freshness).toBe('fresh')
    expect((await vault.search('soil', { limit: 1 })).hits).toHaveLength(1)
    expect((await vault.search('soil', { tags: ['garden'] })).hits.map(({ path }) => path)).toEqual(['Soil.md'])
  })

  it('read a note by its path, name or alias', async () => {
    const { vault } = await stage()
    for (const name of ['Soil.md', 'soil', 'Ground']) {
      expect(await vault.read(name)).toEqual({
        path: 'Soil.md',
        title: 'Soil',
        text: notes['Soil.md'],
        tags: ['garden'],
        aliases: ['Ground'],
        properties: { aliases: ['Ground'], status: 'done' },
      })
    }
    await expect(vault.read('Nowhere')).rejects.toMatchObject({ code: 'not-found', hint: expect.any(String) })
  })

  it('hide notes that a rule denies', async () => {
    const { vault, host } = await stage({ permissions: { deny: ['reads(Diary.md)'] } })
    host.rules = { deny: ['reads(Plan.md)'] }
    expect((await vault.search('soil')).hits.map(({ path }) => path)).toEqual(['Soil.md'])
    await expect(vault.read('Diary')).rejects.toMatchObject({ code: 'not-found' })
    await expect(vault.read('Plan')).rejects.toMatchObject({ code: 'not-found' })
  })
})
