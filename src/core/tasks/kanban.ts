import { Failure } from '../errors.js'
import { type Heading, readFrontmatter, scanNote } from '../markdown/index.js'

// Boards of the Kanban plugin: lanes are headings of level 2, cards are the list items below them.

/** A lane of a board, with the range of its cards. */
export interface Lane {
  name: string
  start: number
  end: number
  /** The plugin ticks cards that are moved into it. */
  isComplete: boolean
}

/** The lanes of a board, from left to right; none for any other note. */
export function lanesIn(text: string): Lane[] {
  if (!/^kanban-plugin\s*:/m.test(text)) return []
  if (!Object.hasOwn(readFrontmatter(text)?.data ?? {}, 'kanban-plugin')) return []
  const headings = scanNote(text).headings.filter(({ level }) => level <= 2)
  return headings.flatMap((heading, at) => (heading.level === 2 ? [laneOf(text, heading, headings[at + 1])] : []))
}

function laneOf(text: string, heading: Heading, next: Heading | undefined): Lane {
  const start = afterLine(text, heading.end)
  const rest = text.slice(start, next === undefined ? text.length : lineStart(text, next.start))
  // The archive and the settings of the board follow the last lane.
  const after = /^(?:\*\*\*|%% kanban:settings)/m.exec(rest)
  const end = start + (after?.index ?? rest.length)
  return { name: heading.text, start, end, isComplete: /^\s*\*\*Complete\*\*/.test(text.slice(start, end)) }
}

/** The lane of the card at this offset. */
export const laneAt = (lanes: readonly Lane[], offset: number): Lane | undefined =>
  lanes.find(({ start, end }) => offset >= start && offset < end)

/** The lane of this name, in any capitals. Fails with `not-found` if the note has none. */
export function laneNamed(lanes: readonly Lane[], wanted: string, path: string): Lane {
  const fold = (name: string) => name.normalize('NFC').trim().toLowerCase()
  const found = lanes.find(({ name }) => fold(name) === fold(wanted))
  if (found !== undefined) return found
  const hint =
    lanes.length === 0 ? 'It is no Kanban board.' : `Its lanes are ${lanes.map(({ name }) => name).join(', ')}.`
  throw new Failure('not-found', `${path} has no lane ${wanted.slice(0, 100)}. Nothing was changed.`, { hint })
}

/** The board with the cards on these lines at the end of a lane. Every card keeps its bytes. */
export function moveCards(text: string, lines: ReadonlySet<number>, lane: string, path: string): string {
  const lanes = lanesIn(text)
  const target = laneNamed(lanes, lane, path)
  const { tasks } = scanNote(text)
  const cards = tasks.flatMap(({ start, line }) => {
    const from = lineStart(text, start)
    return [{ line, from, to: endOfCard(text, from), isCard: from === start }]
  })
  const moved = cards.filter(({ line, from }) => lines.has(line) && laneAt(lanes, from) !== target)
  const part = moved.find(({ isCard, from }) => !isCard || laneAt(lanes, from) === undefined)
  if (part !== undefined) {
    throw new Failure('invalid-input', `Line ${part.line} of ${path} is no card of its own. Nothing was changed.`, {
      hint: 'Move the card that it belongs to.',
    })
  }
  if (moved.length === 0) return text

  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const stay = cards.filter(({ isCard, from }) => isCard && laneAt(lanes, from) === target)
  const at = stay.at(-1)?.to ?? startOfCards(text, target)
  const blocks = moved
    .map(({ from, to }) => text.slice(from, to))
    .map((block) => (block.endsWith('\n') ? block : block + lineBreak))
  const before = at > 0 && text[at - 1] !== '\n' ? lineBreak : ''
  let [result, done] = ['', 0]
  const steps = [
    ...moved.map(({ from, to }) => ({ from, to, added: '' })),
    { from: at, to: at, added: before + blocks.join('') },
  ]
  for (const { from, to, added } of steps.sort((a, b) => a.from - b.from || a.to - b.to)) {
    result += text.slice(done, from) + added
    done = to
  }
  return result + text.slice(done)
}

/** After the heading, the mark of a lane for finished cards, and a blank line. */
function startOfCards(text: string, { start, end }: Lane): number {
  const head = /^(?:[ \t]*\r?\n)?(?:\*\*Complete\*\*[ \t]*(?:\r?\n|$))?/.exec(text.slice(start, end))?.[0] ?? ''
  return start + head.length
}

/** A card goes on with the indented lines below it. */
function endOfCard(text: string, from: number): number {
  let end = afterLine(text, from)
  for (let at = end; at < text.length; ) {
    const next = afterLine(text, at)
    const line = text.slice(at, next)
    if (line.trim() === '') {
      at = next
      continue
    }
    if (!/^(?:\t| {2,})/.test(line)) break
    end = at = next
  }
  return end
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

function afterLine(text: string, at: number): number {
  const lineFeed = text.indexOf('\n', at)
  return lineFeed < 0 ? text.length : lineFeed + 1
}
