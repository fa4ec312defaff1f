import { type Region, type Span, scanNote } from '../../markdown/index.js'
import { visibleText } from '../../text/index.js'
import type { Notice } from '../tool.js'

// `!` is used inside the bounds of binary searches, on the first piece of a split text, and on groups that a match
// always has.

/** Notices for the user about text that a change adds to a note. */
export function textNotices(path: string, before: string, after: string): Notice[] {
  return [...executableNotices(path, before, after), ...hiddenNotices(path, before, after)]
}

/** Characters that are not seen can make a change look like another one, or carry something only a program reads. */
function hiddenNotices(path: string, before: string, after: string): Notice[] {
  const added = visibleText(after).hidden - visibleText(before).hidden
  if (added <= 0) return []
  const text = `Adds ${added} hidden character${added === 1 ? '' : 's'} to ${path}, shown as ⟦U+…⟧.`
  return [{ kind: 'other', text }]
}

/** A stretch of a note that some Obsidian plugin, or a page made from it, would run as code. */
interface Executable {
  /** "dataviewjs block", "Templater command". */
  what: string
  /** 1-based. */
  line: number
  source: string
}

/** Warns of executable text that a change adds. Text that was there before, word for word, is ignored. */
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
  const named = added.slice(0, mostBlocksNamed).map(({ what, line }) => `${what} (line ${line})`)
  if (added.length > named.length) named.push(`and ${added.length - named.length} more`)
  return [
    { kind: 'executable', text: `Adds text to ${path} that plugins or browsers run as code: ${named.join(', ')}.` },
  ]
}

/**
 * All blocks in a note that may be run as code, in order. If programs read a note differently, the block is included.
 */
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
  // Templater replaces its commands everywhere, in code too.
  for (const { start, end } of templaterCommands(text)) add('Templater command', start, text.slice(start, end))
  const inert = regions.filter(({ kind, start, end }) => isInertRegion(kind, text.slice(start, end)))
  for (const { what, start, source } of executableMarkup(text)) if (!isInside(inert, start)) add(what, start, source)
  // A property that holds an address is shown as a link.
  const shown = inert.filter(({ kind }) => kind !== 'frontmatter')
  for (const { what, start, source } of executableAppLinks(text)) if (!isInside(shown, start)) add(what, start, source)
  return found
    .sort((one, other) => one.start - other.start)
    .map(({ what, start, source }) => ({ what, line: lineAt(lineStarts, start), source }))

  function addBlock(source: string, start: number): void {
    const language = languageOf(source)
    if (isExecutableLanguage(language, source)) add(`${language} block`, start, source)
  }
}

const mostBlocksNamed = 10
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
function isExecutableLanguage(language: string, source: string): boolean {
  if (language === 'tasks') return /\bby\s+function\b/i.test(source)
  return executableLanguages.has(language) || language.startsWith('run-') || language.startsWith('jsx:')
}

function languageOf(fence: string): string {
  const info = /^[`~]+[\s{.]*([^\s{}`]*)/.exec(fence.split('\n', 1)[0]!)
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
function isInertRegion(kind: Region['kind'], source: string): boolean {
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
    if (regions[middle]!.start <= offset) low = middle + 1
    else high = middle
  }
  return low > 0 && offset < regions[low - 1]!.end
}

function lineAt(lineStarts: Int32Array, offset: number): number {
  let low = 0
  let high = lineStarts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (lineStarts[middle]! <= offset) low = middle + 1
    else high = middle
  }
  return low
}

/** HTML or a link that a browser would run something for. */
interface ExecutableMarkup {
  /** "img tag with an event handler". */
  what: string
  start: number
  source: string
}

