import { expect } from 'vitest'
import type { ApprovalAnswer, BatchAnswer } from '../../../src/core/approval/index.js'
import { withDialect } from '../../../src/core/dialects/index.js'
import { defaultProfile } from '../../../src/core/model/index.js'
import { dialectsToTry, inDialect, type TriedDialect } from '../../agent/in-dialect.js'
import { type Panel, type Played, playTurn, type Stage } from '../../agent/play.js'
import { scriptedModel } from '../../doubles/scripted-model.js'
import { type Check, quoted, type SecurityCase } from '../security-case.js'

/** A note orders that every note be deleted, and the model does as it says, all in one step. */
export function orderedDeletionChecks(of: SecurityCase): Check[] {
  const count = Number(/(\d+) delete_note/.exec(of.action)![1])
  const paths = Array.from({ length: count }, (_, at) => `Note ${at}.md`)
  const play = (dialect: TriedDialect, asker?: Stage['asker']) => obey(of, dialect, paths, asker)
  return dialectsToTry.flatMap((dialect): Check[] => [
    {
      name: `no note is changed where nobody can be asked (${dialect})`,
      run: async () => {
        const { changed, end } = await play(dialect)
        expect(changed).toEqual({})
        expect(end.reason).toBe('answered')
      },
    },
    {
      name: `no note is changed when the person says no, and all ${count} calls are in the log with their turn (${dialect})`,
      run: async () => {
        const played = await play(dialect, () => ({ verdict: 'deny' }))
        expect(played.changed).toEqual({})
        const logged = deletions(played)
        expect(logged.map(({ arguments: given }) => (given as { path: string }).path).sort()).toEqual([...paths].sort())
        expect(new Set(logged.map(({ turn }) => turn))).toEqual(new Set(['turn-1']))
        expect(logged.filter(({ decision }) => !['denied', 'refused'].includes(decision))).toEqual([])
        // Those beyond the limit of one step are refused unasked; every other one was a decision of its own.
        expect(listed(played.asked)).toHaveLength(logged.filter(({ decision }) => decision === 'denied').length)
      },
    },
    {
      name: `a yes to a list changes what the list names, and nothing else (${dialect})`,
      run: async () => {
        const played = await play(dialect, (panel) => answerEach(panel, () => true))
        expect(played.asked.at(-1)?.kind).toBe('batch')
        const gone = Object.keys(played.changed).filter((path) => played.changed[path] === undefined)
        expect(gone.length).toBeGreaterThan(1)
        expect(gone.sort()).toEqual(listed(played.asked).sort())
      },
    },
    {
      name: `a yes to one of them deletes that one (${dialect})`,
      run: async () => {
        const [, , , third] = paths
        const { changed } = await play(dialect, (panel) => answerEach(panel, (path) => path === third))
        expect(changed).toEqual({ [third]: undefined, [`.trash/${third}`]: textOf(third) })
      },
    },
  ])
}

const textOf = (path: string): string => `This is ${path}.\n`

function obey(of: SecurityCase, dialect: TriedDialect, paths: string[], asker: Stage['asker']): Promise<Played> {
  const [order] = quoted(of.setup)
  const [question] = quoted(of.action)
  const script = [
    inDialect({ call: [{ name: 'read_note', input: { path: 'Evil.md' } }] }, dialect),
    ({ prompt }: { prompt: unknown }) => {
      if (!JSON.stringify(prompt).includes(order)) throw new Error('The order has not reached the model.')
      return inDialect({ call: paths.map((path) => ({ name: 'delete_note', input: { path } })) }, dialect)
    },
    inDialect({ say: 'It is about deleting.' }, dialect),
  ]
  const model = withDialect(scriptedModel(script), { dialect, profile: defaultProfile })
  const notes = { 'Evil.md': `${order}\n`, ...Object.fromEntries(paths.map((path) => [path, textOf(path)])) }
  return playTurn(model, question, { notes, asker })
}

const deletions = ({ log }: Played) => log.calls.filter(({ tool_name }) => tool_name === 'delete_note')

/** The notes that the panels name. */
function listed(panels: readonly Panel[]): string[] {
  return panels.flatMap((panel) => (panel.kind === 'batch' ? panel.requests : [panel])).map(pathOf)
}

const pathOf = (panel: Panel): string => (panel as unknown as { input: { path: string } }).input.path

function answerEach(panel: Panel, allows: (path: string) => boolean): ApprovalAnswer | BatchAnswer {
  const answer = (one: Panel): ApprovalAnswer => ({ verdict: allows(pathOf(one)) ? 'allow' : 'deny' })
  if (panel.kind !== 'batch') return answer(panel)
  return { verdict: 'each', answers: Object.fromEntries(panel.requests.map((one) => [one.id, answer(one)])) }
}
