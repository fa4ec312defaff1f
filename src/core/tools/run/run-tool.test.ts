import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openGuard, testContext } from '../../../../test/tools/call-tool.js'
import { Failure } from '../../errors.js'
import { changeSet, newNotePath, notePath } from '../../vault/index.js'
import type { Decision } from '../guard.js'
import { registry } from '../registry.js'
import { defineTool, type Tool } from '../tool.js'
import { memoryLog } from '../tool-log.js'
import { runTool } from './run-tool.js'
import type { ToolSetup } from './tool-call.js'

const words = {
  title: 'Test',
  description: 'A tool for tests.',
  activity: 'Testing',
  category: 'custom',
  effects: ['reads'],
} as const

const shout = defineTool({
  ...words,
  name: 'shout',
  input: z.object({ text: z.string(), times: z.int().min(1).optional() }),
  output: z.object({ text: z.string() }),
  run: async ({ text, times = 1 }) => ({ text: text.toUpperCase().repeat(times) }),
  render: ({ text }) => text,
})

const jot = defineTool({
  ...words,
  name: 'jot',
  effects: ['writes'],
  input: z.object({ path: z.string(), content: z.string() }),
  output: z.object({ path: z.string() }),
  plan: async ({ path, content }, { session }) => ({
    changes: changeSet(
      `Create ${path}`,
      [{ kind: 'create', path: newNotePath(path), after: new TextEncoder().encode(content) }],
      { session },
    ),
    output: { path },
  }),
  render: ({ path }) => `Note created successfully: ${path}`,
})

const share = defineTool({
  ...words,
  name: 'share',
  input: z.object({ filePaths: z.array(z.string()) }),
  output: z.object({ paths: z.array(z.string()) }),
  reaches: async ({ filePaths }) => ({ pick: filePaths.map(notePath) }),
  narrow: (input, picked) => ({ filePaths: input.filePaths.filter((path) => picked.includes(notePath(path))) }),
  run: async ({ filePaths }) => ({ paths: filePaths }),
  render: ({ paths }) => `Shared ${paths.join(', ')}`,
})

async function setupOf(tools: Tool[], rulings: Decision[] = [], more: Pick<ToolSetup, 'offered' | 'dryRun'> = {}) {
  const context = await testContext({ 'A.md': 'alpha', 'B.md': '---\nsource: https://example.org/x\n---\nbeta' })
  const guard = openGuard(...rulings)
  const log = memoryLog()
  return { registry: registry(tools), context, guard, log, apply: context.apply, ...more }
}

const call = (name: string, input: unknown) => ({ id: 'c1', name, input })

