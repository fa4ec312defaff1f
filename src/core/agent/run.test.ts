import { describe, expect, it } from 'vitest'
import type { ScriptedStep } from '../../../test/doubles/scripted-model.js'
import { scriptedModel } from '../../../test/doubles/scripted-model.js'
import { openGuard, testContext } from '../../../test/tools/call-tool.js'
import { Failure } from '../errors.js'
import { defaultProfile } from '../model/index.js'
import { fileTools, searchTools } from '../tools/built-in.js'
import { type Decision, memoryLog, registry, type ToolSetup } from '../tools/index.js'
import { run } from './run.js'
import type { AgentEvent, AgentSetup, RunEnd, Turn } from './turn.js'

const notes = {
  'Garden/Tomatoes.md': '# Tomatoes\n\nWater them in the morning.\n',
  'Soil.md': 'Compost feeds the soil.\n',
}

type Script = Parameters<typeof scriptedModel>[0]

async function stage(script: Script, more: { rulings?: Decision[]; setup?: Partial<AgentSetup> } = {}) {
  const context = await testContext(notes)
  const log = memoryLog()
  const tools = registry([...searchTools, ...fileTools])
  const model = scriptedModel(script)
  const setup: AgentSetup = {
    model,
    modelName: 'scripted/test',
    profile: defaultProfile,
    tools: {
      registry: tools,
      context,
      guard: openGuard(...(more.rulings ?? [])),
      log,
      apply: context.apply,
    } as ToolSetup,
    toolset: tools.all().map(({ tool }) => tool),
    settings: { retry: { attempts: 1 } },
    signal: new AbortController().signal,
    ...more.setup,
  }
  return { setup, model, log, context }
}

const turn = (text: string, mode: Turn['mode'] = 'agent'): Turn => ({ id: 't1', text, mode })

async function collect(
  events: AsyncIterable<AgentEvent>,
): Promise<{ events: AgentEvent[]; end: RunEnd; kinds: string[] }> {
  const all: AgentEvent[] = []
  for await (const event of events) all.push(event)
  const ends = all.filter((event) => event.type === 'run-end')
  expect(ends).toHaveLength(1)
  expect(all.at(-1)).toBe(ends[0])
  return {
    events: all,
    end: ends[0],
    kinds: all.map(({ type }) => type).filter((type) => !['text-delta', 'messages'].includes(type)),
  }
}

const search: ScriptedStep = { say: 'Let me look.', call: [{ name: 'search_notes', input: { query: 'tomatoes' } }] }
const quote = 'They want it early: "Water them in the morning." [[Garden/Tomatoes]]'

