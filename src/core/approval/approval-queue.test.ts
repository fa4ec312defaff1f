import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type AddressedAnswer, type ApprovalOutcome, type ApprovalQueue, approvalQueue } from './approval-queue.js'
import type { ApprovalAnswer, ApprovalBatch, ApprovalEvent, Form, UserAnswer, UserRequest } from './approval-request.js'
import type { RequestDraft } from './build-request.js'

function draft(name: string, more: Partial<RequestDraft> = {}): RequestDraft {
  return {
    kind: 'call',
    hash: `hash of ${name}`,
    repeatKey: name,
    session: 's1',
    turn: 't1',
    callId: name,
    tool: { name: 'delete_note', title: 'Delete note', source: 'built-in', effects: ['destroys'] },
    title: `Delete ${name}`,
    reasons: ['The consent level is ask.'],
    input: { path: name },
    edited: false,
    notes: [],
    notices: [],
    sends: [],
    loads: [],
    words: [],
    scopes: ['once', 'session', 'always'],
    offers: [{ rule: 'delete_note', about: 'tool' }],
    safeDefault: 'deny',
    ...more,
  }
}

const never = new AbortController().signal
const ask = (desk: ApprovalQueue, name: string, more: Partial<RequestDraft> = {}, signal = never) =>
  desk.ask(draft(name, more), { signal })

const yes = { verdict: 'allow' } as const
const no = { verdict: 'deny' } as const

