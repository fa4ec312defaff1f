import { describe, expect, it } from 'vitest'
import { type MemoryHost, memoryHost } from '../../../test/doubles/memory-host.js'
import { type ScriptedStep, scriptedModel } from '../../../test/doubles/scripted-model.js'
import type { AgentEvent } from '../agent/index.js'
import type { UserAnswer, UserRequest } from '../approval/index.js'
import { configSchema } from '../config/index.js'
import { vaultFromHost } from './opened-vault.js'
import type { SessionOptions } from './session.js'

const notes = { 'Soil.md': 'Compost feeds the soil.\n', 'Plan.md': 'Dig.\n' }
const append = (content: string) => ({ name: 'append_note', input: { path: 'Plan.md', content } })
const done: ScriptedStep = { say: 'Done.' }

function openOn(host: MemoryHost) {
  const vault = vaultFromHost({ host, settings: configSchema.parse({}), approvalOptions: { remote: true } })
  const open = (script: readonly ScriptedStep[], options: SessionOptions = {}) => {
    const model = scriptedModel(script)
    return vault.openSession({ id: 's', model, ...options }).then((session) => ({ session, model, vault }))
  }
  return { vault, open }
}

/** Allows a request, or every request of a list. */
const allowed = (panel: UserRequest): UserAnswer =>
  panel.kind === 'batch'
    ? { verdict: 'each', answers: Object.fromEntries(panel.requests.map(({ id }) => [id, { verdict: 'allow' }])) }
    : { verdict: 'allow' }

const text = (host: MemoryHost, path: string) => new TextDecoder().decode(host.memory.snapshot().get(path as never))
const promptOf = (model: ReturnType<typeof scriptedModel>, at = 0) => JSON.stringify(model.prompts[at].prompt)

/** A copy of the store at each event, as after a kill at that moment. */
async function killedAt(type: AgentEvent['type'], script: readonly ScriptedStep[]): Promise<MemoryHost> {
  const host = await memoryHost(notes)
  const { vault, open } = openOn(host)
  const { session } = await open(script, { consent: 'ask' })
  const left = await memoryHost(notes)
  for await (const event of session.ask('Add sowing and weeding')) {
    if (event.type !== type) continue
    const { about, state } = (await vault.sessions.find('s'))!
    const writer = await left.sessions.write('s')
    const events = await vault.sessions.read('s')
    await writer.append({ events, about, ...(state && { state }) })
    await writer.release()
    left.log.calls.push(...host.log.calls)
    break
  }
  await session.close()
  return left
}

describe('a session interrupted during an approval', () => {
  const script: ScriptedStep[] = [{ call: [append('Sow.'), append('Weed.')] }, done]

  it('reports it, plans the calls again, asks again, and continues the turn', async () => {
    const host = await killedAt('approval-asked', script)
    expect((await host.sessions.list())[0].waiting).toBe(2)
    const { vault, open } = openOn(host)
    const { session, model } = await open([done])
    expect(session.pendingApproval()).toEqual({ text: 'Add sowing and weeding', calls: 2 })
    const events: AgentEvent[] = []
    for await (const event of session.resumeTurn()) {
      events.push(event)
      if (event.type !== 'approval-asked') continue
      const { id, hash } = event.panel
      vault.approvalQueue.answer(id, { ...allowed(event.panel), hash, session: 's' })
    }
    expect(events[0]).toMatchObject({ type: 'run-start', continues: true })
    expect(text(host, 'Plan.md')).toBe('Dig.\nSow.\nWeed.\n')
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'answered', text: 'Done.' })
    expect(promptOf(model).match(/Add sowing and weeding/g)).toHaveLength(1)
    expect(session.pendingApproval()).toBeUndefined()
    expect(session.state().messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    await session.close()
    const again = await open([done])
    expect(again.session.state().messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect((await host.sessions.list())[0]).toMatchObject({ waiting: 0, turns: 1 })
  })

  it('plans on the notes as they are now', async () => {
    const host = await killedAt('approval-asked', script)
    host.memory.write('Plan.md', 'Dug already.\n')
    const { vault, open } = openOn(host)
    const { session } = await open([done])
    for await (const event of session.resumeTurn()) {
      if (event.type !== 'approval-asked') continue
      const { id, hash } = event.panel
      vault.approvalQueue.answer(id, { ...allowed(event.panel), hash, session: 's' })
    }
    expect(text(host, 'Plan.md')).toBe('Dug already.\nSow.\nWeed.\n')
  })

  it('tells the model that nothing was done when the user asks something else', async () => {
    const host = await killedAt('approval-asked', script)
    const { open } = openOn(host)
    const { session, model } = await open([done])
    for await (const _ of session.ask('Never mind')) {
    }
    expect(promptOf(model)).toContain('The run was interrupted before this call was made. Nothing was done.')
    expect(text(host, 'Plan.md')).toBe('Dig.\n')
    expect(session.pendingApproval()).toBeUndefined()
  })
})

