import * as z from 'zod'
import { Failure } from '../../errors.js'
import { compareText, yieldToHost } from '../../index/index.js'
import { boundedExpression, estimateTokens, visibleText } from '../../text/index.js'
import { type NotePath, notePath } from '../../vault/index.js'
import { counted, cutText, remarks, remarksField, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import { validationFailure } from '../tool-input.js'
import { existingFolder } from './query-page.js'
import { literalMatcher, notesToScan, scanNotes, toNfc, tooLongRemark } from './scan-notes.js'

const mostLines = 100
const usualRoom = 4000
const mostContext = 5
/** Work per character of a line that a usual expression needs at most. */
const stepsPerCharacter = 200

const foundLine = z.object({
  path: z.string(),
  line: z.number(),
  text: z.string(),
  before: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
})
type FoundLine = z.output<typeof foundLine>

export const searchText = defineTool({
  name: 'search_text',
  title: 'Search text',
  description:
    'Find every line that contains a text or matches a regular expression, with line numbers and the total. Use it for exact words, counts and patterns; use search_notes for topics.',
  activity: 'Searching the text',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  timeoutMs: 120_000,
  inBrief: ['pattern', 'regex'],
  input: z.object({
    pattern: z.string().min(1).max(500),
    regex: z.boolean().optional(),
    case: z.boolean().optional().describe('Case-sensitive'),
    context: z.number().min(0).optional().describe(`Lines around each, at most ${mostContext}`),
    folder: z.string().optional(),
    cursor: z.string().optional(),
  }),
  example: { pattern: 'compost', context: 1 },
  output: z.object({
    total: z.number().describe('Matches'),
    lines: z.number().describe('Lines with matches'),
    notes: z.number(),
    matches: z.array(foundLine),
    cursor: z.string().optional(),
    remarks: remarksField,
  }),

  async run({ pattern, regex = false, case: isCaseSensitive = false, context: around = 0, folder, cursor }, context) {
    const { report, signal } = context
    const countIn = lineMatcher(pattern, regex, isCaseSensitive)
    const inside = await existingFolder(folder, context.index)
    const all = (await notesToScan(context)).filter((path) => inside === '' || path.startsWith(`${inside}/`))
    const paths = all.sort(compareText)
    const page = openPage(readCursor(cursor), context.room ?? usualRoom)
    const width = Math.min(Math.floor(around), mostContext)
    const found = { total: 0, lines: 0, notes: 0 }
    const tooLarge: NotePath[] = []
    const tooCostly: NotePath[] = []
    const pause = yieldToHost()
    let looked = 0
    for await (const { path, text, isTooLarge } of scanNotes(paths, context)) {
      if (++looked % 200 === 0) report({ text: 'Searching', done: looked, total: paths.length })
      if (isTooLarge) tooLarge.push(path)
      if (text === undefined) continue
      const lines = text.split(/\r?\n/)
      let isIn = false
      try {
        for (const [at, line] of lines.entries()) {
          const count = countIn(line)
          if (count > 0) {
            isIn = true
            found.total += count
            found.lines++
            page.add({ path, line: at + 1, ...linesAround(lines, at, width) })
          }
          if (at % 500 === 499) {
            await pause()
            signal.throwIfAborted()
          }
        }
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'too-large') throw error
        tooCostly.push(path)
      }
      if (isIn) found.notes++
    }
    const costly =
      tooCostly.length === 0
        ? undefined
        : `The expression takes too long in ${counted(tooCostly.length, 'note')}: ${tooCostly
            .slice(0, 5)
            .map((path) => shortText(path))
            .join(', ')}.`
    return {
      ...found,
      matches: page.lines,
      ...(page.next() !== undefined && { cursor: page.next() }),
      ...remarks(tooLongRemark(tooLarge), costly),
    }
  },

  render: ({ total, lines, notes, matches, cursor, remarks: said = [] }) =>
    [
      total === 0
        ? 'No match.'
        : `${counted(total, 'match', 'matches')} in ${counted(notes, 'note')}${matches.length < lines ? `, ${counted(matches.length, 'line')} shown` : ''}.`,
      ...matchLines(matches),
      ...(cursor === undefined ? [] : [`More with cursor ${JSON.stringify(cursor)}.`]),
      ...said,
    ].join('\n'),
  notesIn: ({ matches }) => [...new Set(matches.map(({ path }) => path))].map((path) => notePath(path)),
  summary: ({ total }) => counted(total, 'match', 'matches'),
})