/** An approval queue that is answered from outside, and its open panel. */
function remoteDesk(options: Parameters<typeof approvalQueue>[0] = {}) {
  const desk = approvalQueue({ remote: true, ...options })
  const panel = async () => {
    await settled()
    return desk.pending()[0]
  }
  const reply = async (answer: UserAnswer, more: Partial<AddressedAnswer> = {}) => {
    const { id, hash, session } = await panel()
    return desk.answer(id, { ...answer, hash, session, ...more } as AddressedAnswer)
  }
  return { desk, panel, reply }
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

afterEach(() => void vi.useRealTimers())

describe('a request', () => {
  it('is decided by the answer of the front end in the process', async () => {
    const seen: UserRequest[] = []
    const desk = approvalQueue({
      askPerson: async (panel) => {
        seen.push(panel)
        return yes
      },
    })
    expect(await ask(desk, 'A.md')).toMatchObject({ kind: 'allow', request: { hash: 'hash of A.md' } })
    expect(seen).toMatchObject([{ kind: 'call', title: 'Delete A.md', input: { path: 'A.md' }, askedLately: 1 }])
    expect(desk.pending()).toEqual([])
  })

  it('is decided once, however many click at the same time', async () => {
    const { desk, panel, reply } = remoteDesk()
    const outcome = ask(desk, 'A.md')
    const { id, hash, session } = await panel()
    const receipts = [yes, no, yes].map((answer) => desk.answer(id, { ...answer, hash, session }))
    expect(receipts).toEqual([
      { ok: true },
      { ok: false, reason: 'used', message: 'This request has already been answered.' },
      { ok: false, reason: 'used', message: 'This request has already been answered.' },
    ])
    expect(await outcome).toMatchObject({ kind: 'allow' })
    await expect(reply(yes)).rejects.toThrow()
  })

  it('refuses answers that nobody asked for, for something else, or from another session, and goes on waiting', async () => {
    const { desk, panel } = remoteDesk()
    const outcome = ask(desk, 'A.md')
    const { id, hash, session } = await panel()
    expect(desk.answer('ap1', { ...yes, hash, session })).toMatchObject({ reason: 'unknown' })
    expect(desk.answer(id, { ...yes, hash, session: 's2' })).toMatchObject({ reason: 'other-session' })
    expect(desk.answer(id, { ...yes, hash: 'hash of B.md', session })).toMatchObject({ reason: 'wrong-hash' })
    expect(desk.answer(id, undefined as unknown as AddressedAnswer)).toMatchObject({ reason: 'other-session' })
    expect(desk.pending()).toHaveLength(1)
    desk.answer(id, { ...no, hash, session })
    expect(await outcome).toEqual({ kind: 'deny', why: 'person' })
  })

  it.each([
    [{ verdict: 'maybe' }],
    [{ verdict: 'allow', scope: 'change-set' }],
    [{ verdict: 'allow', scope: 'always', rule: '*' }],
    [{ verdict: 'allow', picked: ['A.md'] }],
    [{ verdict: 'allow', hunks: [{ change: 0, hunks: [0] }] }],
    [{ verdict: 'deny', words: 7 }],
    [{ verdict: 'each', answers: {} }],
  ])('refuses an answer it did not offer: %j', async (answer) => {
    const { desk, reply } = remoteDesk()
    const outcome = ask(desk, 'A.md')
    expect(await reply(answer as ApprovalAnswer)).toMatchObject({ ok: false, reason: 'invalid' })
    desk.dismiss()
    expect(await outcome).toMatchObject({ kind: 'deny' })
  })

  it.each([
    ['closing', async () => undefined],
    [
      'a front end that fails',
      async () => {
        throw new Error('the window is gone')
      },
    ],
    ['an answer that does not fit', async () => ({ verdict: 'allow', scope: 'change-set' }) as const],
  ])('takes %s for a no', async (_name, asker) => {
    expect(await ask(approvalQueue({ askPerson: asker }), 'A.md')).toEqual({ kind: 'deny', why: 'closed' })
  })

  it('expires, and a late answer is rejected as expired', async () => {
    vi.useFakeTimers()
    const desk = approvalQueue({ remote: true, expiryMs: 1000 })
    const outcome = ask(desk, 'A.md')
    await vi.advanceTimersByTimeAsync(0)
    const [{ id, hash, session }] = desk.pending()
    await vi.advanceTimersByTimeAsync(1000)
    expect(await outcome).toEqual({ kind: 'deny', why: 'expired' })
    expect(desk.answer(id, { ...yes, hash, session })).toMatchObject({ reason: 'expired' })
  })

  it('counts as expired by the clock even if its timer is late', async () => {
    let time = 0
    const { desk, reply } = remoteDesk({ now: () => time, expiryMs: 60_000 })
    const outcome = ask(desk, 'A.md')
    await settled()
    time = 60_000
    expect(await reply(yes)).toMatchObject({ reason: 'expired' })
    expect(await outcome).toMatchObject({ kind: 'deny', why: 'expired' })
  })

  it('is void after an abort, and so is everything that waits behind it', async () => {
    const { desk, panel } = remoteDesk()
    const stop = new AbortController()
    const outcomes = ['A.md', 'B.md', 'C.md'].map((name) => ask(desk, name, {}, stop.signal))
    const { id, hash, session } = await panel()
    stop.abort(new Error('stopped'))
    for (const outcome of outcomes) await expect(outcome).rejects.toThrow('stopped')
    expect(desk.answer(id, { ...yes, hash, session })).toMatchObject({ reason: 'void' })
    expect(desk.pending()).toEqual([])
    await expect(ask(desk, 'D.md', {}, stop.signal)).rejects.toThrow('stopped')
  })

  it('tells the front end in the process when someone else has answered', async () => {
    let given: AbortSignal | undefined
    const { desk, reply } = remoteDesk({
      askPerson: (_panel, signal) => {
        given = signal
        return new Promise(() => {})
      },
    })
    const outcome = ask(desk, 'A.md')
    await settled()
    expect(given?.aborted).toBe(false)
    expect(await reply(yes)).toEqual({ ok: true })
    expect(given?.aborted).toBe(true)
    expect(await outcome).toMatchObject({ kind: 'allow' })
  })

  it('is denied when the front end goes away', async () => {
    const { desk } = remoteDesk()
    const outcomes = [ask(desk, 'A.md'), ask(desk, 'B.md')]
    await settled()
    desk.dismiss()
    expect(await Promise.all(outcomes)).toEqual([
      { kind: 'deny', why: 'closed' },
      { kind: 'deny', why: 'closed' },
    ])
  })

  it('that was refused is not asked again in the same turn, and is in the next', async () => {
    let asked = 0
    const asker = async () => {
      asked++
      return { verdict: 'deny', words: 'leave my notes alone' } as const
    }
    const desk = approvalQueue({ askPerson: asker })
    expect(await ask(desk, 'A.md')).toEqual({ kind: 'deny', why: 'person', words: 'leave my notes alone' })
    expect(await ask(desk, 'A.md')).toEqual({ kind: 'deny', why: 'repeated' })
    expect(await ask(desk, 'B.md')).toMatchObject({ why: 'person' })
    expect(await ask(desk, 'A.md', { turn: 't2' })).toMatchObject({ why: 'person' })
    expect(await ask(desk, 'A.md', { turn: 't2', session: 's2' })).toMatchObject({ why: 'person' })
    expect(asked).toBe(4)
  })

  it('picks nothing: that is a no', async () => {
    const desk = approvalQueue({ askPerson: async () => ({ verdict: 'allow', picked: [] }) })
    expect(await ask(desk, 'A.md', { pick: [] })).toMatchObject({ kind: 'deny' })
  })
})

describe('many requests', () => {
  it('wait for one panel', async () => {
    const { desk, panel, reply } = remoteDesk()
    const heard: ApprovalEvent[] = []
    desk.listen('s1', (event) => heard.push(event))
    const outcomes = ['A.md', 'B.md'].map((name) => ask(desk, name))
    expect(await panel()).toMatchObject({ title: 'Delete A.md' })
    await reply(yes)
    expect(await panel()).toMatchObject({ title: 'Delete B.md' })
    await reply(no)
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(['allow', 'deny'])
    const [first, , second] = heard.map((event) => ('panel' in event ? event.panel.id : event.id))
    expect(heard).toMatchObject([
      { type: 'approval-asked', panel: { title: 'Delete A.md' } },
      { type: 'approval-decided', id: first, verdict: 'allow', by: 'person' },
      { type: 'approval-asked', panel: { title: 'Delete B.md' } },
      { type: 'approval-decided', id: second, verdict: 'deny', by: 'person' },
    ])
  })

  it('become one list when there are more than ten in a minute, and nothing passes unticked', async () => {
    const { desk, panel, reply } = remoteDesk()
    const names = Array.from({ length: 50 }, (_, at) => `${at}.md`)
    const outcomes = names.map((name) => ask(desk, name))
    expect(await panel()).toMatchObject({ kind: 'call', title: 'Delete 0.md' })
    await reply(no)
    const batch = (await panel()) as ApprovalBatch
    expect(batch.requests.map(({ title }) => title)).toEqual(names.slice(1).map((name) => `Delete ${name}`))
    expect(await reply(yes)).toMatchObject({ reason: 'invalid' })
    expect(await reply({ verdict: 'each', answers: { elsewhere: yes } })).toMatchObject({ reason: 'invalid' })
    const [first, second] = batch.requests
    expect(await reply({ verdict: 'each', answers: { [first.id]: yes, [second.id]: no } })).toEqual({ ok: true })
    const kinds = (await Promise.all(outcomes)).map(({ kind }) => kind)
    expect(kinds).toEqual(['deny', 'allow', ...Array(48).fill('deny')])
    expect(desk.answer(first.id, { ...yes, hash: first.hash, session: 's1' })).toMatchObject({ reason: 'used' })
  })

  it('are asked one by one again after a quiet minute', async () => {
    let time = 0
    const kinds: string[] = []
    const desk = approvalQueue({
      now: () => time,
      askPerson: async (panel) => {
        kinds.push(panel.kind)
        return panel.kind === 'batch' ? undefined : no
      },
    })
    await Promise.all(Array.from({ length: 12 }, (_, at) => ask(desk, `${at}.md`)))
    time = 60_001
    await Promise.all([ask(desk, 'x.md'), ask(desk, 'y.md')])
    expect(kinds).toEqual(['call', 'batch', 'call', 'call'])
  })

  it('leave a list when their run is stopped, and the others stay', async () => {
    const { desk, panel, reply } = remoteDesk({ perMinute: 1 })
    const stop = new AbortController()
    const first = ask(desk, 'A.md')
    const stopped = ask(desk, 'B.md', {}, stop.signal)
    const kept = ask(desk, 'C.md')
    await panel()
    await reply(no)
    const batch = (await panel()) as ApprovalBatch
    stop.abort(new Error('stopped'))
    await expect(stopped).rejects.toThrow('stopped')
    const answers = Object.fromEntries(batch.requests.map(({ id }) => [id, yes]))
    expect(await reply({ verdict: 'each', answers })).toEqual({ ok: true })
    expect([(await first).kind, (await kept).kind]).toEqual(['deny', 'allow'])
  })

  it('are looked at again when their turn comes', async () => {
    const { desk, panel, reply } = remoteDesk()
    const outcomes = [
      ask(desk, 'A.md'),
      desk.ask(draft('B.md'), { signal: never, before: async () => 'covered' }),
      desk.ask(draft('C.md'), { signal: never, before: async () => 'stale' }),
      desk.ask(draft('D.md'), { signal: never, before: () => Promise.reject(new Error('disk')) }),
      ask(desk, 'E.md'),
    ]
    outcomes[3].catch(() => {})
    await panel()
    await reply(yes)
    expect(await panel()).toMatchObject({ title: 'Delete E.md' })
    await reply(yes)
    expect(
      (await Promise.allSettled(outcomes)).map((each) => (each.status === 'fulfilled' ? each.value.kind : 'failed')),
    ).toEqual(['allow', 'covered', 'stale', 'failed', 'allow'])
  })

  it('are each decided exactly once, whatever is clicked, stopped and dismissed', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('ask'), name: fc.constantFrom('a', 'b', 'c', 'd') }),
      fc.record({ do: fc.constant('answer'), yes: fc.boolean(), old: fc.nat(20) }),
      fc.record({ do: fc.constant('stop'), which: fc.nat(20) }),
      fc.record({ do: fc.constant('dismiss') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 4 }), async (steps, perMinute) => {
        const desk = approvalQueue({ remote: true, perMinute })
        const outcomes: Promise<ApprovalOutcome | 'stopped'>[] = []
        const stops: AbortController[] = []
        const panels: UserRequest[] = []
        const ticked = new Set<string>()
        for (const each of steps as { do: string; name: string; yes: boolean; old: number; which: number }[]) {
          if (each.do === 'ask') {
            const stop = new AbortController()
            stops.push(stop)
            outcomes.push(ask(desk, each.name, { turn: undefined }, stop.signal).catch(() => 'stopped' as const))
            await settled()
            panels.push(...desk.pending())
          } else if (each.do === 'answer' && panels.length > 0) {
            const { id, hash, session, ...panel } = panels[panels.length - 1 - (each.old % panels.length)]
            const answer: UserAnswer =
              panel.kind === 'batch'
                ? {
                    verdict: 'each',
                    answers: Object.fromEntries(
                      (panel as ApprovalBatch).requests.map((r) => [r.id, each.yes ? yes : no]),
                    ),
                  }
                : each.yes
                  ? yes
                  : no
            const isOpen = desk.pending().some((open) => open.id === id)
            expect(desk.answer(id, { ...answer, hash, session } as AddressedAnswer).ok).toBe(isOpen)
            if (isOpen && each.yes) {
              for (const request of panel.kind === 'batch' ? (panel as ApprovalBatch).requests : [{ id }]) {
                ticked.add(request.id)
              }
            }
            await settled()
            panels.push(...desk.pending())
          } else if (each.do === 'stop') stops[each.which % Math.max(1, stops.length)]?.abort(new Error('stop'))
          else if (each.do === 'dismiss') desk.dismiss()
        }
        desk.dismiss()
        const allowed = (await Promise.all(outcomes)).flatMap((each) =>
          each !== 'stopped' && each.kind === 'allow' ? [each.request.id] : [],
        )
        expect(new Set(allowed).size).toBe(allowed.length)
        for (const id of allowed) expect(ticked).toContain(id)
        expect(desk.pending()).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})

describe('sessions', () => {
  it('have a panel each, and an answer decides in one of them alone', async () => {
    const desk = approvalQueue({ remote: true })
    const [one, two] = [ask(desk, 'A.md', { session: 'one' }), ask(desk, 'B.md', { session: 'two' })]
    await settled()
    expect(desk.pending().map(({ session }) => session)).toEqual(['one', 'two'])
    const [{ id, hash }] = desk.pending('two')
    expect(desk.answer(id, { ...yes, hash, session: 'one' })).toMatchObject({ reason: 'other-session' })
    expect(desk.answer(id, { ...yes, hash, session: 'two' })).toEqual({ ok: true })
    expect(await two).toMatchObject({ kind: 'allow', request: { title: 'Delete B.md' } })
    expect(desk.pending().map(({ session }) => session)).toEqual(['one'])
    desk.close('one')
    expect(await one).toEqual({ kind: 'deny', why: 'closed' })
    expect(desk.pending()).toEqual([])
  })

  it('are put into a list by their own number of asks, not by that of others', async () => {
    const desk = approvalQueue({ remote: true, perMinute: 2 })
    for (const name of ['A.md', 'B.md', 'C.md', 'D.md']) void ask(desk, name, { session: 'busy' })
    void ask(desk, 'E.md', { session: 'calm' })
    void ask(desk, 'F.md', { session: 'calm' })
    await settled()
    const [busy, calm] = desk.pending()
    desk.answer(busy.id, { ...no, hash: busy.hash, session: 'busy' })
    desk.answer(calm.id, { ...no, hash: calm.hash, session: 'calm' })
    await settled()
    expect(desk.pending().map(({ kind }) => kind)).toEqual(['batch', 'call'])
    desk.dismiss()
  })

  it('say by whom each request was decided', async () => {
    const desk = approvalQueue({ remote: true })
    const heard: ApprovalEvent[] = []
    desk.listen('s1', (event) => heard.push(event))
    const stop = new AbortController()
    const stopped = ask(desk, 'A.md', {}, stop.signal).catch(() => 'stopped')
    await settled()
    stop.abort(new Error('stop'))
    expect(await stopped).toBe('stopped')
    const closed = ask(desk, 'B.md')
    await settled()
    desk.dismiss('s1')
    await closed
    expect(heard.flatMap((event) => (event.type === 'approval-decided' ? [event.by] : []))).toEqual([
      'stopped',
      'closed',
    ])
  })
})

describe('a question', () => {
  const form = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      count: { type: 'integer', minimum: 1, maximum: 9 },
      colour: { type: 'string', enum: ['red', 'green'] },
      sure: { type: 'boolean' },
    },
    required: ['name'],
  } as const satisfies Form
  const asked = { kind: 'question', session: 's1', from: 'garden', message: 'Which bed?', form } as const

  it('is unanswered at once in a session where nobody is', async () => {
    const { desk } = remoteDesk()
    desk.leaveUnattended('s1')
    expect(await desk.askQuestion(asked, never)).toEqual({ kind: 'unanswered' })
    expect(desk.pending()).toEqual([])
  })

  it('may be answered with several of its choices, and with nothing else', async () => {
    const { desk, reply } = remoteDesk()
    const parts = { type: 'array' as const, items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 }
    const answered = desk.askQuestion({ ...asked, form: { type: 'object', properties: { parts } } }, never)
    for (const wrong of [[], ['a', 'a'], ['d'], ['a', 'b', 'c'], 'a']) {
      const values = { parts: wrong }
      expect(await reply({ verdict: 'allow', values })).toMatchObject({ reason: 'invalid' })
    }
    expect(await reply({ verdict: 'allow', values: { parts: ['a', 'c'] } })).toEqual({ ok: true })
    expect(await answered).toEqual({ kind: 'answered', values: { parts: ['a', 'c'] } })
  })

  it('is answered with the values of its form, and only with those', async () => {
    const { desk, panel, reply } = remoteDesk()
    const answered = desk.askQuestion(asked, never)
    expect(await panel()).toMatchObject({ kind: 'question', from: 'garden', message: 'Which bed?' })
    for (const values of [
      {},
      { name: '' },
      { name: 1 },
      { name: 'x', count: 10 },
      { name: 'x', count: 1.5 },
      { name: 'x', colour: 'blue' },
      { name: 'x', sure: 'yes' },
      { name: 'x', other: 1 },
      { name: 'x', __proto__: { admin: true }, constructor: 1 },
      [],
      null,
    ]) {
      expect(await reply({ verdict: 'allow', values } as never)).toMatchObject({ reason: 'invalid' })
    }
    expect(await reply({ verdict: 'allow' })).toMatchObject({ reason: 'invalid' })
    expect(await reply({ verdict: 'allow', values: { name: 'North', count: 2, colour: 'red', sure: true } })).toEqual({
      ok: true,
    })
    expect(await answered).toEqual({
      kind: 'answered',
      values: { name: 'North', count: 2, colour: 'red', sure: true },
    })
  })

  it('can be refused, and one that nobody answers is not answered', async () => {
    const { desk, reply } = remoteDesk()
    const refused = desk.askQuestion(asked, never)
    await reply(no)
    expect(await refused).toEqual({ kind: 'refused' })
    const left = desk.askQuestion(asked, never)
    await settled()
    desk.dismiss()
    expect(await left).toEqual({ kind: 'unanswered' })
  })

  it('waits its turn and never becomes part of a list', async () => {
    const desk = approvalQueue({ remote: true, perMinute: 1 })
    const outcomes = [ask(desk, 'A.md'), desk.askQuestion(asked, never), ask(desk, 'B.md'), ask(desk, 'C.md')]
    const kinds: string[] = []
    for (let left = 3; left > 0; left--) {
      await settled()
      const [{ id, kind, hash, session }] = desk.pending()
      kinds.push(kind)
      desk.answer(id, { verdict: 'deny', hash, session })
      if (kind === 'batch') desk.answer(id, { verdict: 'each', answers: {}, hash, session })
    }
    expect(kinds).toEqual(['call', 'question', 'batch'])
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(['deny', 'refused', 'deny', 'deny'])
  })
})

it('cannot ask without anybody to ask', () => {
  expect(approvalQueue().canAsk).toBe(false)
  expect(approvalQueue({ remote: true }).canAsk).toBe(true)
})
