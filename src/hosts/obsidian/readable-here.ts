import { Readability } from '@mozilla/readability'
import { readablePage } from '../../core/web/index.js'

/** What a person would read of a page. A document that is parsed so runs nothing and loads nothing. */
export function readableHere(html: string, url: string): { title: string; text: string } {
  return readablePage(html, url, {
    parse: (markup) => new DOMParser().parseFromString(markup, 'text/html'),
    findArticle: (document) => new Readability(document, { serializer: (node) => node }).parse(),
  })
}
