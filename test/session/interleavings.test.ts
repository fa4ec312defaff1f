import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AgentEvent } from '../../src/core/agent/index.js'
import type { AddressedAnswer, AnswerReceipt, UserRequest } from '../../src/core/approval/index.js'
import { configSchema } from '../../src/core/config/index.js'
import { type Session, vaultFromHost } from '../../src/core/session/index.js'
import { memoryHost } from '../doubles/memory-host.js'
import { type ScriptedStep, scriptedModel } from '../doubles/scripted-model.js'
import { howOften } from '../runner/how-often.js'

const interleavings = howOften(250, 1500)
const sessions = ['one', 'two'] as const
type Name = (typeof sessions)[number]
const yes = { verdict: 'allow' } as const
const no = { verdict: 'deny' } as const

/** An action of a client. Each session has two clients, which see the same request at different times. */
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('look' as const), by: fc.nat(3) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      by: fc.nat(3),
      yes: fc.boolean(),
      to: fc.constantFrom('own', 'own', 'own', 'other'),
      /** How long ago it saw what it answers; 0 is now. */
      old: fc.nat(3),
      hash: fc.constantFrom('right', 'right', 'right', 'wrong'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const), which: fc.constantFrom(...sessions) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reload' as const), which: fc.constantFrom(...sessions) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), which: fc.constantFrom(...sessions) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
)

it('two sessions with two clients each: every request is decided once, and only allowed calls run', async () => {
  const came = { lines: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 14 }), async (deeds) => {
      const host = await memoryHost({ 'one.md': '', 'two.md': '' })
      const vault = vaultFromHost({ host, settings: configSchema.parse({}), approvalOptions: { remote: true } })
      const decided = new Map<string, string>()
      const allowed = new Map<string, UserRequest>()
      const events = new Map<Name, AgentEvent[]>(sessions.map((name) => [name, []]))
      const stops = new Map<Name, AbortController>()
      const open = new Map<Name, Session>()
      const runs: Promise<void>[] = []
      for (const name of sessions) {
        const write = (at: number): ScriptedStep => ({
          call: [{ name: 'append_note', input: { path: `${name}.md`, content: `${name} ${at}` } }],
        })
        const session = await vault.openSession({
          id: name,
          model: scriptedModel([write(1), write(2), { say: 'Done.' }]),
        })
        const stop = new AbortController()
        open.set(name, session)
        stops.set(name, stop)
        runs.push(follow(session.ask('write twice', stop.signal), events.get(name)!))
        vault.approvalQueue.listen(name, (event) => {
          if (event.type !== 'approval-decided') return
          expect(decided.has(event.id), 'decided twice').toBe(false)
          decided.set(event.id, event.verdict)
        })
      }

      while (vault.approvalQueue.pending().length < 2) await moment()

      /** Requests on the screen of each of the four clients; two belong to each session. */
      const screens: UserRequest[][] = [[], [], [], []]
      for (const each of deeds) {
        if (each.do === 'wait') for (let ticks = 0; ticks < 10; ticks++) await moment()
        else if (each.do === 'look') screens[each.by].push(...vault.approvalQueue.pending(sessions[each.by >> 1]))
        else if (each.do === 'stop') stops.get(each.which)!.abort(new Error('stop'))
        else if (each.do === 'reload') screens[sessions.indexOf(each.which) * 2] = []
        else if (each.do === 'close') await open.get(each.which)!.close()
        else {
          const screen = screens[each.by]
          const own = sessions[each.by >> 1]
          if (each.old === 0) screen.push(...vault.approvalQueue.pending(own))
          const panel = screen[screen.length - 1 - (each.old % Math.max(1, screen.length))]
          if (panel === undefined) continue
          const hash = each.hash === 'right' ? panel.hash : 'forged'
          const to = each.to === 'own' ? own : sessions.find((name) => name !== own)!
          const reply: AddressedAnswer = { ...(each.yes ? yes : no), hash, session: to }
          const wasOpen = vault.approvalQueue.pending(panel.session).some(({ id }) => id === panel.id)
          const receipt: AnswerReceipt = vault.approvalQueue.answer(panel.id, reply)
          expect(receipt.ok).toBe(wasOpen && each.hash === 'right' && to === panel.session)
          if (receipt.ok && each.yes) allowed.set(panel.id, panel)
          if (!receipt.ok) came.refused++
        }
      }
      await moment()
      await vault.close()
      await Promise.all(runs)

      expect(vault.approvalQueue.pending()).toEqual([])
      for (const name of sessions) {
        const text = new TextDecoder().decode(host.memory.snapshot().get(`${name}.md` as never))
        const written = text.split('\n').filter((line) => line !== '')
        const agreed = [...allowed.values()].filter(({ session }) => session === name).map(contentOf)
        came.lines += written.length
        for (const line of written) expect(agreed, 'written without a yes').toContain(line)
        const asked = events.get(name)!.flatMap((event) => (event.type === 'approval-asked' ? [event.panel.id] : []))
        for (const id of asked) expect(decided.has(id), 'asked and never decided').toBe(true)
        for (const event of events.get(name)!) {
          if (event.type === 'approval-asked') expect(event.panel.session).toBe(name)
        }
      }
      for (const id of allowed.keys()) expect(decided.get(id)).toBe('allow')
    }),
    { numRuns: interleavings },
  )
  // Much was written, and many answers came too late or for something else.
  expect(came.lines).toBeGreaterThan(interleavings / 10)
  expect(came.refused).toBeGreaterThan(interleavings * 0.3)
})

async function follow(run: AsyncIterable<AgentEvent>, seen: AgentEvent[]): Promise<void> {
  for await (const event of run) seen.push(event)
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 0))

const contentOf = (panel: UserRequest): string =>
  panel.kind === 'call' ? String((panel.input as { content: string }).content).trim() : ''
