import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { extractPage as readPage } from '../../core/web/index.js'

/** The readable content of a page, as light Markdown. */
export function readablePage(html: string, url: string): { title: string; text: string } {
  return readPage(html, url, {
    parse: (markup) => parseHTML(markup).document,
    findArticle: (document) => new Readability(document, { serializer: (node) => node }).parse(),
  })
}