describe('a turn of the agent', () => {
  it('searches, reads and answers with a checked citation', async () => {
    const read: ScriptedStep = { call: [{ name: 'read_note', input: { path: 'Garden/Tomatoes.md' } }] }
    const { setup, model, log } = await stage([search, read, { say: quote }])
    const { end, events, kinds } = await collect(run(turn('when to water?'), setup))
    expect(end).toMatchObject({ reason: 'answered', text: quote, steps: 3, usage: { input: 30, output: 15 } })
    expect(kinds).toEqual([
      'run-start',
      ...['step-start', 'step-end', 'tool-call', 'tool-result'],
      ...['step-start', 'step-end', 'tool-call', 'tool-result'],
      ...['step-start', 'step-end'],
      'citations',
      'run-end',
    ])
    expect(events.find((event) => event.type === 'citations')).toMatchObject({
      citations: [{ path: 'Garden/Tomatoes.md', check: 'verbatim', lines: [3, 3] }],
    })
    expect(log.calls.map(({ tool_name, turn: of }) => [tool_name, of])).toEqual([
      ['search_notes', 't1'],
      ['read_note', 't1'],
    ])
    expect(JSON.stringify(model.prompts[2].prompt)).toContain('Water them in the morning')
  })

  it('writes only what the guard allows, and reports a denial to the model', async () => {
    const write: ScriptedStep = { call: [{ name: 'write_note', input: { path: 'New.md', content: 'x' } }] }
    const no: Decision = { verdict: 'deny', code: 'denied', rule: 'person', reason: 'User cancelled tool execution' }
    const { setup, model, context } = await stage([write, { say: 'Then not.' }], { rulings: [no] })
    const { end } = await collect(run(turn('make a note'), setup))
    expect(end).toMatchObject({ reason: 'answered', text: 'Then not.' })
    expect(context.memory.snapshot().has('New.md')).toBe(false)
    expect(JSON.stringify(model.prompts[1].prompt)).toContain('User cancelled tool execution')
  })

  it('lets the model correct invalid arguments', async () => {
    const wrong: ScriptedStep = { call: [{ name: 'read_note', input: { file: 'Soil.md' } }] }
    const broken: ScriptedStep = { call: [{ name: 'read_note', input: '{"path": "So' }] }
    const right: ScriptedStep = { call: [{ name: 'read_note', input: { path: 'Soil.md' } }] }
    const { setup, model } = await stage([wrong, broken, right, { say: 'Done.' }])
    const { events } = await collect(run(turn('read'), setup))
    const results = events.flatMap((event) => (event.type === 'tool-result' ? [event.result] : []))
    expect(results.map(({ ok }) => ok)).toEqual([false, false, true])
    expect(JSON.stringify(model.prompts[1].prompt)).toContain('Tool read_note validation failed: file: unknown field')
    expect(JSON.stringify(model.prompts[2].prompt)).toContain('not valid JSON')
  })

  it('answers without tools at the step limit, from what was found', async () => {
    let asked = 0
    const { setup, model } = await stage(
      [
        ({ toolChoice }) => {
          if (toolChoice?.type === 'none') return { say: 'What I found so far.' }
          return { call: [{ name: 'search_notes', input: { query: `try ${++asked}` } }] }
        },
      ],
      { setup: { maxSteps: 4 } },
    )
    const { end } = await collect(run(turn('look'), setup))
    expect(end).toMatchObject({ reason: 'step-limit', text: 'What I found so far.', steps: 4 })
    expect(asked).toBe(3)
    // Kept: providers refuse calls in a conversation without tools, and the cached prefix stays valid.
    expect(model.prompts[3].tools).toEqual(model.prompts[2].tools)
  })

  it('ends at the step limit with a model that never stops calling tools', async () => {
    const { setup, log } = await stage([search], { setup: { maxSteps: 2 } })
    const { end, events } = await collect(run(turn('look'), setup))
    expect(end).toMatchObject({ reason: 'step-limit' })
    expect(events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))).toEqual([
      'The model kept calling tools instead of answering.',
    ])
    expect(log.calls).toHaveLength(1)
  })

  it('stops a model that makes the same call three times', async () => {
    const { setup, log } = await stage([
      ({ toolChoice }) => (toolChoice?.type === 'none' ? { say: 'Enough.' } : search),
    ])
    const { end, events } = await collect(run(turn('look'), setup))
    expect(end).toMatchObject({ reason: 'step-limit', text: 'Enough.', steps: 4 })
    expect(events.some((event) => event.type === 'notice')).toBe(true)
    // The second and third identical reads came from the turn's memory.
    expect(log.calls).toHaveLength(1)
  })

  it('reads again what was read before once a note has changed', async () => {
    const read: ScriptedStep = { call: [{ name: 'read_note', input: { path: 'Soil.md' } }] }
    const append: ScriptedStep = { call: [{ name: 'append_note', input: { path: 'Soil.md', content: 'Worms too.' } }] }
    const { setup, model, log } = await stage([read, read, append, read, { say: 'Done.' }])
    const { events } = await collect(run(turn('go'), setup))
    const cached = events.flatMap((event) => (event.type === 'tool-result' ? [event.cached === true] : []))
    expect(cached).toEqual([false, true, false, false])
    expect(log.calls).toHaveLength(3)
    expect(JSON.stringify(model.prompts[4].prompt)).toContain('Worms too.')
  })

  it('runs the reads of one step side by side, and gives their results in order', async () => {
    const both: ScriptedStep = {
      call: [
        { name: 'read_note', input: { path: 'Soil.md' } },
        { name: 'read_note', input: { path: 'Garden/Tomatoes.md' } },
      ],
    }
    const { setup, model } = await stage([both, { say: 'Both.' }])
    const { kinds } = await collect(run(turn('read both'), setup))
    expect(kinds.slice(3, 7)).toEqual(['tool-call', 'tool-call', 'tool-result', 'tool-result'])
    const results = model.prompts[1].prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []))
    expect(JSON.stringify(results[0])).toContain('Compost')
    expect(JSON.stringify(results[1])).toContain('Water')
  })

  it('does not run thousands of calls of one step', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({ name: 'search_notes', input: { query: `q${at}` } }))
    const { setup, log, model } = await stage([{ call: many }, { say: 'Sorry.' }])
    const { end } = await collect(run(turn('go'), setup))
    expect(end.reason).toBe('answered')
    expect(log.calls.filter(({ decision }) => decision === 'allowed')).toHaveLength(32)
    expect(log.calls).toHaveLength(100)
    const calls = model.prompts[1].prompt.flatMap(({ role, content }) => (role === 'assistant' ? content : []))
    expect(calls).toHaveLength(100)
  })
})

