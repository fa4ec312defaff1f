import { type Region, type Span, scanNote } from '../../markdown/index.js'
import type { Notice } from '../tool.js'
import { runningAppLinks, runningMarkup } from './running-markup.js'

/** A stretch of a note that some Obsidian plugin, or a page made from it, would run as code. */
export interface Executable {
  /** "dataviewjs block", "Templater command". */
  what: string
  /** 1-based. */
  line: number
  source: string
}

/** Warns of executable text that a change brings in. What was there before, word for word, raises nothing. */
export function executableNotices(path: string, before: string, after: string): Notice[] {
  if (!mayExecute.test(after)) return []
  const known = new Map<string, number>()
  for (const each of mayExecute.test(before) ? executableBlocks(before) : []) {
    known.set(keyOf(each), (known.get(keyOf(each)) ?? 0) + 1)
  }
  const added = executableBlocks(after).filter((each) => {
    const count = known.get(keyOf(each)) ?? 0
    known.set(keyOf(each), count - 1)
    return count <= 0
  })
  if (added.length === 0) return []
  const named = added.slice(0, mostNamed).map(({ what, line }) => `${what} (line ${line})`)
  if (added.length > named.length) named.push(`and ${added.length - named.length} more`)
  return [
    { kind: 'executable', text: `Adds text to ${path} that plugins or browsers run as code: ${named.join(', ')}.` },
  ]
}

/** Everything in a note that may be run as code, in order. Where programs read a note differently, the doubt counts. */
export function executableBlocks(given: string): Executable[] {
  // Editors take a lone carriage return for the end of a line.
  const text = given.replace(/\r(?!\n)/g, '\n')
  const { regions, lineStarts } = scanNote(text)
  const found: (Omit<Executable, 'line'> & { start: number })[] = []
  const add = (what: string, start: number, source: string) => found.push({ what, start, source })

  for (const { kind, start, end } of regions) {
    const source = text.slice(start, end)
    if (kind === 'fence') addBlock(source, start)
    if (kind === 'code-span' && /^`+\s*\$=/.test(source)) add('inline dataviewjs', start, source)
  }
  const fences = regions.filter(({ kind }) => kind === 'fence')
  for (const { start, end } of looseFences(text)) if (!isInside(fences, start)) addBlock(text.slice(start, end), start)
  // Templater replaces its commands wherever they stand, in code too.
  for (const { start, end } of templaterCommands(text)) add('Templater command', start, text.slice(start, end))
  const inert = regions.filter(({ kind, start, end }) => isInert(kind, text.slice(start, end)))
  for (const { what, start, source } of runningMarkup(text)) if (!isInside(inert, start)) add(what, start, source)
  // A property that holds an address is shown as a link.
  const shown = inert.filter(({ kind }) => kind !== 'frontmatter')
  for (const { what, start, source } of runningAppLinks(text)) if (!isInside(shown, start)) add(what, start, source)
  return found
    .sort((one, other) => one.start - other.start)
    .map(({ what, start, source }) => ({ what, line: lineAt(lineStarts, start), source }))

  function addBlock(source: string, start: number): void {
    const language = languageOf(source)
    if (runs(language, source)) add(`${language} block`, start, source)
  }
}

const mostNamed = 10
const mayExecute = /<%|\$=|```|~~~|<[a-z]|\][(:]|obsidian:/i

/** Languages whose blocks run: as JavaScript, as commands of the app, or as programs. */
const executableLanguages = new Set([
  'dataviewjs',
  'datacorejs',
  'datacorejsx',
  'datacorets',
  'datacoretsx',
  'js-engine',
  'js-engine-debug',
  'meta-bind-js-view',
  'meta-bind-button',
  'button',
])

/** Queries (`dataview`, `tasks`) only read, but those of `tasks` may filter, sort and group by code. */
function runs(language: string, source: string): boolean {
  if (language === 'tasks') return /\bby\s+function\b/i.test(source)
  return executableLanguages.has(language) || language.startsWith('run-') || language.startsWith('jsx:')
}

function languageOf(fence: string): string {
  const info = /^[`~]+[\s{.]*([^\s{}`]*)/.exec(fence.split('\n', 1)[0])
  return (info?.[1] ?? '').replace(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase()
}

/** Lines that look like the start of a fence, however deep they are indented, each up to the next of its kind. */
function* looseFences(text: string): Generator<Span> {
  const marks = [...text.matchAll(/^(?:[^\S\n]|>)*(?:(?:[-*+]|\d{1,9}[.)])(?:[^\S\n]|>)+)*(?=`{3}|~{3})/gm)]
  for (const [at, { index, 0: indent }] of marks.entries()) {
    yield { start: index + indent.length, end: marks[at + 1]?.index ?? text.length }
  }
}

function* templaterCommands(text: string): Generator<Span> {
  for (let start = text.indexOf('<%'); start >= 0; ) {
    const close = text.indexOf('%>', start + 2)
    const end = close < 0 ? text.length : close + 2
    yield { start, end }
    start = text.indexOf('<%', end)
  }
}

const inertKinds = new Set<Region['kind']>(['frontmatter', 'fence', 'indented-code', 'code-span', 'math'])

/** Browsers end a comment at `--!>` too. */
function isInert(kind: Region['kind'], source: string): boolean {
  return inertKinds.has(kind) || (kind === 'html-comment' && !source.includes('--!>'))
}

function keyOf({ what, source }: Executable): string {
  return `${what}\n${source.replaceAll('\r\n', '\n')}`
}

function isInside(regions: readonly Region[], offset: number): boolean {
  let low = 0
  let high = regions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (regions[middle].start <= offset) low = middle + 1
    else high = middle
  }
  return low > 0 && offset < regions[low - 1].end
}

function lineAt(lineStarts: Int32Array, offset: number): number {
  let low = 0
  let high = lineStarts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (lineStarts[middle] <= offset) low = middle + 1
    else high = middle
  }
  return low
}
