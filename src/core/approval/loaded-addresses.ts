import { type NoteLink, type Region, type ScannedNote, type Span, scanNote } from '../markdown/index.js'
import { decodedAddress, htmlTags } from '../tools/index.js'
import { isNote } from '../vault/index.js'

// `!` is used inside the bounds of a binary search, and on an expression that matches any text.

/** An address that is loaded when a file is opened, or by plugins for a preview. */
interface LoadedAddress {
  url: string
  /** "image", "iframe tag", "property cover". */
  how: string
}

/** Addresses that are loaded after a change and were not before. */
export function addedAddresses(path: string, before: string, after: string): LoadedAddress[] {
  if (before === after || !mayHoldAddress.test(after)) return []
  const known = new Set(mayHoldAddress.test(before) ? loadedAddresses(path, before).map(addressKey) : [])
  const added = new Map(loadedAddresses(path, after).map((each) => [addressKey(each), each]))
  return [...added].flatMap(([key, each]) => (known.has(key) ? [] : [each]))
}

const linkPreview = 'link that plugins may show a preview of'
/** An address that was only previewed counts as new when it becomes an image. */
const addressKey = ({ url, how }: LoadedAddress): string => `${how === linkPreview}\n${url}`

const mayHoldAddress = /[\\/]\s*[\\/]|(?:https?|ftps?|wss?|file|smb):|www\.|&(?:#|sol|bsol|colon)|\\[0-9a-f]{1,6}/i

/**
 * All addresses that a file loads. Errs on the safe side: every address counts, except in known harmless places: link
 * targets (`[text](address)`) and code.
 */
export function loadedAddresses(path: string, given: string): LoadedAddress[] {
  // Editors treat a lone carriage return as a line end.
  const text = given.replace(/\r(?!\n)/g, '\n')
  if (!isNote(path)) return addressesIn(unescapedJson(text)).map((url) => ({ url, how: 'address' }))
  const { frontmatter, regions, links: all } = scanNote(text)
  const markup = markupBlocks(text)
  const code = regions.filter((region) => isShownAsCode(region, text) && isOutside(markup, region.start))
  const skipped = spanSet([...code, ...(frontmatter ? [frontmatter] : [])])
  const links = all.filter(({ kind, start }) => kind !== 'frontmatter' && isOutside(skipped, start))
  const tags = [...htmlTags(text)].filter(({ start }) => isOutside(skipped, start) && !isAutolink(text, start))
  return [
    ...(frontmatter ? addressesInProperties(frontmatter, text) : []),
    ...addressesInMarkup(text, tags, skipped),
    ...addressesInLinks(links, text, skipped),
    ...addressesOutsideLinks(text, spanSet([...skipped.spans, ...links, ...tags])),
  ]
}

/** Canvas files escape addresses as JSON. */
const unescapedJson = (text: string): string =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/')

/** Properties that name a source. In all others, a theme may show an address as an image. */
const sourceProperty =
  /^(?:source|sources|url|urls|link|links|origin|website|homepage|permalink|canonical|clipped|via|doi)$/i

function addressesInProperties({ data, yaml }: NonNullable<ScannedNote['frontmatter']>, text: string): LoadedAddress[] {
  if (data === undefined) {
    return addressesIn(text.slice(yaml.start, yaml.end)).map((url) => ({ url, how: 'property' }))
  }
  return Object.entries(data).flatMap(([name, value]) =>
    stringsIn(value).flatMap((each) => {
      if (sourceProperty.test(name) && !/!\[|<[a-z]/i.test(each)) return []
      const found = addressesIn(each)
      const urls = found.length === 0 && isRemote(each) ? [each] : found
      return urls.map((url) => ({ url, how: `property ${name}` }))
    }),
  )
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** HTML tags and style sheets. All attributes are searched, since the list of those that load is open. */
function addressesInMarkup(
  text: string,
  tags: readonly (Span & { name: string })[],
  skipped: SpanSet,
): LoadedAddress[] {
  const found: LoadedAddress[] = []
  for (const { start, end, name } of tags) {
    for (const url of addressesIn(text.slice(start, end), 'markup')) found.push({ url, how: `${name} tag` })
  }
  for (const { index, 0: whole } of text.matchAll(/<style(?![\w-])[\s\S]*?(?:<\/style|$)/gi)) {
    if (!isOutside(skipped, index)) continue
    for (const url of addressesIn(whole, 'markup')) found.push({ url, how: 'style sheet' })
  }
  return found
}

const autolink = /<(?:https?|ftps?|wss?|file|mailto|tel|obsidian):/iy

function isAutolink(text: string, start: number): boolean {
  autolink.lastIndex = start
  return autolink.test(text)
}

function addressesInLinks(links: readonly NoteLink[], text: string, skipped: SpanSet): LoadedAddress[] {
  const loadsDefinitions = hasImageReference(links, text, skipped)
  return links.flatMap(({ syntax, raw, targetSpan, end }): LoadedAddress[] => {
    // Including `#…`, which may be a character reference.
    const [written] = /^[^\s<>]*/.exec(text.slice(targetSpan.start, syntax === 'inline' ? end - 1 : end))!
    const isImage = raw.startsWith('!')
    const url =
      syntax === 'wiki' ? addressesIn(written.replace(/(?:\]\]|\|).*$/, ''), 'target')[0] : readAddress(written)
    if (url === undefined) return []
    if (syntax === 'definition') return loadsDefinitions ? [{ url, how: 'image by reference' }] : []
    if (syntax === 'inline') return isImage ? [{ url, how: 'image' }] : []
    return [{ url, how: isImage ? 'embed' : linkPreview }]
  })
}

/** Whether there is a reference image: `![alt][label]` or `![label]`. */
function hasImageReference(links: readonly NoteLink[], text: string, skipped: SpanSet): boolean {
  const images = new Map(links.filter(({ raw }) => raw.startsWith('!')).map(({ start, end }) => [start, end]))
  for (const { index } of text.matchAll(/!\[/g)) {
    const end = images.get(index)
    if (isOutside(skipped, index) && (end === undefined || text[end] === '[')) return true
  }
  return false
}

/** Addresses outside the links our scanner found; other programs may see a link there. */
function addressesOutsideLinks(text: string, covered: SpanSet): LoadedAddress[] {
  const found: LoadedAddress[] = []
  for (const { index, 1: written = '' } of text.matchAll(/\](?:\(|:)\s{0,20}<?\s{0,20}([^\s<>]+)/g)) {
    const url = isOutside(covered, index) ? readAddress(written) : undefined
    if (url !== undefined) found.push({ url: url.replace(/\)[^)]*$/, ''), how: 'image or link' })
  }
  const bare = /(?:(?:https?|ftps?|wss?|file|smb):[\\/]+|\bwww\.)[^\s<>"'`]+/gi
  for (const { index, 0: url } of text.matchAll(bare)) {
    if (isOutside(covered, index)) found.push({ url: url.replace(/[)\].,;:!?*_~|]+$/, ''), how: linkPreview })
  }
  return found
}

