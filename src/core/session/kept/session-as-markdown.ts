import type { SessionSummary } from '../store/session-store.js'
import type { ToldTurn } from './transcript.js'

/** A session as a note: what was asked, what was done, what was answered. */
export function sessionAsMarkdown({ id, title, createdAt, model }: SessionSummary, turns: readonly ToldTurn[]): string {
  const properties = [
    '---',
    `session: ${JSON.stringify(id)}`,
    `created: ${createdAt.slice(0, 10)}`,
    `model: ${JSON.stringify(model)}`,
    '---',
  ]
  return `${properties.join('\n')}\n\n# ${oneLine(title)}\n\n${turns.map(turnAsMarkdown).join('\n\n')}\n`
}

function turnAsMarkdown({ number, asked, attached, calls, answer, ending }: ToldTurn): string {
  const rows = calls.map(({ title, outcome = 'not known', changeSet }) => {
    const undo = changeSet === undefined ? '' : ` (undo: \`${changeSet}\`)`
    return `- ${oneLine(title)}: ${oneLine(outcome)}${undo}`
  })
  const parts = [
    `## ${number}. ${oneLine(asked).slice(0, 80)}`,
    quoted(asked),
    attached.length === 0 ? '' : `Attached: ${attached.map(oneLine).join(', ')}`,
    rows.join('\n'),
    answer.trim() === '' ? `*No answer${ending === undefined ? ': it broke off' : ''}.*` : answer.trim(),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const quoted = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