describe('running a tool', () => {
  it('checks, runs, renders and logs', async () => {
    const setup = await setupOf([shout])
    const result = await runTool(call('shout', { text: 'hi', times: 2 }), setup)
    expect(result).toMatchObject({ ok: true, output: { text: 'HIHI' }, text: 'HIHI', logId: '1' })
    expect(setup.log.calls).toMatchObject([
      { tool_name: 'shout', arguments: { text: 'hi', times: 2 }, decision: 'allowed', rule: 'test', session: 'test' },
    ])
    expect(setup.log.calls[0].duration_ms).toBeGreaterThanOrEqual(0)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'done'],
    ['a bare change set', changeSet('Create C.md', [])],
    ['a list of changes', []],
    ['changes without a set', { changes: [], output: {} }],
    ['no output', { changes: changeSet('Create C.md', []) }],
  ])('says that plan returned a wrong value: %s', async (_name, returned) => {
    const wrong = { ...jot, plan: async () => returned } as unknown as Tool
    const result = await runTool(call('jot', { path: 'C.md', content: 'x' }), await setupOf([wrong]))
    expect(result).toMatchObject({ ok: false, code: 'internal' })
    expect(result.text).toContain('jot returned an invalid value from plan')
    expect(result.text).toContain('{ changes, output }')
    expect(result.text).not.toContain('failed unexpectedly')
  })

  it('says which arguments are wrong and why, in one line', async () => {
    const setup = await setupOf([shout])
    const result = await runTool(call('shout', { times: 'two', volume: 11 }), setup)
    expect(result).toMatchObject({ ok: false, code: 'invalid-input' })
    expect(result.text).toBe(
      'Tool shout validation failed: text: required, times: expected number, received string, ' +
        'volume: unknown field (available: text, times)',
    )
    expect(setup.log.calls).toMatchObject([{ decision: 'refused', error: { code: 'invalid-input' } }])
  })

  it('never takes malformed JSON for no arguments', async () => {
    const setup = await setupOf([shout])
    const result = await runTool(call('shout', '{"text": "hi'), setup)
    expect(result.text).toMatch(/^Tool shout validation failed: input: not valid JSON/)
  })

  it('reads arguments that came as JSON text, and null as an optional field left out', async () => {
    const setup = await setupOf([shout])
    expect(await runTool(call('shout', '{"text":"hi","times":null}'), setup)).toMatchObject({
      ok: true,
      output: { text: 'HI' },
    })
  })

  it('names near tools when there is no such tool', async () => {
    const setup = await setupOf([shout])
    const result = await runTool(call('shuot', {}), setup)
    expect(result).toMatchObject({ code: 'unknown-tool', text: 'Unknown tool: shuot. Did you mean shout?' })
    expect((await runTool(call('', {}), setup)).text).toBe('Invalid tool call - missing tool name')
  })

  it('treats a tool that is off like one that does not exist', async () => {
    const setup = await setupOf([shout, jot], [], { offered: new Set(['jot']) })
    const result = await runTool(call('shout', { text: 'x' }), setup)
    expect(result).toMatchObject({ code: 'unknown-tool', text: 'Unknown tool: shout. Available tools: jot.' })
  })

  it('tells the model only that there was a bug, and logs the details', async () => {
    const broken = defineTool({
      ...words,
      name: 'broken',
      input: z.object({}),
      output: z.object({}),
      run: fail,
      render: String,
    })
    const setup = await setupOf([broken])
    const result = await runTool(call('broken', {}), setup)
    expect(result).toMatchObject({ ok: false, code: 'internal', text: 'broken failed unexpectedly.' })
    expect(setup.log.calls[0].error?.message).toContain('/secret/place')
  })

  it('gives a failure with its hint, and the command of a terminal apart from what the model reads', async () => {
    const missing = defineTool({
      ...words,
      name: 'missing',
      input: z.object({}),
      output: z.object({}),
      run: async () => {
        throw new Failure('not-found', 'Note not found: X.md', {
          hint: 'Search first.',
          command: 'notewright search X',
        })
      },
      render: String,
    })
    const result = await runTool(call('missing', null), await setupOf([missing]))
    expect(result).toMatchObject({
      code: 'not-found',
      text: 'Note not found: X.md. Search first.',
      hint: 'Search first.',
      command: 'notewright search X',
    })
  })

  it('ends a tool at its time limit, even one that does not listen, and aborts its signal', async () => {
    let signal: AbortSignal | undefined
    const stuck = defineTool({
      ...words,
      name: 'stuck',
      timeoutMs: 20,
      input: z.object({}),
      output: z.object({}),
      run: (_input, context) => {
        signal = context.signal
        return new Promise<never>(() => {})
      },
      render: String,
    })
    const result = await runTool(call('stuck', {}), await setupOf([stuck]))
    expect(result).toMatchObject({ ok: false, code: 'timeout' })
    expect(result.text).toMatch(/^stuck timed out after 20ms/)
    expect(signal?.aborted).toBe(true)
  })

  it('does not turn a stop into a result', async () => {
    const stop = new AbortController()
    const waiting = defineTool({
      ...words,
      name: 'waiting',
      input: z.object({}),
      output: z.object({}),
      run: () => new Promise<never>(() => {}),
      render: String,
    })
    const setup = await setupOf([waiting])
    const running = runTool(call('waiting', {}), { ...setup, context: { ...setup.context, signal: stop.signal } })
    stop.abort(new Error('stopped by the person'))
    await expect(running).rejects.toThrow('stopped by the person')
    expect(setup.log.calls).toMatchObject([{ error: { code: 'aborted' } }])
  })
})

