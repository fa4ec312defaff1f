import type { SearchAnswer, SearchHit } from '../../../../core/vault-index/index.js'
import { count } from '../../show/quantities.js'
import {
  cutPath,
  cutToWidth,
  padToWidth,
  type Style,
  textWidth,
  visibleLine,
  wrapToWidth,
} from '../../terminal/index.js'
import { highlight } from './highlight.js'

/** An answer for a person: numbered hits, each with where it stands and why it was found. */
export function showHits(answer: SearchAnswer, style: Style, width: number): string {
  const digits = String(answer.hits.length).length
  return answer.hits.map((hit, at) => showHit(hit, at + 1, answer.query, { digits, style, width })).join('\n\n')
}

/** What the search did differently from what was typed; '' when nothing. */
export function showCorrections({ corrected, excluded, phraseMissed }: SearchAnswer): string {
  const quoted = (word: string) => `"${visibleLine(word)}"`
  const lines = Object.entries(corrected ?? {}).map(
    ([typed, used]) => `Searched for ${quoted(used)}: no note contains ${quoted(typed)}.`,
  )
  if (excluded?.length) lines.push(`Left out: notes that contain ${excluded.map(quoted).join(' or ')}.`)
  if (phraseMissed) lines.push('The quoted phrase is nowhere as written; these are hits for its words.')
  return lines.join('\n')
}

/** What the answer does without, and what to do about it; '' when nothing. */
export function showFreshness(freshness: SearchAnswer['freshness']): string {
  if (freshness === 'fresh') return ''
  if (freshness === 'without vectors') {
    return 'Found by words alone: damage cost the index its vectors. To make them again: notewright index'
  }
  const left = Number(/\d+/.exec(freshness)?.[0])
  return `Without ${count(left, 'file')} that changed and were not read yet. To read them: notewright index`
}

interface Drawing {
  digits: number
  style: Style
  width: number
}

function showHit(hit: SearchHit, number: number, query: string, { digits, style, width }: Drawing): string {
  const indent = ' '.repeat(digits + 2)
  const room = (Number.isFinite(width) ? Math.min(width, 100) : width) - indent.length
  const score = hit.score.toFixed(2)
  const title = cutToWidth(visibleLine(hit.title), room - score.length - 2)
  // On the right of a screen; where lines have no end, right behind.
  const gap = Number.isFinite(room) ? padToWidth('', room - textWidth(title) - score.length) : '  '
  const head = `${String(number).padStart(digits)}  ${style.strong(title)}${gap}${style.faint(score)}`
  const lines = [head, indent + place(hit, room, style)]
  for (const line of wrapToWidth(visibleLine(hit.preview), room, 3))
    lines.push(indent + highlight(line, query, style.match))
  if (hit.why !== undefined) lines.push(...why(hit.why).map((line) => indent + style.faint(cutToWidth(line, room))))
  return lines.join('\n')
}

function place({ path, lines, heading, title }: SearchHit, room: number, style: Style): string {
  const where = `${visibleLine(path)}:${lines[0]}${lines[1] === lines[0] ? '' : `-${lines[1]}`}`
  const under = heading === '' || heading === title ? '' : ` › ${visibleLine(heading)}`
  const shown = cutPath(where, room)
  return style.path(shown) + style.faint(cutToWidth(under, room - textWidth(shown)))
}

function why(parts: Record<string, unknown>): string[] {
  return Object.entries(parts).map(([name, value]) => `${visibleLine(name)}: ${visibleLine(plain(value))}`)
}

function plain(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toFixed(3)
  if (Array.isArray(value)) return value.map(plain).join(', ')
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, part]) => `${name} ${plain(part)}`)
      .join(', ')
  }
  return String(value)
}