/** Tags and links that run code, anywhere in a text. */
function* executableMarkup(text: string): Generator<ExecutableMarkup> {
  for (const { start, end, name } of htmlTags(text)) {
    const source = text.slice(start, end)
    const what = tagRisk(name, source)
    if (what !== undefined) yield { what, start, source }
  }
  for (const link of text.matchAll(linkDestinations)) {
    const source = link[0]
    if (isScriptAddress(link[1]!.replace(/\\(?=[!-/:-@[-`{-~])/g, ''))) {
      yield { what: 'script link', start: link.index, source }
    }
    if (hidesAppLink(link[1]!)) yield { what: obsidianLink, start: link.index, source }
  }
  for (const link of text.matchAll(scriptAutolinks)) yield { what: 'script link', start: link.index, source: link[0] }
}

/** Links that make Obsidian run something, in a tag, in a link or bare: some programs make links of bare ones too. */
function* executableAppLinks(text: string): Generator<ExecutableMarkup> {
  for (const { index, 0: source } of text.matchAll(obsidianLinks)) {
    if (runsInObsidian(source)) yield { what: obsidianLink, start: index, source }
  }
}

const obsidianLink = 'Obsidian link that runs an action'
const obsidianLinks = /<obsidian:[^<>\n]*|"obsidian:[^"\n]*|'obsidian:[^'\n]*|obsidian:[^\s<>"'`]*/gi

/** True for an app link that a plain search misses: written with character references or broken up. */
function hidesAppLink(address: string): boolean {
  const [line = ''] = address.split('\n', 1)
  const isPlain = /obsidian:/i.test(line) && runsInObsidian(line)
  return !isPlain && runsInObsidian(address)
}

/** Destinations: `[x](here)`, `[x]: here`. */
const linkDestinations = /\](?:\(|:)\s{0,20}<?\s{0,20}([^\s<>]{1,2000})/g
const scriptAutolinks = /<(?:javascript|vbscript|data):[^\s<>]{0,2000}>/gi

/** Opening tags with their attributes. In Markdown a tag ends at a blank line at the latest. */
export function* htmlTags(text: string): Generator<Span & { name: string }> {
  const opening = /<([a-z][a-z0-9-]{0,30})/gi
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const end = tagEnd(text, opening.lastIndex)
    yield { start: match.index, end, name: match[1]!.toLowerCase() }
    opening.lastIndex = end
  }
}

function tagEnd(text: string, from: number): number {
  let quote = ''
  /** The first `>`, for a quote that is never closed. */
  let first = -1
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '>' && first < 0) first = at
    if (character === '>' && quote === '') return at + 1
    if (character === '\n' && isBlankLine(text, at + 1)) return first < 0 ? at : first + 1
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
  }
  return first < 0 ? text.length : first + 1
}

const blankLine = /[ \t]*\r?\n/y

function isBlankLine(text: string, at: number): boolean {
  blankLine.lastIndex = at
  return blankLine.test(text)
}

/** Checks everything up to the end of the tag: after an unbalanced quote this may contain another tag. */
function tagRisk(name: string, source: string): string | undefined {
  if (/<script(?![\w-])/i.test(source)) return 'script tag'
  if (/[\s"'/]on[a-z]+\s*=/i.test(source)) return `${name} tag with an event handler`
  const framed = /<(?:iframe|object|embed|frame)(?![\w-])/i.test(source)
  for (const [, attribute = '', ...values] of source.matchAll(addressAttributes)) {
    if (attribute.toLowerCase() === 'srcdoc') return `${name} tag with an embedded document`
    const value = values.find((each) => each !== undefined) ?? ''
    if (isScriptAddress(value, framed))
      return `${name} tag with a ${/^\s*data/i.test(decodedAddress(value)) ? 'data' : 'script'} address`
    if (hidesAppLink(value)) return obsidianLink
  }
  return undefined
}

const addressAttributes = /[\s"'/:](src|srcdoc|data|href|action|formaction)\s*=\s*(?:"([^"]*)|'([^']*)|([^\s"'>]*))/gi

/** Any data address runs in a frame; elsewhere only a page does, and an image is an image. */
function isScriptAddress(address: string, framed = false): boolean {
  const scheme = decodedAddress(address.slice(0, 1000))
    .replace(/[\0- ]/g, '')
    .toLowerCase()
  return /^(?:javascript|vbscript):/.test(scheme) || scheme.startsWith(framed ? 'data:' : 'data:text/html')
}

/**
 * True if opening an address, or one inside it, makes Obsidian or a plugin run something. Opening a note, a search or
 * a setting runs nothing.
 */
function runsInObsidian(address: string): boolean {
  const plain = decodedAddress(address)
    // eslint-disable-next-line no-control-regex -- control characters are what it looks for
    .replace(/[\u0000-\u001f]/g, '')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
  if (!/obsidian:/i.test(plain)) return false
  const [, ...parameters] = plain.split(/[?&;]/)
  if (parameters.some((parameter) => runningParameters.has(parameterName(parameter.split('=', 1)[0]!)))) return true
  return [...plain.matchAll(obsidianActions)].some(([, action = '']) => runningActions.test(parameterName(action)))
}

const obsidianActions = /obsidian:\/*([^?#&;)\]\s]{0,200})/gi

/** Actions of Shell commands, QuickAdd, Command URI, Actions URI and CodeScript Toolkit. */
const runningActions = /^(?:shell-commands|quickadd|command|actions-uri\/+command(?:\/.*)?|codescripttoolkit)$/

/**
 * Parameters of Advanced URI, Note Toolbar and the plugins above: code, a command, a program, a plugin to switch on or
 * off.
 */
const runningParameters = new Set([
  'eval',
  'command',
  'commandid',
  'commandname',
  'command-id',
  'command-name',
  'commands',
  'execute',
  'script',
  'enable-plugin',
  'disable-plugin',
  'updateplugins',
])

/** A sentence that ends after an address adds its punctuation to it. */
function parameterName(text: string): string {
  return percentDecoded(text.slice(0, 200))
    .replace(/[\s/.,:!'"*_]+$/, '')
    .trim()
    .toLowerCase()
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An address with its character references as a browser reads them, as far as addresses are hidden with them. */
export function decodedAddress(text: string): string {
  return text.replace(reference, (_, hex?: string, decimal?: string, named?: string) => {
    if (named !== undefined) return characterReferences[named.toLowerCase()]!
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

const characterReferences: Record<string, string> = {
  tab: '',
  newline: '',
  colon: ':',
  sol: '/',
  quest: '?',
  equals: '=',
  percnt: '%',
  amp: '&',
}
const reference = new RegExp(
  `&(?:#x([0-9a-f]{1,9})|#(\\d{1,9})|(${Object.keys(characterReferences).join('|')}));?`,
  'gi',
)
