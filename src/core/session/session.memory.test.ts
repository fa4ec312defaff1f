import { describe, expect, it } from 'vitest'
import { memoryHost } from '../../../test/doubles/memory-host.js'
import { type ScriptedStep, scriptedModel } from '../../../test/doubles/scripted-model.js'
import { type AgentEvent, type Mode, modes } from '../agent/index.js'
import { configSchema } from '../config/index.js'
import { notePath } from '../vault/index.js'
import { vaultFromHost } from './opened-vault.js'
import type { SessionOptions } from './session.js'

const file = 'Notewright memory.md'

async function stage(files: Record<string, string>, settings: object = {}) {
  const host = await memoryHost(files)
  const vault = vaultFromHost({ host, settings: configSchema.parse(settings) })
  const text = (path: string) => {
    const bytes = host.memory.snapshot().get(notePath(path))
    return bytes && new TextDecoder().decode(bytes)
  }
  const open = async (script: readonly ScriptedStep[], options: SessionOptions = {}) => {
    const model = scriptedModel(script)
    return { model, session: await vault.openSession({ model, consent: 'edit', ...options }) }
  }
  return { host, vault, text, open }
}

async function all(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

const system = (prompt: { prompt: { role: string; content: unknown }[] }) => `${prompt.prompt[0].content}`

describe('@ commands', () => {
  const results = (events: AgentEvent[]) =>
    events.flatMap((event) => (event.type === 'tool-result' ? [[event.result.name, event.result.ok]] : []))

  it.each(modes)('keep a memory in %s mode, and the model hears of it', async (mode: Mode) => {
    const { open, text } = await stage({ 'Soil.md': 'Loam.\n' })
    const { session, model } = await open([{ say: 'Noted.' }], { mode })
    const events = await all(session.ask('@memory I garden in zone 7'))
    expect(text(file)).toBe('- I garden in zone 7\n')
    expect(results(events)).toEqual([['remember', true]])
    expect(JSON.stringify(model.prompts.at(-1)?.prompt)).toContain(`Remembered in ${file}: I garden in zone 7`)
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'answered', text: 'Noted.' })
  })

  it.each(modes)('search the vault and read notes in %s mode', async (mode: Mode) => {
    const { open } = await stage({ 'Soil.md': 'Loam is best.\n', 'Plan.md': 'Dig in May.\n' })
    const { session, model } = await open([{ say: 'So.' }], { mode })
    await all(session.ask('@vault loam, and @note Plan'))
    const prompt = JSON.stringify(model.prompts.at(-1)?.prompt)
    expect(prompt).toContain('Loam is best.')
    expect(prompt).toContain('Dig in May.')
  })

  it.each(modes)('say in %s mode what could not be done', async (mode: Mode) => {
    const { open } = await stage({})
    const { session } = await open([{ say: 'I could not.' }], { mode })
    const events = await all(session.ask('@web blight'))
    expect(events.filter(({ type }) => type === 'notice')).toEqual([
      { type: 'notice', text: expect.stringContaining('web_search') },
    ])
  })

  it('are done also where the model is offered no tools', async () => {
    const { open, text } = await stage({})
    const { session } = await open([{ say: 'Noted.' }], { tools: false })
    await all(session.ask('@memory x'))
    expect(text(file)).toBe('- x\n')
  })

  it('keep a memory offline in every mode', async () => {
    for (const mode of modes) {
      const { vault, text } = await stage({})
      const session = await vault.openSession({ model: 'offline', mode, consent: 'edit' })
      const end = (await all(session.ask('@memory I like rye'))).at(-1)
      expect(end).toMatchObject({ reason: 'answered', text: expect.stringContaining('Remembered in') })
      expect(text(file)).toBe('- I like rye\n')
    }
  })
})

describe('memories', () => {
  it('are in the prompt, newest first, within their limit', async () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `- fact number ${at}`).join('\n')
    const { open } = await stage({ [file]: lines })
    const { session, model } = await open([{ say: 'Yes.' }])
    await all(session.ask('Hello'))
    const prompt = system(model.prompts[0])
    const facts = [...prompt.matchAll(/fact number (\d+)/g)].map(([, number]) => Number(number))
    expect(facts[0]).toBe(999)
    expect(facts).toEqual(facts.map((_, at) => 999 - at))
    expect(facts.length).toBeGreaterThan(100)
    expect(facts.length).toBeLessThan(500)
  })

  it('stays the same through a conversation that adds to it, and is new in the next', async () => {
    const { open, host } = await stage({ [file]: '- one\n' })
    const { session, model } = await open([{ say: 'Yes.' }])
    await all(session.ask('Hello'))
    await all(session.ask('@memory two'))
    await all(session.ask('And?'))
    expect(new Set(model.prompts.map(system)).size).toBe(1)
    const next = await open([{ say: 'Yes.' }])
    await all(next.session.ask('Hello'))
    expect(system(next.model.prompts.at(-1)!)).toContain('- two\n- one')
    host.memory.write(notePath(file), new TextEncoder().encode('- two\n'))
    await all(next.session.ask('Hello'))
    expect(system(next.model.prompts.at(-1)!)).not.toContain('- one')
  })

  it('is hidden with its note, and kept where the settings say', async () => {
    const hidden = await stage({ [file]: '---\nprivate: true\n---\n- CANARY\n' })
    const first = await hidden.open([{ say: 'Yes.' }])
    await all(first.session.ask('Hello'))
    expect(JSON.stringify(first.model.prompts)).not.toContain('CANARY')
    const denied = await stage({ 'Me/Mind.md': '- CANARY\n' }, { memory: { note: 'Me/Mind.md' } })
    const second = await denied.open([{ say: 'Yes.' }], { deny: ['reads(folder:Me)'] })
    await all(second.session.ask('@memory more'))
    expect(JSON.stringify(second.model.prompts)).not.toContain('CANARY')
    expect(denied.text('Me/Mind.md')).toBe('- CANARY\n')
    const third = await denied.open([{ say: 'Yes.' }])
    await all(third.session.ask('@memory more'))
    expect(denied.text('Me/Mind.md')).toBe('- CANARY\n- more\n')
  })
})
