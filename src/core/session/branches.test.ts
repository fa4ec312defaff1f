import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryHost } from '../../../test/doubles/memory-host.js'
import { type ScriptedStep, scriptedModel } from '../../../test/doubles/scripted-model.js'
import { howOften } from '../../../test/runner/how-often.js'
import type { AgentEvent } from '../agent/index.js'
import { configSchema } from '../config/index.js'
import { endOfBranch, placeOfTurn, shownBranch } from './branches.js'
import { vaultFromHost } from './opened-vault.js'
import type { Request, Session, SessionOptions } from './session.js'
import type { StoredEvent } from './session-store.js'
import { sessionAsMarkdown, transcriptOf } from './transcript.js'

const say = (...answers: string[]): ScriptedStep[] => answers.map((text) => ({ say: text }))

async function stage(files: Record<string, string> = { 'Soil.md': 'Compost feeds the soil.\n' }) {
  const host = await memoryHost(files)
  const settings = configSchema.parse({})
  const vault = vaultFromHost({ host, settings, approvalOptions: { remote: true } })
  const open = async (script: readonly ScriptedStep[], options: SessionOptions = {}) => {
    const model = scriptedModel(script)
    return { model, session: await vault.openSession({ id: 's', autoTitle: false, model, ...options }) }
  }
  const shown = async () =>
    transcriptOf(await vault.sessions.read('s')).map(({ asked, answer }) => `${asked}: ${answer}`)
  return { host, vault, open, shown }
}

/** The id of the turn. */
async function ask(session: Session, request: string | Request): Promise<string> {
  let turn = ''
  for await (const event of session.ask(request)) if (event.type === 'run-start') turn = event.turn
  return turn
}

const promptOf = (model: ReturnType<typeof scriptedModel>, at: number) => JSON.stringify(model.prompts[at]?.prompt)

describe('a conversation with branches', () => {
  it('answers a question again in a branch, and the model sees nothing of the other', async () => {
    const { open, shown, vault } = await stage()
    const { session, model } = await open(say('One.', 'Two.', 'Other two.'))
    await ask(session, 'first')
    const second = await ask(session, 'second')
    await ask(session, { text: 'second', insteadOf: second })
    expect(promptOf(model, 2)).toContain('One.')
    expect(promptOf(model, 2)).not.toContain('Two.')
    expect(await shown()).toEqual(['first: One.', 'second: Other two.'])
    expect(await vault.sessions.find('s')).toMatchObject({ turns: 2 })
    expect(await vault.sessions.list()).toHaveLength(1)
  })

  it('continues in the branch that is chosen, also after it is opened again', async () => {
    const { open, shown } = await stage()
    const first = await open(say('One.', 'Two.', 'New one.', 'Three.'))
    const one = await ask(first.session, 'first')
    await ask(first.session, 'second')
    await ask(first.session, { text: 'edited', insteadOf: one })
    expect(await shown()).toEqual(['edited: New one.'])
    await first.session.showBranch(one)
    expect(await shown()).toEqual(['first: One.', 'second: Two.'])
    await ask(first.session, 'third')
    expect(promptOf(first.model, 3)).toContain('Two.')
    expect(promptOf(first.model, 3)).not.toContain('New one.')
    await first.session.close()

    const again = await open(say('Four.'))
    await ask(again.session, 'fourth')
    expect(promptOf(again.model, 0)).toContain('Three.')
    expect(promptOf(again.model, 0)).not.toContain('New one.')
    expect(await shown()).toEqual(['first: One.', 'second: Two.', 'third: Three.', 'fourth: Four.'])
  })

  it('sends attachments, note and selection of the question again', async () => {
    const { open } = await stage()
    const { session, model } = await open(say('One.', 'Again.'))
    const turn = await ask(session, {
      text: 'what is this?',
      note: 'Soil.md',
      selection: 'feeds the\nsoil',
      attached: [{ name: 'list <1>', text: 'leeks\n\nkale' }],
    })
    await ask(session, { text: 'and what is that?', insteadOf: turn })
    for (const words of ['Soil.md', 'feeds the\\\\nsoil', 'leeks\\\\n\\\\nkale', 'and what is that?'])
      expect(promptOf(model, 1)).toContain(words.replaceAll('\\\\', '\\'))
    expect(promptOf(model, 1)).not.toContain('what is this?')
  })

  it('refuses a turn that is not in it, and changes nothing', async () => {
    const { open, shown } = await stage()
    const { session } = await open(say('One.'))
    await ask(session, 'first')
    await expect(session.showBranch('other')).rejects.toMatchObject({ code: 'not-found' })
    await expect(ask(session, { text: 'x', insteadOf: 'other' })).rejects.toMatchObject({ code: 'not-found' })
    expect(await shown()).toEqual(['first: One.'])
  })

  it('is exported as the branch that is shown', async () => {
    const { open, vault } = await stage()
    const { session } = await open(say('One.', 'Other.'))
    const one = await ask(session, 'first')
    await ask(session, { text: 'first', insteadOf: one })
    const [summary] = await vault.sessions.list()
    const text = sessionAsMarkdown(summary!, transcriptOf(await vault.sessions.read('s')))
    expect(text).toContain('Other.')
    expect(text).not.toContain('One.')
  })
})

describe('the tree of turns', () => {
  const event = (one: AgentEvent, at: number): StoredEvent => ({
    seq: at + 1,
    time: '2026-03-01T10:00:00Z',
    event: one,
  })
  const start = (turn: string): AgentEvent => ({ type: 'run-start', turn, mode: 'agent', model: 'm', text: turn })

  it('shows the path that was walked, for any questions, retries and switches', () => {
    const step = fc.record({ what: fc.constantFrom('ask', 'retry', 'show'), which: fc.nat({ max: 30 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const events: StoredEvent[] = []
        const add = (one: AgentEvent) => events.push(event(one, events.length))
        const parents = new Map<string, string[]>()
        let path: string[] = []
        for (const { what, which } of steps) {
          const turns = [...parents.keys()]
          const chosen = turns[which % Math.max(1, turns.length)]
          if (what === 'show' && chosen !== undefined) {
            const newest = turns.filter((turn) => turn === chosen || parents.get(turn)!.includes(chosen)).at(-1)!
            path = [...parents.get(newest)!, newest]
            add({ type: 'branch-changed', ...endOfBranch(events, chosen) })
            continue
          }
          if (what === 'retry' && chosen !== undefined) {
            path = parents.get(chosen)!
            add({ type: 'branch-changed', ...placeOfTurn(events, chosen).point })
          }
          const turn = `t${parents.size}`
          parents.set(turn, path)
          path = [...path, turn]
          add(start(turn))
        }
        expect(shownBranch(events).map(({ event: one }) => (one.type === 'run-start' ? one.turn : one.type))).toEqual(
          path,
        )
        const last = events.at(-1)?.event
        if (last?.type === 'branch-changed') expect(last.turns).toBe(path.length)
      }),
      { numRuns: howOften(200, 5000) },
    )
  })
})