/** Languages that are only displayed. Blocks in other languages may be rendered by a plugin. */
const plainLanguages = new Set(
  `text txt plain plaintext bash sh shell zsh fish powershell ps1 console terminal bat cmd js javascript mjs cjs ts typescript
  jsx tsx json jsonc json5 yaml yml toml ini xml html css scss less sql graphql python py ruby rb go rust rs java kotlin
  scala c h cpp c++ cs csharp php perl lua r julia swift dart elixir erlang haskell clojure diff patch markdown md http
  curl nginx apache dockerfile makefile make cmake latex tex vim regex`.split(/\s+/),
)

/** `source` includes the line of the fence. */
export function isPlainLanguage(source: string): boolean {
  const language = /^[`~]+[ \t{.]*([^\s{}`]*)/.exec(source)?.[1]?.toLowerCase() ?? ''
  return language === '' || plainLanguages.has(language)
}

export function isShownAsCode({ kind, start, end }: Region, text: string): boolean {
  if (kind !== 'fence' && kind !== 'indented-code' && kind !== 'code-span') return false
  const source = text.slice(start, end)
  // Dataview renders `= …` as Markdown.
  if (kind === 'code-span' && /^`+\s*\$?=/.test(source)) return false
  return kind !== 'fence' || isPlainLanguage(source)
}

/** HTML blocks, from a line that begins with a tag to the next blank line: code in them is HTML to a browser. */
function markupBlocks(text: string): SpanSet {
  // These two kinds can contain blank lines.
  if (/<(?:\?|!\[CDATA|![a-z])/i.test(text)) return spanSet([{ start: 0, end: text.length }])
  const blocks: Span[] = []
  const tagLines = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*<[a-z/!]/gim
  const blankLines = /\n[ \t>]*\r?\n/g
  for (let match = tagLines.exec(text); match !== null; match = tagLines.exec(text)) {
    blankLines.lastIndex = tagLines.lastIndex
    const end = blankLines.exec(text)?.index ?? text.length
    blocks.push({ start: match.index, end })
    tagLines.lastIndex = Math.max(end, tagLines.lastIndex)
  }
  return spanSet(blocks)
}

/** True if an address is on another machine. `C:\` is a drive; `data:` contains its content. */
function isRemote(address: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]+:|[\\/]{2})/i.test(address) && !localScheme.test(address)
}

const localScheme = /^(?:data|blob|app|about|mailto|tel|obsidian|javascript|vbscript):/i

/** A link destination, decoded as a viewer does; undefined if it is local. */
function readAddress(written: string): string | undefined {
  const decoded = withoutStrayBlanks(decodedAddress(written))
  return [decoded, decoded.replace(/\\(?=[!-/:-@[-`{-~])/g, '')].find(isRemote)
}

