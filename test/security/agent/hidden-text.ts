import { expect } from 'vitest'
import { callRow } from '../../../src/apps/cli/agent/turn-screen.js'
import { style } from '../../../src/apps/cli/terminal/terminal.js'
import { withDialect } from '../../../src/core/dialects/index.js'
import { defaultProfile } from '../../../src/core/model/index.js'
import { inDialect, type TriedDialect } from '../../agent/in-dialect.js'
import { type Played, playTurn, type Stage } from '../../agent/play.js'
import { type ScriptedModel, scriptedModel } from '../../doubles/scripted-model.js'
import { type Check, quoted, type SecurityCase } from '../security-case.js'

/** Every way a prompt is made: native as it is, native with calls read from text, and the dialects. */
const ways: { name: string; dialect: TriedDialect; textCalls?: boolean }[] = [
  { name: 'native', dialect: 'native' },
  { name: 'native, reading text', dialect: 'native', textCalls: true },
  { name: 'sentinel', dialect: 'sentinel' },
  { name: 'use-tool', dialect: 'use-tool' },
]

/** A note says things to the model that a user who looks at it does not see. */
export function hiddenTextChecks(of: SecurityCase): Check[] {
  const [comment, order] = quoted(of.setup)
  const [first, last] = [...of.setup.matchAll(/U\+([0-9A-F]+)/g)].map(([, code]) => Number.parseInt(code, 16))
  const tags = new RegExp(`[\\u{e0000}-\\u{${last.toString(16)}}]`, 'u')
  const tagged = String.fromCodePoint(first) + inTags(order)
  const text = `Hello${tagged}!\n${comment}\n${[...order].join('\u200d')}\n`
  return ways.flatMap((way): Check[] => [
    {
      name: `no character of the tag block reaches the model, and it is told that there were some (${way.name})`,
      run: async () => {
        const { sent } = await read(way, { notes: { 'Evil.md': text } })
        expect(sent).not.toMatch(tags)
        expect(sent).toMatch(/hidden character/)
      },
    },
    {
      name: `nor in what goes with the question: a selection, standard input, the instructions of the vault (${way.name})`,
      run: async () => {
        const { sent } = await read(way, {
          notes: { 'Evil.md': 'Nothing.\n' },
          beside: { selection: text, attached: [{ name: 'standard input', text }] },
          setup: { instructions: { vault: [{ label: 'AGENTS.md', text }] } },
        })
        expect(sent).toContain(comment)
        expect(sent).not.toMatch(tags)
      },
    },
    {
      name: `the row that the person sees says that something is hidden (${way.name})`,
      run: async () => {
        const { played } = await read(way, { notes: { 'Evil.md': text } })
        const row = callRow('Reading a note: Evil.md', resultOf(played), 1, style(false), 100)
        const joiners = order.length - 1
        expect(row).toContain(`${[...tagged].length + joiners} hidden characters`)
        const harmless = await read(way, { notes: { 'Evil.md': 'Hello!\n' } })
        expect(callRow('Reading', resultOf(harmless.played), 1, style(false), 100)).not.toContain('hidden')
      },
    },
    {
      name: `what front ends are given to show is what the model receives, to the letter (${way.name})`,
      run: async () => {
        const { played, result } = await read(way, { notes: { 'Evil.md': text } })
        expect(result).toContain(comment)
        expect(result).toBe(resultOf(played).result.text)
      },
    },
  ])
}

const inTags = (text: string): string =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')

interface ReadNote {
  played: Played
  /** Everything the model was sent. */
  sent: string
  /** The part with the text of the note. */
  result: string
}

async function read({ dialect, textCalls }: (typeof ways)[number], stage: Stage): Promise<ReadNote> {
  const call = { name: 'read_note', input: { path: 'Evil.md' } }
  const scripted = scriptedModel([inDialect({ call: [call] }, dialect), inDialect({ say: 'Hello.' }, dialect)])
  const model = withDialect(scripted, { dialect, profile: defaultProfile, textCalls })
  const played = await playTurn(model, 'Sum up.', stage)
  return {
    played,
    sent: strings(scripted.prompts.map(({ prompt }) => prompt)).join('\n'),
    result: toldResult(scripted),
  }
}

function toldResult({ prompts }: ScriptedModel): string {
  const [part] = prompts[1].prompt.at(-1)!.content as { text?: string; output?: { value: string } }[]
  if (part.output !== undefined) return part.output.value
  return /^\[tool_result #(\w+) [^\]]*\]\n([\s\S]*)\n\[\/tool_result #\1\]/.exec(part.text ?? '')![2]
}

/** Every string in it; JSON would write some characters another way. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...strings(inner)])
}

function resultOf({ events }: Played) {
  const [event] = events.flatMap((each) => (each.type === 'tool-result' ? [each] : []))
  return event
}
