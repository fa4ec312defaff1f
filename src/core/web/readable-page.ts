import { lightMarkdown, type PageNode } from './light-markdown.js'

const maxPageLength = 5_000_000
/** A shorter article is probably a wrong detection: then the whole page is shown. */
const minArticleLength = 200

/** The readable part of a page as light Markdown: its article, or all its text if there is none. */
export function extractPage<Document extends PageDocument>(
  html: string,
  url: string,
  reader: PageReader<Document>,
): { title: string; text: string } {
  const page = trimMarkup(html.slice(0, maxPageLength))
  const article = articleOf(page, url, reader)
  const { title, text } = article && article.text.length >= minArticleLength ? article : wholePage(page, url, reader)
  const isCut = page.cut || html.length > maxPageLength
  return { title, text: isCut ? `${text}\n\n(The page is longer. Only its beginning could be read.)`.trim() : text }
}

function wholePage<Document extends PageDocument>(
  page: TrimmedMarkup,
  url: string,
  reader: PageReader<Document>,
): { title: string; text: string } {
  const document = parse(page, reader)
  return {
    title: withoutInvisible(document.title).replace(/\s+/g, ' ').trim(),
    text: withoutInvisible(lightMarkdown(document.body, baseOf(document, url))),
  }
}

function articleOf<Document extends PageDocument>(
  page: TrimmedMarkup,
  url: string,
  reader: PageReader<Document>,
): { title: string; text: string } | undefined {
  // The time to find the article grows with length times depth: a second or two at these limits.
  const { length } = page.html
  const isLarge = page.elements > 25_000 || page.depth > 100 || length > 1_000_000
  if (isLarge || length * page.depth > 30_000_000) return undefined
  const document = parse(page, reader)
  const baseUrl = baseOf(document, url)
  try {
    const article = reader.findArticle(document)
    if (!article?.content) return undefined
    const title = (article.title ?? '').replace(/\s+/g, ' ').trim()
    return { title: withoutInvisible(title), text: withoutInvisible(lightMarkdown(article.content, baseUrl)) }
  } catch {
    // The article finder failed; the caller shows the whole text instead.
    return undefined
  }
}

function parse<Document extends PageDocument>({ html }: TrimmedMarkup, reader: PageReader<Document>): Document {
  const document = reader.parse(html)
  // The article finder reads the title from the head, which is empty in the trimmed page.
  document.title = document.querySelector('title')?.textContent ?? ''
  for (const element of document.querySelectorAll('[hidden], [aria-hidden], [style]')) {
    if (isHidden(element)) element.remove()
  }
  return document
}

function isHidden(element: { getAttribute(name: string): string | null }): boolean {
  if (element.getAttribute('hidden') !== null && element.getAttribute('hidden') !== 'until-found') return true
  if (element.getAttribute('aria-hidden')?.trim().toLowerCase() === 'true') return true
  const style = (element.getAttribute('style') ?? '').toLowerCase().replace(/\s+/g, '')
  return /(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|opacity:0*(?:\.0+)?%?(?:;|!|$)|font-size:0(?:px|pt|em|rem|%)?(?:;|!|$))/.test(
    style,
  )
}

function baseOf(document: PageDocument, url: string): string {
  const base = document.querySelector('base')?.getAttribute('href')
  return base && URL.canParse(base, url) ? new URL(base, url).href : url
}

