import type { PageNode } from './light-markdown.js'

/** As much of a parsed page as is needed to find what is to be read in it. */
export interface PageDocument {
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

/** What reads markup here: a browser has it, elsewhere a package does. Nothing of a page is run or loaded by it. */
export interface PageReader<Document extends PageDocument = PageDocument> {
  parse: (html: string) => Document
  /** Where the article is; undefined where there is none. May change the document. */
  findArticle: (document: Document) => { title?: string | null; content?: PageNode | null } | null
}
