import { type Region, type Span, scanNote } from '../../markdown/index.js'
import type { Notice } from '../tool.js'

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

/** Everything in a note that may be run as code, in order. */
export function executableBlocks(text: string): Executable[] {
  const { regions, lineStarts } = scanNote(text)
  const found: (Omit<Executable, 'line'> & { start: number })[] = []
  const add = (what: string, start: number, source: string) => found.push({ what, start, source })

  for (const { kind, start, end } of regions) {
    const source = text.slice(start, end)
    const language = kind === 'fence' ? languageOf(source) : ''
    if (isExecutableLanguage(language)) add(`${language} block`, start, source)
    if (kind === 'code-span' && /^`+\s*\$=/.test(source)) add('inline dataviewjs', start, source)
  }
  // Templater replaces its commands wherever they stand, in code too.
  for (const { start, end } of templaterCommands(text)) add('Templater command', start, text.slice(start, end))
  const inert = regions.filter(({ kind }) => inertKinds.has(kind))
  for (const { start, end, name } of htmlTags(text)) {
    const what = whyTagRuns(name, text.slice(start, end))
    if (what !== undefined && !isInside(inert, start)) add(what, start, text.slice(start, end))
  }
  for (const match of text.matchAll(scriptLink)) {
    if (!isInside(inert, match.index)) add('script link', match.index, match[0])
  }
  return found
    .sort((one, other) => one.start - other.start)
    .map(({ what, start, source }) => ({ what, line: lineAt(lineStarts, start), source }))
}

const mostNamed = 10
const mayExecute = /<%|\$=|```|~~~|<[a-z]|(?:javascript|vbscript|data):/i
const scriptLink = /\]\(\s{0,20}<?\s{0,20}(?:javascript:|vbscript:|data:text\/html)[^)\n]{0,2000}/gi

/** Languages whose blocks run: as JavaScript, as commands of the app, or as programs. Queries (`dataview`, `tasks`) only read. */
const executableLanguages = new Set([
  'dataviewjs',
  'js-engine',
  'js-engine-debug',
  'meta-bind-js-view',
  'meta-bind-button',
  'button',
])

const inertKinds = new Set<Region['kind']>([
  'frontmatter',
  'fence',
  'indented-code',
  'code-span',
  'math',
  'html-comment',
])

function isExecutableLanguage(language: string): boolean {
  return executableLanguages.has(language) || language.startsWith('run-') || language.startsWith('jsx:')
}

function languageOf(fence: string): string {
  const info = /^[`~]+[ \t]*\{?[ \t]*([^\s{}`]*)/.exec(fence)
  return (info?.[1] ?? '').toLowerCase()
}

function* templaterCommands(text: string): Generator<Span> {
  for (let start = text.indexOf('<%'); start >= 0; ) {
    const close = text.indexOf('%>', start + 2)
    const end = close < 0 ? text.length : close + 2
    yield { start, end }
    start = text.indexOf('<%', end)
  }
}

const longestTag = 5000

/** Opening tags with their attributes; one that is not closed soon counts by its name alone. */
function* htmlTags(text: string): Generator<Span & { name: string }> {
  const opening = /<([a-z][a-z0-9-]{0,30})/gi
  let greater = -1
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index
    const afterName = opening.lastIndex
    if (greater < afterName) greater = orEnd(text.indexOf('>', afterName), text)
    const end = greater - start > longestTag ? afterName : tagEnd(text, afterName)
    yield { start, end, name: match[1].toLowerCase() }
    opening.lastIndex = end
  }
}

function tagEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + longestTag)
  let quote = ''
  for (let at = from; at < limit; at++) {
    const character = text[at]
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '>') return at + 1
    else if (character === '"' || character === "'") quote = character
  }
  return orEnd(text.indexOf('>', from), text)
}

function orEnd(index: number, text: string): number {
  return index < 0 ? text.length : index
}

function whyTagRuns(name: string, attributes: string): string | undefined {
  if (name === 'script') return 'script tag'
  if (/[\s"'/]on[a-z]+\s*=/i.test(attributes)) return `${name} tag with an event handler`
  const address = /[\s"'/](src|srcdoc|data|href|action|formaction)\s*=\s*(?:"([^"]*)|'([^']*)|([^\s"'>]*))/gi
  const framed = name === 'iframe' || name === 'object' || name === 'embed' || name === 'frame'
  for (const [, attribute, ...values] of attributes.matchAll(address)) {
    if (attribute.toLowerCase() === 'srcdoc') return `${name} tag with a document of its own`
    const value = values.find((each) => each !== undefined) ?? ''
    const scheme = value.replace(/[\u0000-\u0020]|&(?:tab|newline|colon|#x?[0-9a-f]+);?/gi, '').toLowerCase()
    if (/^(?:javascript|vbscript)/.test(scheme)) return `${name} tag with a script address`
    if (framed && scheme.startsWith('data')) return `${name} tag with a data address`
  }
  return undefined
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