describe('errors', () => {
  it('ends a stopped turn immediately, with the partial answer', async () => {
    const stop = new AbortController()
    const { setup } = await stage([search, { stall: true }], { setup: { signal: stop.signal } })
    setup.tools.context.signal = stop.signal
    const events: AgentEvent[] = []
    for await (const event of run(turn('look'), setup)) {
      events.push(event)
      if (event.type === 'step-start' && event.step === 2) stop.abort(new Error('Esc'))
    }
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'stopped' })
  })

  it('says what failed, and keeps the conversation usable', async () => {
    const { setup } = await stage([search, { fail: new Error('socket hang up') }])
    const { end } = await collect(run(turn('look'), setup))
    expect(end).toMatchObject({ reason: 'failed', failure: { code: 'network' } })
    expect(end.messages.at(-1)?.role).toBe('tool')
  })

  it('plans once instead when the calling itself fails and nothing was done yet', async () => {
    const { setup } = await stage([
      {},
      { call: [{ name: 'search_notes', input: { query: 'soil' } }] },
      { say: 'Compost.' },
    ])
    const { end, events } = await collect(run(turn('soil?'), setup))
    expect(end).toMatchObject({ reason: 'answered', text: 'Compost.' })
    expect(events.find((event) => event.type === 'notice')).toMatchObject({
      text: expect.stringContaining('planned at once'),
    })
  })

  it('never starts over after an effect', async () => {
    const write: ScriptedStep = { call: [{ name: 'write_note', input: { path: 'New.md', content: 'x' } }] }
    const { setup, log } = await stage([write, {}])
    const { end } = await collect(run(turn('write'), setup))
    expect(end.reason).toBe('failed')
    expect(log.calls.filter(({ tool_name }) => tool_name === 'write_note')).toHaveLength(1)
  })

  it('passes on a failure of ours as it is', async () => {
    const failure = new Failure('network', 'No key for OpenAI.', { hint: 'notewright keys set openai' })
    const { setup } = await stage([{ fail: failure }])
    expect((await collect(run(turn('x'), setup))).end).toMatchObject({
      reason: 'failed',
      failure: { text: 'No key for OpenAI.', hint: 'notewright keys set openai' },
    })
  })
})

describe('the other modes', () => {
  it('chat offers no tools', async () => {
    const { setup, model } = await stage([{ say: 'Hello.' }])
    const { end } = await collect(run(turn('hi', 'chat'), setup))
    expect(end).toMatchObject({ reason: 'answered', text: 'Hello.', steps: 1 })
    expect(model.prompts[0].tools ?? []).toEqual([])
  })

  it('vault-qa retrieves first and answers from that', async () => {
    const { setup, model, log } = await stage([{ say: quote }])
    const { end, kinds } = await collect(run(turn('when to water tomatoes?', 'vault-qa'), setup))
    expect(kinds.slice(0, 4)).toEqual(['run-start', 'tool-call', 'tool-result', 'step-start'])
    expect(end.reason).toBe('answered')
    expect(log.calls.map(({ tool_name }) => tool_name)).toEqual(['search_notes'])
    expect(JSON.stringify(model.prompts[0].prompt)).toContain('Water them in the morning')
  })

  it('plan runs @commands even if the model plans nothing', async () => {
    const { setup } = await stage([{}, { say: 'Compost.' }])
    const { end, events } = await collect(run(turn('@[[Soil]] what feeds it', 'plan'), setup))
    expect(events.flatMap((event) => (event.type === 'tool-result' ? [event.call.name] : []))).toEqual(['read_note'])
    expect([end.reason, end.text]).toEqual(['answered', 'Compost.'])
  })

  it('plan runs what the model planned and what @commands ask for, then answers once', async () => {
    const planned: ScriptedStep = { call: [{ name: 'read_note', input: { path: 'Soil.md' } }] }
    const { setup, log, model } = await stage([planned, { say: 'Both considered.' }])
    const { end } = await collect(run(turn('@vault water and @[[Tomatoes]]', 'plan'), setup))
    expect(end).toMatchObject({ reason: 'answered', text: 'Both considered.', steps: 2 })
    expect(log.calls.map(({ tool_name }) => tool_name).sort()).toEqual(['read_note', 'read_note', 'search_notes'])
    const last = JSON.stringify(model.prompts[1].prompt)
    expect(last).toContain('Compost')
    expect(last).toContain('Water them')
  })
})

describe('the prompt', () => {
  it('names the open note and the selection, and carries guidance of the tools offered only', async () => {
    const { setup, model } = await stage([{ say: 'ok' }])
    const context = { currentNote: 'Soil.md', selection: 'Compost' }
    await collect(
      run(
        { ...turn('what is this?'), context },
        {
          ...setup,
          toolset: setup.toolset.slice(0, 1),
          guidance: { search_notes: { guidance: 'Try twice.' }, read_note: { guidance: 'Never.' } },
        },
      ),
    )
    const prompt = JSON.stringify(model.prompts[0].prompt)
    expect(prompt).toContain('The open note is')
    expect(prompt).toContain('Compost')
    expect(prompt).toContain('search_notes: Try twice.')
    expect(prompt).not.toContain('Never.')
  })

  it('starts with the same words in every turn, so that providers can cache them', async () => {
    const { setup, model } = await stage([{ say: 'ok' }])
    await collect(run(turn('one'), setup))
    await collect(run({ ...turn('two'), context: { currentNote: 'Soil.md' } }, setup))
    expect(model.prompts[0].prompt[0]).toEqual(model.prompts[1].prompt[0])
  })
})