describe('a tool that writes', () => {
  it('writes the plan, and can be undone', async () => {
    const setup = await setupOf([jot])
    const result = await runTool(call('jot', { path: 'New.md', content: 'x' }), setup)
    expect(result).toMatchObject({ ok: true, text: 'Note created successfully: New.md' })
    expect(setup.context.memory.snapshot().has('New.md')).toBe(true)
    const undo = await setup.context.memory.planUndo({ session: 'test' })
    await setup.context.apply(undo)
    expect(setup.context.memory.snapshot().has('New.md')).toBe(false)
  })

  it('has its intent in the log before anything is written', async () => {
    const setup = await setupOf([jot])
    const seen: unknown[] = []
    await runTool(call('jot', { path: 'New.md', content: 'x' }), {
      ...setup,
      apply: async (changes) => {
        seen.push(setup.log.calls.map(({ tool_name, change_set }) => [tool_name, change_set === changes.id]))
        return setup.apply(changes)
      },
    })
    expect(seen).toEqual([[['jot', true]]])
  })

  it('does nothing when the intent cannot be logged', async () => {
    const setup = await setupOf([jot])
    const log = { ...setup.log, intend: () => Promise.reject(new Failure('internal', 'The log cannot be written.')) }
    const result = await runTool(call('jot', { path: 'New.md', content: 'x' }), { ...setup, log })
    expect(result.ok).toBe(false)
    expect(setup.context.memory.snapshot().has('New.md')).toBe(false)
  })

  it('does nothing on a no, and logs the no', async () => {
    const denied: Decision = {
      verdict: 'deny',
      code: 'denied',
      rule: 'person',
      reason: 'User cancelled tool execution',
    }
    const setup = await setupOf([jot], [denied])
    const result = await runTool(call('jot', { path: 'New.md', content: 'x' }), setup)
    expect(result).toMatchObject({ ok: false, code: 'denied', text: 'User cancelled tool execution' })
    expect(setup.log.calls).toMatchObject([{ decision: 'denied', rule: 'person', error: { code: 'denied' } }])
    expect(setup.context.memory.snapshot().has('New.md')).toBe(false)
  })

  it('only shows what it would do in a dry run', async () => {
    const setup = await setupOf([jot], [], { dryRun: true })
    const result = await runTool(call('jot', { path: 'New.md', content: 'x' }), setup)
    expect(result).toMatchObject({ ok: true, text: 'Would do: Create New.md', planned: { title: 'Create New.md' } })
    expect(setup.context.memory.snapshot().has('New.md')).toBe(false)
    expect(setup.log.calls).toMatchObject([{ decision: 'dry-run' }])
  })

  it('does not ask in a dry run', async () => {
    const denied: Decision = { verdict: 'deny', code: 'denied', rule: 'person', reason: 'no' }
    const setup = await setupOf([jot], [denied], { dryRun: true })
    expect(await runTool(call('jot', { path: 'New.md', content: 'x' }), setup)).toMatchObject({ ok: true })
    expect(setup.context.memory.snapshot().has('New.md')).toBe(false)
  })

  it('does not answer a book with a book', async () => {
    const setup = await setupOf([{ ...shout, run: async ({ text }) => Promise.reject(new Failure('not-found', text)) }])
    const { text } = await runTool(call('shout', { text: 'x'.repeat(1_000_000), times: 1 }), setup)
    expect(text).toMatch(/^x{2000}… \(shortened from 1,000,000 characters\)$/)
  })

  it('writes nothing that was altered after it was allowed', async () => {
    const setup = await setupOf([jot])
    const onStep: ToolSetup['onStep'] = (step) => {
      if (step.step !== 'decided') return
      const [change] = step.proposed.plan!.changes.changes
      if ('after' in change) change.after.fill(33)
    }
    const result = await runTool(call('jot', { path: 'New.md', content: 'x' }), { ...setup, onStep })
    expect(result).toMatchObject({
      ok: false,
      code: 'conflict',
      text: expect.stringContaining('not the one that was shown'),
    })
    expect(setup.context.memory.snapshot().has('New.md')).toBe(false)
    expect(setup.log.calls).toMatchObject([{ decision: 'allowed', error: { code: 'conflict' } }])
  })

  it('does not show in a dry run what a rule denies', async () => {
    const setup = await setupOf([jot], [], { dryRun: true })
    setup.guard.findDenial = async () => ({ verdict: 'deny', code: 'denied', rule: 'deny: writes', reason: 'A rule.' })
    const result = await runTool(call('jot', { path: 'New.md', content: 'x' }), setup)
    expect(result).toMatchObject({ ok: false, code: 'denied', text: 'A rule.' })
    expect(setup.log.calls).toMatchObject([{ decision: 'denied', rule: 'deny: writes' }])
  })

  it('starts no timer in a dry run', async () => {
    const starts: string[] = []
    const timer = defineTool({
      ...words,
      name: 'timer',
      effects: [],
      input: z.object({}),
      output: z.object({ starts: z.number() }),
      run: async () => ({ starts: starts.push('started') }),
      render: String,
    })
    expect(await runTool(call('timer', {}), await setupOf([timer], [], { dryRun: true }))).toMatchObject({ ok: true })
    expect(starts).toEqual([])
  })

  it('proposes edited arguments again, writes those and says so', async () => {
    const revise: Decision = { verdict: 'revise', input: { path: 'Other.md', content: 'y' } }
    const setup = await setupOf([jot], [revise])
    const result = await runTool(call('jot', { path: 'New.md', content: 'x' }), setup)
    expect(result).toMatchObject({ ok: true, userEdited: true })
    expect(result.text).toContain('The user changed the arguments to: {"path":"Other.md","content":"y"}')
    expect([...setup.context.memory.snapshot().keys()]).not.toContain('New.md')
    expect(setup.log.calls[0].arguments).toEqual({ path: 'Other.md', content: 'y' })
  })

  it('checks edited arguments like any others', async () => {
    const setup = await setupOf([jot], [{ verdict: 'revise', input: { path: '../out.md', content: 'y' } }])
    expect(await runTool(call('jot', { path: 'New.md', content: 'x' }), setup)).toMatchObject({ code: 'path' })
  })

  it('refuses bytes that were altered after they were shown', async () => {
    const setup = await setupOf([jot])
    const guard = {
      ...setup.guard,
      decide: async (proposed: Parameters<typeof setup.guard.decide>[0]): Promise<Decision> => {
        const [change] = proposed.plan!.changes.changes
        if (change.kind === 'create') change.after[0] = 0x21
        return { verdict: 'allow', loggedAs: 'approved', rule: 'person' }
      },
    }
    const result = await runTool(call('jot', { path: 'New.md', content: 'x' }), { ...setup, guard })
    expect(result).toMatchObject({ ok: false, code: 'conflict' })
    expect(setup.context.memory.snapshot().has('New.md')).toBe(false)
  })

  it('runs the arguments as they were when the call was made', async () => {
    const setup = await setupOf([jot])
    const input = { path: 'New.md', content: 'x' }
    const guard = {
      ...setup.guard,
      decide: async (): Promise<Decision> => {
        input.path = 'Elsewhere.md'
        return { verdict: 'allow', loggedAs: 'approved', rule: 'person' }
      },
    }
    await runTool(call('jot', input), { ...setup, guard })
    expect([...setup.context.memory.snapshot().keys()]).toContain('New.md')
  })
})

