import type { Span } from '../../markdown/index.js'
import { decodedAddress } from './decoded-address.js'
import { runsInObsidian } from './runs-in-obsidian.js'

/** HTML or a link that a browser would run something for. */
export interface RunningMarkup {
  /** "img tag with an event handler". */
  what: string
  start: number
  source: string
}

/** Tags and links that run code, wherever they stand in a text. */
export function* runningMarkup(text: string): Generator<RunningMarkup> {
  for (const { start, end, name } of htmlTags(text)) {
    const source = text.slice(start, end)
    const what = whyTagRuns(name, source)
    if (what !== undefined) yield { what, start, source }
  }
  for (const link of text.matchAll(links)) {
    const source = link[0]
    if (isScript(link[1].replace(/\\(?=[!-/:-@[-`{-~])/g, ''))) {
      yield { what: 'script link', start: link.index, source }
    }
    if (hidesAppLink(link[1])) yield { what: appLink, start: link.index, source }
  }
  for (const link of text.matchAll(scriptAutolinks)) yield { what: 'script link', start: link.index, source: link[0] }
}

/** Links that make Obsidian run something, in a tag, in a link or bare: some programs make links of bare ones too. */
export function* runningAppLinks(text: string): Generator<RunningMarkup> {
  for (const { index, 0: source } of text.matchAll(appLinks)) {
    if (runsInObsidian(source)) yield { what: appLink, start: index, source }
  }
}

const appLink = 'Obsidian link that runs something'
const appLinks = /<obsidian:[^<>\n]*|"obsidian:[^"\n]*|'obsidian:[^'\n]*|obsidian:[^\s<>"'`]*/gi

/** One that is spelled with character references or broken up, so that it is not found as it stands. */
function hidesAppLink(address: string): boolean {
  const [line] = address.split('\n', 1)
  const isPlain = /obsidian:/i.test(line) && runsInObsidian(line)
  return !isPlain && runsInObsidian(address)
}

/** Destinations: `[x](here)`, `[x]: here`. */
const links = /\](?:\(|:)\s{0,20}<?\s{0,20}([^\s<>]{1,2000})/g
const scriptAutolinks = /<(?:javascript|vbscript|data):[^\s<>]{0,2000}>/gi

/** Opening tags with their attributes. In Markdown a tag ends at a blank line at the latest. */
export function* htmlTags(text: string): Generator<Span & { name: string }> {
  const opening = /<([a-z][a-z0-9-]{0,30})/gi
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const end = tagEnd(text, opening.lastIndex)
    yield { start: match.index, end, name: match[1].toLowerCase() }
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

/** Looks at all that stands before the tag ends: where a quote is odd, that may be a tag of its own. */
function whyTagRuns(name: string, source: string): string | undefined {
  if (/<script(?![\w-])/i.test(source)) return 'script tag'
  if (/[\s"'/]on[a-z]+\s*=/i.test(source)) return `${name} tag with an event handler`
  const framed = /<(?:iframe|object|embed|frame)(?![\w-])/i.test(source)
  for (const [, attribute, ...values] of source.matchAll(addresses)) {
    if (attribute.toLowerCase() === 'srcdoc') return `${name} tag with a document of its own`
    const value = values.find((each) => each !== undefined) ?? ''
    if (isScript(value, framed))
      return `${name} tag with a ${/^\s*data/i.test(decodedAddress(value)) ? 'data' : 'script'} address`
    if (hidesAppLink(value)) return appLink
  }
  return undefined
}

const addresses = /[\s"'/:](src|srcdoc|data|href|action|formaction)\s*=\s*(?:"([^"]*)|'([^']*)|([^\s"'>]*))/gi

/** Any data address runs in a frame; elsewhere only a page does, and an image is an image. */
function isScript(address: string, framed = false): boolean {
  const scheme = decodedAddress(address.slice(0, 1000))
    .replace(/[\0- ]/g, '')
    .toLowerCase()
  return /^(?:javascript|vbscript):/.test(scheme) || scheme.startsWith(framed ? 'data:' : 'data:text/html')
}
