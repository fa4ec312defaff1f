import { lightMarkdown } from './light-markdown.js'
import type { PageDocument, PageReader } from './page-document.js'
import { type TrimmedMarkup, trimMarkup } from './trim-markup.js'

const longestPage = 5_000_000
/** Below this an article is taken for a mistake, and the whole page is shown. */
const shortestArticle = 200

/** What a person would read of a page, as light Markdown: its article, or all its text where there is none. */
export function readablePage<Document extends PageDocument>(
  html: string,
  url: string,
  reader: PageReader<Document>,
): { title: string; text: string } {
  const page = trimMarkup(html.slice(0, longestPage))
  const article = articleOf(page, url, reader)
  const { title, text } = article && article.text.length >= shortestArticle ? article : wholePage(page, url, reader)
  const goesOn = page.cut || html.length > longestPage
  return { title, text: goesOn ? `${text}\n\n(The page goes on; only its beginning could be read.)`.trim() : text }
}

function wholePage<Document extends PageDocument>(
  page: TrimmedMarkup,
  url: string,
  reader: PageReader<Document>,
): { title: string; text: string } {
  const document = parse(page, reader)
  return {
    title: clean(document.title).replace(/\s+/g, ' ').trim(),
    text: clean(lightMarkdown(document.body, baseOf(document, url))),
  }
}

function articleOf<Document extends PageDocument>(
  page: TrimmedMarkup,
  url: string,
  reader: PageReader<Document>,
): { title: string; text: string } | undefined {
  // Looking for the article takes time with the page's length and depth together: a second or two at these limits.
  const { length } = page.html
  const isLarge = page.elements > 25_000 || page.depth > 100 || length > 1_000_000
  if (isLarge || length * page.depth > 30_000_000) return undefined
  const document = parse(page, reader)
  const baseUrl = baseOf(document, url)
  try {
    const article = reader.findArticle(document)
    if (!article?.content) return undefined
    const title = (article.title ?? '').replace(/\s+/g, ' ').trim()
    return { title: clean(title), text: clean(lightMarkdown(article.content, baseUrl)) }
  } catch {
    // A page it stumbles over is still a page with text.
    return undefined
  }
}

function parse<Document extends PageDocument>({ html }: TrimmedMarkup, reader: PageReader<Document>): Document {
  const document = reader.parse(html)
  // It is looked for in the head, which the trimmed page has left empty.
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

/** Without characters no one sees but a model reads: tags, direction marks, controls. */
function clean(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  return text.replace(/[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, '')
}