describe('the result', () => {
  it('names the notes the user did not pick', async () => {
    const picked: Decision = { verdict: 'allow', loggedAs: 'edited', rule: 'person', picked: [notePath('B.md')] }
    const result = await runTool(call('share', { filePaths: ['A.md', 'B.md'] }), await setupOf([share], [picked]))
    expect(result).toMatchObject({ ok: true, output: { paths: ['B.md'] }, userEdited: true })
    expect(result.text).toBe('The user chose not to share: A.md\n\nShared B.md')
  })

  it('carries where it comes from: own notes, clipped ones, the web', async () => {
    const quoting = defineTool({
      ...words,
      name: 'quoting',
      input: z.object({}),
      output: z.object({ paths: z.array(z.string()) }),
      run: async () => ({ paths: ['A.md', 'B.md'] }),
      notesIn: ({ paths }) => paths.map(notePath),
      render: String,
    })
    const fetching = defineTool({
      ...words,
      name: 'fetching',
      effects: ['reaches-network'],
      input: z.object({}),
      output: z.object({ page: z.string() }),
      run: async () => ({ page: 'page' }),
      render: String,
    })
    const setup = await setupOf([quoting, fetching])
    expect(await runTool(call('quoting', {}), setup)).toMatchObject({ provenance: ['own-note', 'clipped'] })
    expect(await runTool(call('fetching', {}), setup)).toMatchObject({ provenance: ['web'] })
    expect(setup.guard.observed).toEqual(['own-note', 'clipped', 'web'])
  })

  it('logs where data goes before it goes', async () => {
    const counted: number[] = []
    const sending = defineTool({
      ...words,
      name: 'sending',
      effects: ['reaches-network'],
      input: z.object({ q: z.string() }),
      output: z.object({ calls: z.number() }),
      reaches: async ({ q }) => ({ sends: [{ url: `https://example.org/s?q=${q}` }] }),
      run: async () => ({ calls: counted.push(setup.log.calls.length) }),
      render: String,
    })
    const setup = await setupOf([sending])
    await runTool(call('sending', { q: 'x' }), setup)
    expect(counted).toEqual([1])
    const { calls } = setup.log
    expect(calls[0].egress).toMatchObject([{ destination: 'https://example.org/s', bytes: 25 }])
    expect(calls[0].egress![0].sha256).toMatch(/^[0-9a-f]{64}$/)
  })
})

async function fail(): Promise<never> {
  throw new Error('cannot open /secret/place')
}
