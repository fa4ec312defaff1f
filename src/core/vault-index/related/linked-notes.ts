import type { NotePath } from '../../vault/index.js'
import type { IndexStore, StoredLink } from '../index-store.js'

/** Links as they are needed many times over while notes are compared; true for one generation of the store. */
export interface LinkedNotes {
  /** Where a note leads, each once. */
  from: (path: NotePath) => Promise<readonly Linked[]>
  /** What leads to it, each once. */
  to: (path: NotePath) => Promise<readonly Linked[]>
}

export interface Linked {
  path: NotePath
  /** Of the first such link. */
  line: number
}

export function linkedNotes(store: Pick<IndexStore, 'linksFrom' | 'linksTo'>): LinkedNotes {
  return {
    from: remembered(async (path) => once(path, await store.linksFrom(path), ({ target }) => target)),
    to: remembered(async (path) => once(path, await store.linksTo(path), ({ source }) => source)),
  }
}

function remembered(ask: (path: NotePath) => Promise<readonly Linked[]>): LinkedNotes['from'] {
  const known = new Map<NotePath, Promise<readonly Linked[]>>()
  return (path) => {
    const answer = known.get(path) ?? ask(path)
    known.set(path, answer)
    return answer
  }
}

function once(own: NotePath, links: readonly StoredLink[], other: (link: StoredLink) => NotePath | null): Linked[] {
  const found = new Map<NotePath, Linked>()
  for (const link of links) {
    const path = other(link)
    if (path !== null && path !== own && !found.has(path)) found.set(path, { path, line: link.line })
  }
  return [...found.values()]
}
