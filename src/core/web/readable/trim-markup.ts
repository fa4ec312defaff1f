export interface TrimmedMarkup {
  /** A whole document, every element closed. */
  html: string
  elements: number
  /** How deep elements lie in each other. */
  depth: number
  /** True when the page goes on: it has more elements than are read. */
  cut: boolean
}

const maxElements = 50_000
const maxDepth = 256
/** Each makes a piece of text of its own. */
const maxEntities = 100_000
const maxAttributes = 30
const maxValue = 2_000

const wanted = new Set(
  'alt aria-hidden class colspan content datetime hidden href id itemprop lang name property rel role start style title'.split(
    ' ',
  ),
)
const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Without text for a reader. What cannot hold elements ends at its own closing tag, or never. */
const rawText = new Set('script style iframe noembed noframes xmp textarea plaintext'.split(' '))
const unread = new Set('noscript template svg math object select canvas audio video'.split(' '))
const ofOurs = new Set(['html', 'head', 'body'])

const cell = ['td', 'th']
const closes: Record<string, string[]> = {
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  option: ['option'],
  td: cell,
  th: cell,
  tr: [...cell, 'tr'],
  tbody: [...cell, 'tr', 'thead', 'tbody'],
  tfoot: [...cell, 'tr', 'thead', 'tbody'],
}
const endsParagraph =
  /^(?:address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul)$/

/**
 * A page with only what reading needs, in one pass over its text: no scripts, few attributes, and so many elements so
 * deep in each other. What comes after may take more than linear time, and a hostile page must not have it do so.
 * What lies too deep keeps its text and loses its tags.
 */
export function trimMarkup(html: string): TrimmedMarkup {
  const out: string[] = []
  const open: string[] = []
  const openCount = new Map<string, number>()
  const droppedCount = new Map<string, number>()
  const absent = new Set<string>()
  let elements = 0
  let entities = 0
  let depth = 0
  let at = 0

  function text(from: number, to?: number): void {
    out.push(html.slice(from, to).replace(/&/g, () => (++entities > maxEntities ? ' ' : '&')))
  }

  function close(): void {
    const name = open.pop()!
    openCount.set(name, openCount.get(name)! - 1)
    out.push(`</${name}>`)
  }

  function start(name: string, attributes: string): void {
    while (open.length > 0 && isClosedBy(open[open.length - 1], name)) close()
    const isVoid = voids.has(name)
    if (open.length >= maxDepth) {
      if (!isVoid) droppedCount.set(name, (droppedCount.get(name) ?? 0) + 1)
      // The words on either side must not run together.
      out.push(' ')
      return
    }
    elements++
    out.push(`<${name}${attributes}>`)
    if (isVoid) return
    open.push(name)
    openCount.set(name, (openCount.get(name) ?? 0) + 1)
    depth = Math.max(depth, open.length)
  }

  function end(name: string): void {
    const dropped = droppedCount.get(name) ?? 0
    if (dropped > 0) droppedCount.set(name, dropped - 1)
    else if ((openCount.get(name) ?? 0) > 0) {
      while (open[open.length - 1] !== name) close()
      close()
    }
  }

  while (at < html.length && elements < maxElements) {
    const tag = html.indexOf('<', at)
    text(at, tag === -1 ? undefined : tag)
    if (tag === -1) {
      at = html.length
      break
    }
    const next = html.charCodeAt(tag + 1)
    if (isLetter(next)) {
      const { name, attributes, after } = readTag(html, tag + 1)
      at = after
      if (rawText.has(name) || unread.has(name)) {
        const past = absent.has(name) ? undefined : pastClosing(html, name, after)
        if (past !== undefined) at = past
        else if (rawText.has(name)) at = html.length
        else absent.add(name)
      } else if (!ofOurs.has(name)) start(name, attributes)
    } else if (next === 0x2f && isLetter(html.charCodeAt(tag + 2))) {
      end(nameAt(html, tag + 2))
      at = pastNext(html, '>', tag)
    } else if (next === 0x21 || next === 0x3f || next === 0x2f) {
      at = html.startsWith('<!--', tag) ? pastNext(html, '-->', tag + 2) : pastNext(html, '>', tag)
    } else {
      out.push(++entities > maxEntities ? ' ' : '&lt;')
      at = tag + 1
    }
  }
  while (open.length > 0) close()
  const whole = `<!doctype html><html><head></head><body>${out.join('')}</body></html>`
  return { html: whole, elements, depth, cut: at < html.length }
}

function isClosedBy(name: string, next: string): boolean {
  return name === 'p' ? endsParagraph.test(next) : closes[next]?.includes(name) === true
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

const tagName = /[a-zA-Z][\w:-]*/y

function nameAt(html: string, at: number): string {
  tagName.lastIndex = at
  return tagName.exec(html)![0].toLowerCase()
}

const gap = /[\s/]*/y
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y

function readTag(html: string, at: number): { name: string; attributes: string; after: number } {
  const name = nameAt(html, at)
  let attributes = ''
  let end = at + name.length
  for (let count = 0; ; ) {
    gap.lastIndex = end
    gap.exec(html)
    end = attribute.lastIndex = gap.lastIndex
    const match = attribute.exec(html)
    if (match === null) {
      // At the end of the tag, or at a stray quote.
      if (end >= html.length) return { name, attributes, after: end }
      if (html[end] === '>') return { name, attributes, after: end + 1 }
      if (html[end] === '<') return { name, attributes, after: end }
      end++
      continue
    }
    end = attribute.lastIndex
    const key = match[1].toLowerCase()
    if (!wanted.has(key) || count >= maxAttributes) continue
    const value = match[2] ?? match[3] ?? match[4] ?? ''
    if (value.length > maxValue) continue
    count++
    attributes += ` ${key}="${value.replaceAll('"', '&quot;')}"`
  }
}

/** Behind `</name …>`, wherever it comes next. */
function pastClosing(html: string, name: string, from: number): number | undefined {
  const closing = new RegExp(`</${name}(?![\\w:-])`, 'gi')
  closing.lastIndex = from
  const match = closing.exec(html)
  return match === null ? undefined : pastNext(html, '>', match.index)
}

function pastNext(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found === -1 ? html.length : found + mark.length
}