/** Browsers ignore line breaks and tabs in an address, and leading blanks. */
const withoutStrayBlanks = (text: string): string => text.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+/, '')

/** Addresses in a text; in markup also protocol-relative and escaped ones. */
function addressesIn(text: string, where: 'text' | 'target' | 'markup' = 'text'): string[] {
  if (where === 'text') return text.match(addressWithScheme) ?? []
  if (where === 'target') return withoutStrayBlanks(text).match(/^(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}.*/i) ?? []
  const decoded = withoutStyleEscapes(decodedAddress(text)).replace(xmlNamespace, '').replace(dataAddress, '')
  return decoded.match(addressInMarkup) ?? decoded.replace(/[\t\n\r]/g, '').match(addressInMarkup) ?? []
}

const addressWithScheme = /(?:(?:https?|ftps?|wss?|file|smb):[\\/]+|\bwww\.)[^\s<>"'`\\]+/gi
const addressInMarkup = /(?:[a-z][a-z0-9+.-]*:)?[\\/]{2,}[^\s"'<>)]+|(?:https?|ftps?|wss?):[^\s"'<>)]+/gi

/** Data URLs. */
const dataAddress = /data:[\w.+-]*\/?[\w.+-]*(?:;[\w=.+-]+)*,[A-Za-z0-9+/=%]*/gi
const xmlNamespace = /\bxmlns(?::\w+)?\s*=\s*(["'])http:\/\/www\.w3\.org\/[\w/.]*\1/gi

/** Style sheets may write `\68 ttps:` for `https:`. */
function withoutStyleEscapes(text: string): string {
  return text.replace(/\\([0-9a-f]{1,6})[ \t\n]?/gi, (whole, hex: string) => {
    const code = Number.parseInt(hex, 16)
    return code >= 0x20 && code <= 0x7e ? String.fromCharCode(code) : whole
  })
}

/** Sorted text ranges, overlapping ones merged. */
interface SpanSet {
  spans: readonly Span[]
}

function spanSet(given: Iterable<Span>): SpanSet {
  const spans: Span[] = []
  for (const { start, end } of [...given].sort((one, other) => one.start - other.start)) {
    const last = spans.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else spans.push({ start, end })
  }
  return { spans }
}

function isOutside({ spans }: SpanSet, offset: number): boolean {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.start <= offset) low = middle + 1
    else high = middle
  }
  return low === 0 || offset >= spans[low - 1]!.end
}
