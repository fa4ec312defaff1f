import { Readability } from '@mozilla/readability'
import { extractPage } from '../../core/web/index.js'

/** Extracts the readable text of a page. DOMParser runs and loads nothing. */
export function readablePage(html: string, url: string): { title: string; text: string } {
  return extractPage(html, url, {
    parse: (markup) => new DOMParser().parseFromString(markup, 'text/html'),
    findArticle: (document) => new Readability(document, { serializer: (node) => node }).parse(),
  })
}
