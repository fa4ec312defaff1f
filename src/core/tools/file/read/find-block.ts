import { Failure } from '../../../errors.js'
import { type Region, scanNote } from '../../../markdown/index.js'
import type { NotePath } from '../../../vault/index.js'
import { shortText } from '../../answer/index.js'
import type { Stretch } from './note-parts.js'

/** The lines that a block id names: its paragraph, its list item with what is below, or what stands before a lone id. */
export function findBlock(path: NotePath, text: string, wanted: string): Stretch {
  const { blocks, lineStarts, regions } = scanNote(text)
  const id = wanted.trim().replace(/^#?\^/, '')
  const found = blocks.filter((block) => block.id.toLowerCase() === id.toLowerCase())
  if (found.length === 0) {
    throw new Failure('not-found', `${path} has no block ^${shortText(id, 50)}.`, {
      hint: 'Block ids stand at the end of a block, like ^a1b2c3.',
    })
  }
  if (found.length > 1) {
    const lines = found.slice(0, 20).map(({ line }) => line)
    throw new Failure('ambiguous', `${path} has ${found.length} blocks ^${id} (lines ${lines.join(', ')}).`, {
      hint: 'Read one of them by its lines.',
      data: { candidates: lines },
    })
  }
  const lineText = (line: number) => text.slice(lineStarts[line - 1], lineStarts[line] ?? text.length).trimEnd()
  const [first, last] = extent(found[0].line, lineStarts.length, lineText, (line) =>
    regionBefore(regions, lineStarts, line),
  )
  return { start: lineStarts[first - 1], end: lineStarts[last] ?? text.length, lines: [first, last] }
}

function extent(
  line: number,
  lines: number,
  lineText: (line: number) => string,
  regionStart: (line: number) => number | undefined,
): [number, number] {
  if (!/^\s*(?:>\s*)*\^[\w-]+$/.test(lineText(line))) {
    let first = line
    while (!startsItem(lineText(first)) && first > 1 && isText(lineText(first - 1))) first--
    let last = line
    if (startsItem(lineText(first))) while (last < lines && isDeeper(lineText(last + 1), lineText(first))) last++
    return [first, last]
  }
  let first = line
  while (first > 1 && lineText(first - 1).trim() === '') first--
  if (first === 1) return [line, line]
  first = regionStart(first - 1) ?? first - 1
  while (first > 1 && isText(lineText(first - 1))) first--
  return [first, line]
}

const startsItem = (line: string): boolean => /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line)

const isText = (line: string): boolean => line.trim() !== '' && !/^#{1,6}\s/.test(line)

const indentOf = (line: string): number => line.length - line.trimStart().length

const isDeeper = (line: string, item: string): boolean => line.trim() !== '' && indentOf(line) > indentOf(item)

/** The first line of the code or math block that a line belongs to; blank lines inside do not end it. */
function regionBefore(regions: readonly Region[], lineStarts: Int32Array, line: number): number | undefined {
  const offset = lineStarts[line - 1]
  const around = regions.find(
    ({ kind, start, end }) => (kind === 'fence' || kind === 'math') && start <= offset && offset < end,
  )
  if (around === undefined) return undefined
  let first = line
  while (first > 1 && lineStarts[first - 1] > around.start) first--
  return first
}