/** The number of matches in a line. */
function lineMatcher(pattern: string, isExpression: boolean, isCaseSensitive: boolean): (line: string) => number {
  if (/[\r\n]/.test(pattern)) throw validationFailure('search_text', 'pattern: must be within one line')
  if (!isExpression) {
    const wanted = literalMatcher(pattern, { isCaseSensitive })
    return (line) => wanted.countIn(line).count
  }
  const open = (mostSteps: number) => boundedExpression(toNfc(pattern), { ignoreCase: !isCaseSensitive, mostSteps })
  const usualLength = 1000
  const usual = open(usualLength * stepsPerCharacter)
  if (usual === undefined) {
    throw validationFailure('search_text', 'pattern: not a regular expression, too long, or one with back references')
  }
  return (line) => {
    const expression = line.length <= usualLength ? usual : (open(line.length * stepsPerCharacter) ?? usual)
    let count = 0
    for (let from = 0; from <= line.length; ) {
      const match = expression.exec(line, from)
      if (match === undefined) break
      // Matches of nothing are everywhere.
      if (match.end > match.start) count++
      from = Math.max(match.end, match.start + 1)
    }
    return count
  }
}

/** The place after which a page begins. */
interface Place {
  path: string
  line: number
}

function readCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, path = '', line = ''] = /^(.+):(\d+)$/s.exec(cursor) ?? []
  if (path === '') throw validationFailure('search_text', 'cursor: not one of an earlier answer')
  return { path, line: Number(line) }
}

/** Collects the lines of one page: those after a place, as many as fit. */
function openPage(after: Place | undefined, room: number) {
  const lines: FoundLine[] = []
  let left = room
  let isFull = false
  const isBefore = ({ path, line }: Place): boolean => {
    if (after === undefined) return false
    const order = compareText(path, after.path)
    return order < 0 || (order === 0 && line <= after.line)
  }
  return {
    lines,
    add(found: FoundLine): void {
      if (isFull || isBefore(found)) {
        return
      }
      left -= estimateTokens([found.text, ...(found.before ?? []), ...(found.after ?? [])].join('\n')) + 4
      if (lines.length > 0 && (left < 0 || lines.length === mostLines)) isFull = true
      else lines.push(found)
    },
    /** A path and line, so that notes changed meanwhile leave no gap. */
    next(): string | undefined {
      const last = lines.at(-1)
      return isFull && last ? `${last.path}:${last.line}` : undefined
    },
  }
}

function linesAround(lines: readonly string[], at: number, width: number): Omit<FoundLine, 'path' | 'line'> {
  const shown = (from: number, to: number) => lines.slice(Math.max(0, from), to).map(shownLine)
  return {
    text: shownLine(lines[at] ?? ''),
    ...(width > 0 && { before: shown(at - width, at), after: shown(at + 1, at + 1 + width) }),
  }
}

const longestLine = 400

const shownLine = (line: string): string =>
  visibleText(line.length > longestLine ? `${cutText(line, longestLine)}…` : line).text

/** Lines below their note, with `:` after the number of a match and `-` after that of a line around one, as grep does. */
function matchLines(matches: readonly FoundLine[]): string[] {
  const byNote = new Map<string, Map<number, { text: string; isMatch: boolean }>>()
  for (const { path, line, text, before = [], after = [] } of matches) {
    const lines = byNote.get(path) ?? new Map<number, { text: string; isMatch: boolean }>()
    byNote.set(path, lines)
    for (const [at, around] of [...before, text, ...after].entries()) {
      const number = line - before.length + at
      const isMatch = at === before.length
      if (isMatch || !lines.has(number)) lines.set(number, { text: around, isMatch })
    }
  }
  return [...byNote].flatMap(([path, lines]) => [
    shortText(path, 1000),
    ...[...lines]
      .sort(([a], [b]) => a - b)
      .map(([number, { text, isMatch }]) => ` ${number}${isMatch ? ':' : '-'} ${text}`),
  ])
}