/** Removes invisible characters that a model would read: tags, direction marks, controls. */
function withoutInvisible(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  return text.replace(/[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, '')
}

/** The part of a parsed page that reading needs. */
interface PageDocument {
  title: string
  readonly body: PageNode
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
}

interface PageElement {
  readonly textContent: string | null
  getAttribute(name: string): string | null
  remove(): void
}

/** Parses markup: by the browser, or by a package elsewhere. It must not run or load anything of the page. */
export interface PageReader<Document extends PageDocument = PageDocument> {
  parse: (html: string) => Document
  /** Finds the article; null if there is none. May change the document. */
  findArticle: (
    document: Document,
  ) => { title?: string | null | undefined; content?: PageNode | null | undefined } | null
}

interface TrimmedMarkup {
  /** A complete document with every element closed. */
  html: string
  elements: number
  /** The deepest nesting of elements. */
  depth: number
  /** True if the page has more elements than are read. */
  cut: boolean
}

const maxElements = 50_000
const maxDepth = 256
/** Each entity becomes a text node of its own. */
const maxEntities = 100_000
const maxAttributes = 30
const maxValue = 2_000

const keptAttributes = new Set(
  'alt aria-hidden class colspan content datetime hidden href id itemprop lang name property rel role start style title'.split(
    ' ',
  ),
)
const voidElements = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Elements without readable text. Raw text elements end at their own closing tag, or never. */
const rawText = new Set('script style iframe noembed noframes xmp textarea plaintext'.split(' '))
const skippedElements = new Set('noscript template svg math object select canvas audio video'.split(' '))
const documentElements = new Set(['html', 'head', 'body'])

const cells = ['td', 'th']
const closedBy: Record<string, string[]> = {
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  option: ['option'],
  td: cells,
  th: cells,
  tr: [...cells, 'tr'],
  tbody: [...cells, 'tr', 'thead', 'tbody'],
  tfoot: [...cells, 'tr', 'thead', 'tbody'],
}
const endsParagraph =
  /^(?:address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul)$/

/**
 * Reduces a page to the parts needed for reading, in one pass: no scripts, few attributes, a limited number and depth
 * of elements. Later steps may take more than linear time, so these limits protect against hostile pages. Elements that
 * are too deep lose their tags and keep their text.
 */
function trimMarkup(html: string): TrimmedMarkup {
  const out: string[] = []
  const open: string[] = []
  const openCount = new Map<string, number>()
  const droppedCount = new Map<string, number>()
  const absent = new Set<string>()
  let elements = 0
  let entities = 0
  let depth = 0
  let at = 0

  function writeText(from: number, to?: number): void {
    out.push(html.slice(from, to).replace(/&/g, () => (++entities > maxEntities ? ' ' : '&')))
  }

  function closeElement(): void {
    const name = open.pop() ?? ''
    openCount.set(name, (openCount.get(name) ?? 1) - 1)
    out.push(`</${name}>`)
  }

  function startElement(name: string, attributes: string): void {
    while (open.length > 0 && isClosedBy(open.at(-1) ?? '', name)) closeElement()
    const isVoid = voidElements.has(name)
    if (open.length >= maxDepth) {
      if (!isVoid) droppedCount.set(name, (droppedCount.get(name) ?? 0) + 1)
      // A space, so that the words on either side stay apart.
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

  function endElement(name: string): void {
    const dropped = droppedCount.get(name) ?? 0
    if (dropped > 0) droppedCount.set(name, dropped - 1)
    else if ((openCount.get(name) ?? 0) > 0) {
      while (open[open.length - 1] !== name) closeElement()
      closeElement()
    }
  }

  while (at < html.length && elements < maxElements) {
    const tag = html.indexOf('<', at)
    writeText(at, tag === -1 ? undefined : tag)
    if (tag === -1) {
      at = html.length
      break
    }
    const next = html.charCodeAt(tag + 1)
    if (isLetter(next)) {
      const { name, attributes, after } = readTag(html, tag + 1)
      at = after
      if (rawText.has(name) || skippedElements.has(name)) {
        const closingEnd = absent.has(name) ? undefined : afterClosingTag(html, name, after)
        if (closingEnd !== undefined) at = closingEnd
        else if (rawText.has(name)) at = html.length
        else absent.add(name)
      } else if (!documentElements.has(name)) startElement(name, attributes)
    } else if (next === 0x2f && isLetter(html.charCodeAt(tag + 2))) {
      endElement(nameAt(html, tag + 2))
      at = afterNext(html, '>', tag)
    } else if (next === 0x21 || next === 0x3f || next === 0x2f) {
      at = html.startsWith('<!--', tag) ? afterNext(html, '-->', tag + 2) : afterNext(html, '>', tag)
    } else {
      out.push(++entities > maxEntities ? ' ' : '&lt;')
      at = tag + 1
    }
  }
  while (open.length > 0) closeElement()
  const whole = `<!doctype html><html><head></head><body>${out.join('')}</body></html>`
  return { html: whole, elements, depth, cut: at < html.length }
}

function isClosedBy(name: string, next: string): boolean {
  return name === 'p' ? endsParagraph.test(next) : closedBy[next]?.includes(name) === true
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

const tagName = /[a-zA-Z][\w:-]*/y

function nameAt(html: string, at: number): string {
  tagName.lastIndex = at
  return (tagName.exec(html)?.[0] ?? '').toLowerCase()
}

const separators = /[\s/]*/y
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y

function readTag(html: string, at: number): { name: string; attributes: string; after: number } {
  const name = nameAt(html, at)
  let attributes = ''
  let end = at + name.length
  for (let count = 0; ; ) {
    separators.lastIndex = end
    separators.exec(html)
    end = attribute.lastIndex = separators.lastIndex
    const match = attribute.exec(html)
    if (match === null) {
      // The end of the tag, or a stray quote.
      if (end >= html.length) return { name, attributes, after: end }
      if (html[end] === '>') return { name, attributes, after: end + 1 }
      if (html[end] === '<') return { name, attributes, after: end }
      end++
      continue
    }
    end = attribute.lastIndex
    const key = (match[1] ?? '').toLowerCase()
    if (!keptAttributes.has(key) || count >= maxAttributes) continue
    const value = match[2] ?? match[3] ?? match[4] ?? ''
    if (value.length > maxValue) continue
    count++
    attributes += ` ${key}="${value.replaceAll('"', '&quot;')}"`
  }
}

/** The offset after the next `</name …>`. */
function afterClosingTag(html: string, name: string, from: number): number | undefined {
  const closing = new RegExp(`</${name}(?![\\w:-])`, 'gi')
  closing.lastIndex = from
  const match = closing.exec(html)
  return match === null ? undefined : afterNext(html, '>', match.index)
}

function afterNext(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found === -1 ? html.length : found + mark.length
}