describe('a call that was logged', () => {
  const script: ScriptedStep[] = [{ call: [append('Sow.')] }, done]
  const logged = { timestamp: '2024-01-15T12:00:00Z', session: 's', tool_name: 'append_note', arguments: {} }

  async function resumedWith(outcome: object) {
    const host = await killedAt('tool-call', script)
    const [{ event }] = await host.sessions.read('s', { types: ['tool-call'] })
    const { call } = event as Extract<AgentEvent, { type: 'tool-call' }>
    host.log.calls.push({
      id: '1',
      ...logged,
      turn: call.turn,
      call: call.id,
      decision: 'approved',
      rule: 'person',
      ...outcome,
    })
    const { open } = openOn(host)
    const { session, model } = await open([done])
    expect(session.pendingApproval()).toBeUndefined()
    for await (const _ of session.ask('And?')) {
    }
    return { prompt: promptOf(model), plan: text(host, 'Plan.md') }
  }

  it('and has no outcome is reported as unknown, and not repeated', async () => {
    const { prompt, plan } = await resumedWith({})
    expect(prompt).toContain('It is unknown whether this call took effect')
    expect(plan).toBe('Dig.\n')
  })

  it('and has one is reported with it', async () => {
    const { prompt } = await resumedWith({ result: 'appended to Plan.md', duration_ms: 1 })
    expect(prompt).toContain('It was done before the run was interrupted: appended to Plan.md')
  })
})

it('stores nothing if configured so', async () => {
  const host = await memoryHost(notes)
  const { open } = openOn(host)
  const { session } = await open([done], { keep: false })
  for await (const _ of session.ask('Hello')) {
  }
  await session.close()
  expect(await host.sessions.list()).toEqual([])
})

it('is followed from any event on, by several at once', async () => {
  const host = await memoryHost(notes)
  const { vault, open } = openOn(host)
  const { session } = await open([{ say: 'One two three.' }, { say: 'Four.' }])
  for await (const _ of session.ask('Count')) {
  }
  const stop = new AbortController()
  const follow = async (after: number) => {
    const seen: number[] = []
    for await (const { seq, event } of vault.follow('s', after, stop.signal)) {
      seen.push(seq)
      if (event.type === 'run-end' && event.text === 'Four.') return seen
    }
    return seen
  }
  const following = [follow(0), follow(3)]
  for await (const _ of session.ask('More')) {
  }
  const [all, later] = await Promise.all(following)
  stop.abort()
  expect(all).toEqual(all.map((_, at) => at + 1))
  expect(later).toEqual(all.slice(3))
})

it('is followed without a gap by a slow reader', async () => {
  const host = await memoryHost(notes)
  const { vault, open } = openOn(host)
  const { session } = await open(Array.from({ length: 45 }, () => ({ say: 'Said.' })))
  const stop = new AbortController()
  const following = vault.follow('s', 0, stop.signal)
  const first = following.next()
  for (let turn = 0; turn < 45; turn++) for await (const _ of session.ask(`Question ${turn}`));
  const { last } = (await host.sessions.find('s'))!
  const seen = [(await first).value!.seq]
  for await (const { seq } of following) {
    seen.push(seq)
    if (seq === last) break
  }
  stop.abort()
  expect(last).toBeGreaterThan(200)
  expect(seen).toEqual(Array.from({ length: last }, (_, at) => at + 1))
})

it('masks secrets in stored events, even if a model streams one word by word', async () => {
  const host = await memoryHost(notes)
  const { open } = openOn(host)
  const key = 'sk-test-CANARYKEY1234567890'
  const { session } = await open([{ say: `Your key is ${key} and the api key = CANARYWORD99 too.` }, done])
  let shown = ''
  for await (const event of session.ask(`My key is ${key}`)) if (event.type === 'text-delta') shown += event.text
  expect(shown).toContain(key)
  await session.close()
  const kept = JSON.stringify([
    await host.sessions.read('s'),
    await host.sessions.find('s'),
    await host.sessions.list(),
  ])
  expect(kept).not.toMatch(/CANARY/)
  expect(kept).toContain('[redacted]')
})

it('stores a request before the user sees it', async () => {
  const host = await memoryHost(notes)
  const seen: string[] = []
  const asker = async () => {
    const kept = await host.sessions.read('s')
    seen.push(...kept.slice(-1).map(({ event }) => event.type))
    return { verdict: 'allow', scope: 'once' } as const
  }
  const vault = vaultFromHost({
    host,
    settings: configSchema.parse({}),
    approvalOptions: { askPerson: asker as never },
  })
  const model = scriptedModel([{ call: [append('Sow.')] }, done])
  const session = await vault.openSession({ id: 's', model })
  for await (const _ of session.ask('Add sowing')) {
  }
  expect(seen).toEqual(['approval-asked'])
  expect(text(host, 'Plan.md')).toContain('Sow.')
})
