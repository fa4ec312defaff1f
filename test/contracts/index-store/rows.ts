import type { IndexedFile, StoredLink, StoredNote, StoredNoteRows } from '../../../src/core/index/index-store.js'
import type { NotePath } from '../../../src/core/vault/note-path.js'

export const path = (text: string): NotePath => text as NotePath

/** A note with two passages. */
export function rows(
  id: number,
  at: string,
  about: Partial<StoredNote> = {},
  links: StoredLink[] = [],
): StoredNoteRows {
  const note: StoredNote = {
    id,
    path: path(at),
    title: at.replace(/\.md$/, ''),
    aliases: [],
    tags: [],
    properties: null,
    headings: [],
    blocks: [],
    size: 10,
    mtimeMs: 1000,
    ctimeMs: 1000,
    createdMs: 1000,
    hash: id.toString(16).padStart(64, '0'),
    ...about,
  }
  const chunk = (ordinal: number) => ({
    ordinal,
    heading: ordinal === 0 ? '' : 'Part',
    lines: [ordinal * 10 + 1, ordinal * 10 + 10] as [number, number],
    start: ordinal * 100,
    end: ordinal * 100 + 99,
    content: `${at}, passage ${ordinal}`,
  })
  return { note, chunks: [chunk(0), chunk(1)], links }
}

export function link(source: string, target: string | null, line = 1): StoredLink {
  const written = target?.replace(/\.md$/, '') ?? 'nowhere'
  return {
    source: path(source),
    target: target === null ? null : path(target),
    key: written.toLowerCase(),
    raw: `[[${written}]]`,
    text: written,
    kind: 'wikilink',
    line,
    written,
  }
}

export const nameOf = (at: string): IndexedFile => ({
  id: 0,
  path: path(at),
  size: 1,
  mtimeMs: 2,
  ctimeMs: 3,
  hash: '',
  state: 'name',
})
