import { type NoteLink, type Region, type ScannedNote, type Span, scanNote } from '../../markdown/index.js'
import { htmlTags } from '../../tools/index.js'
import { isNote } from '../../vault/index.js'
import { addressesIn, isRemote, readAddress } from './remote-address.js'
import { outside, type SpanSet, spanSet } from './span-set.js'

/** An address that whoever opens a file would load, or that plugins load to show a preview of it. */
export interface LoadedAddress {
  url: string
  /** "image", "iframe tag", "property cover". */
  how: string
}

/** What a change makes a viewer load that it did not load before. */
export function addedAddresses(path: string, before: string, after: string): LoadedAddress[] {
  if (before === after || !mayHold.test(after)) return []
  const known = new Set(mayHold.test(before) ? loadedAddresses(path, before).map(keyOf) : [])
  const added = new Map(loadedAddresses(path, after).map((each) => [keyOf(each), each]))
  return [...added].flatMap(([key, each]) => (known.has(key) ? [] : [each]))
}

const preview = 'link that plugins may show a preview of'
/** What was only previewed until now is new when it becomes an image. */
const keyOf = ({ url, how }: LoadedAddress): string => `${how === preview}\n${url}`

const mayHold = /[\\/]\s*[\\/]|(?:https?|ftps?|wss?|file|smb):|www\.|&(?:#|sol|bsol|colon)|\\[0-9a-f]{1,6}/i

/**
 * Everything in a file that is loaded from elsewhere. Turned around, so that forms nobody has thought of count: every
 * address does, except where it is known to wait for a click (`[text](address)`) or to be shown as code.
 */
export function loadedAddresses(path: string, given: string): LoadedAddress[] {
  // Editors take a lone carriage return for the end of a line.
  const text = given.replace(/\r(?!\n)/g, '\n')
  if (!isNote(path)) return addressesIn(unescapedJson(text)).map((url) => ({ url, how: 'address' }))
  const { frontmatter, regions, links: all } = scanNote(text)
  const markup = markupBlocks(text)
  const code = regions.filter((region) => isShownAsCode(region, text) && outside(markup, region.start))
  const skipped = spanSet([...code, ...(frontmatter ? [frontmatter] : [])])
  const links = all.filter(({ kind, start }) => kind !== 'frontmatter' && outside(skipped, start))
  const tags = [...htmlTags(text)].filter(({ start }) => outside(skipped, start) && !isAutolink(text, start))
  return [
    ...(frontmatter ? inProperties(frontmatter, text) : []),
    ...inMarkup(text, tags, skipped),
    ...inLinks(links, text, skipped),
    ...elsewhere(text, spanSet([...skipped.spans, ...links, ...tags])),
  ]
}

/** A canvas writes addresses as JSON does. */
const unescapedJson = (text: string): string =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/')

/** Properties that say where a note comes from; everywhere else a theme or a view may show an address as an image. */
const pointing = /^(?:source|sources|url|urls|link|links|origin|website|homepage|permalink|canonical|clipped|via|doi)$/i

function inProperties({ data, yaml }: NonNullable<ScannedNote['frontmatter']>, text: string): LoadedAddress[] {
  if (data === undefined) {
    return addressesIn(text.slice(yaml.start, yaml.end)).map((url) => ({ url, how: 'property' }))
  }
  return Object.entries(data).flatMap(([name, value]) =>
    stringsIn(value).flatMap((each) => {
      if (pointing.test(name) && !/!\[|<[a-z]/i.test(each)) return []
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

/** Tags and style sheets. All of a tag is looked at: which attribute loads differs from tag to tag and grows by the year. */
function inMarkup(text: string, tags: readonly (Span & { name: string })[], skipped: SpanSet): LoadedAddress[] {
  const found: LoadedAddress[] = []
  for (const { start, end, name } of tags) {
    for (const url of addressesIn(text.slice(start, end), 'markup')) found.push({ url, how: `${name} tag` })
  }
  for (const { index, 0: whole } of text.matchAll(/<style(?![\w-])[\s\S]*?(?:<\/style|$)/gi)) {
    if (!outside(skipped, index)) continue
    for (const url of addressesIn(whole, 'markup')) found.push({ url, how: 'style sheet' })
  }
  return found
}

const autolink = /<(?:https?|ftps?|wss?|file|mailto|tel|obsidian):/iy

function isAutolink(text: string, start: number): boolean {
  autolink.lastIndex = start
  return autolink.test(text)
}

function inLinks(links: readonly NoteLink[], text: string, skipped: SpanSet): LoadedAddress[] {
  const loadsDefinitions = hasImageReference(links, text, skipped)
  return links.flatMap(({ syntax, raw, targetSpan, end }): LoadedAddress[] => {
    // All of it, with what stands behind `#`: that may be a character reference.
    const [written] = /^[^\s<>]*/.exec(text.slice(targetSpan.start, syntax === 'inline' ? end - 1 : end))!
    const isImage = raw.startsWith('!')
    const url =
      syntax === 'wiki' ? addressesIn(written.replace(/(?:\]\]|\|).*$/, ''), 'target')[0] : readAddress(written)
    if (url === undefined) return []
    if (syntax === 'definition') return loadsDefinitions ? [{ url, how: 'image by reference' }] : []
    if (syntax === 'inline') return isImage ? [{ url, how: 'image' }] : []
    return [{ url, how: isImage ? 'embed' : preview }]
  })
}

/** `![alt][label]` or `![label]`: an image whose address stands in a definition, whichever of the two came first. */
function hasImageReference(links: readonly NoteLink[], text: string, skipped: SpanSet): boolean {
  const images = new Map(links.filter(({ raw }) => raw.startsWith('!')).map(({ start, end }) => [start, end]))
  for (const { index } of text.matchAll(/!\[/g)) {
    const end = images.get(index)
    if (outside(skipped, index) && (end === undefined || text[end] === '[')) return true
  }
  return false
}

/** Destinations and addresses that no link of ours covers: other programs may see a link there. */
function elsewhere(text: string, covered: SpanSet): LoadedAddress[] {
  const found: LoadedAddress[] = []
  for (const { index, 1: written } of text.matchAll(/\](?:\(|:)\s{0,20}<?\s{0,20}([^\s<>]+)/g)) {
    const url = outside(covered, index) ? readAddress(written) : undefined
    if (url !== undefined) found.push({ url: url.replace(/\)[^)]*$/, ''), how: 'image or link' })
  }
  const bare = /(?:(?:https?|ftps?|wss?|file|smb):[\\/]+|\bwww\.)[^\s<>"'`]+/gi
  for (const { index, 0: url } of text.matchAll(bare)) {
    if (outside(covered, index)) found.push({ url: url.replace(/[)\].,;:!?*_~|]+$/, ''), how: preview })
  }
  return found
}

/** Languages that are shown and nothing more. A block in any other may be drawn by some plugin, with what it loads. */
const plainLanguages = new Set(
  `text txt plain plaintext bash sh shell zsh fish powershell ps1 console terminal bat cmd js javascript mjs cjs ts typescript
  jsx tsx json jsonc json5 yaml yml toml ini xml html css scss less sql graphql python py ruby rb go rust rs java kotlin
  scala c h cpp c++ cs csharp php perl lua r julia swift dart elixir erlang haskell clojure diff patch markdown md http
  curl nginx apache dockerfile makefile make cmake latex tex vim regex`.split(/\s+/),
)

/** Of a block of code with its first line. */
export function isPlainLanguage(source: string): boolean {
  const language = /^[`~]+[ \t{.]*([^\s{}`]*)/.exec(source)?.[1].toLowerCase() ?? ''
  return language === '' || plainLanguages.has(language)
}

export function isShownAsCode({ kind, start, end }: Region, text: string): boolean {
  if (kind !== 'fence' && kind !== 'indented-code' && kind !== 'code-span') return false
  const source = text.slice(start, end)
  // Dataview draws what stands behind `=`, as Markdown.
  if (kind === 'code-span' && /^`+\s*\$?=/.test(source)) return false
  return kind !== 'fence' || isPlainLanguage(source)
}

/** From a line that begins with a tag up to the next blank line: browsers see tags there where Markdown has code. */
function markupBlocks(text: string): SpanSet {
  // These two may go on over blank lines.
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
