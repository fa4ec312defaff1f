import type { NoteLink } from '../../markdown/index.js'
import { folderOf, isNote, type LinkReading, type NotePath } from '../../vault/index.js'
import type { IndexBatch, IndexStore, StoredLink } from '../index-store.js'
import { baseName, type FileNames, fileKey, linkKey } from './file-names.js'

/**
 * Wikilinks are looked up in the whole vault; outside Obsidian vaults a Markdown link is a path relative to its note.
 */
export type LinkForm = 'wiki' | 'markdown'

/** The form of a link, from its source text. */
export const formOf = (raw: string): LinkForm => (/^!?\[\[/.test(raw) ? 'wiki' : 'markdown')

/**
 * Resolves a link by Obsidian's rules: an empty path is the note itself; `./`, `../` and `/` name exactly one path;
 * otherwise the exact path, else a path that ends with it, in the note's own folder first, else the shortest. Without
 * an extension a note is meant. Titles and aliases never count. In plain Markdown a Markdown link is a path from its
 * note, and is looked up like the others only if nothing is there.
 */
export function resolveLink(
  names: FileNames,
  source: NotePath,
  written: string,
  form: LinkForm = 'wiki',
  key: string = linkKey(written),
): NotePath | null {
  if (written === '') return source
  if (names.reading === 'markdown' && form === 'markdown') {
    // A link to a folder never resolves to a note.
    if (written.endsWith('/')) return null
    const found = fileAt(names, markdownPath(source, written), key)
    if (found !== undefined) return found
  }
  const trimmed = written.trim()
  const found = findTarget(names, source, written, key)
  if (found !== undefined || trimmed === written) return found ?? null
  return findTarget(names, source, trimmed, linkKey(trimmed)) ?? null
}

/** The file at this path, or the note at this path plus `.md`. */
export function fileAt(names: FileNames, path: string, key: string = linkKey(path)): NotePath | undefined {
  const namesakes = names.namesakes(key)
  if (namesakes === undefined) return undefined
  return namesakes.exact(path) ?? (isNote(path) ? undefined : namesakes.exact(`${path}.md`))
}

/** The path that a plain Markdown link names, whether or not it exists. `/` starts at the vault's root. */
export function markdownPath(source: NotePath, written: string): string {
  const folder = written.startsWith('/') ? '' : folderOf(source)
  return joinRelative(folder, written.replace(/\/{2,}/g, '/').replace(/^\/|\/$/g, ''))
}

/** Joins a path with `./` or `../` to a folder. A path that leaves the vault keeps a leading `../`. */
export function joinRelative(folder: string, written: string): string {
  const segments = folder === '' ? [] : folder.split('/')
  for (const segment of written.split('/')) {
    const isBelowSomething = segments.length > 0 && segments[segments.length - 1] !== '..'
    if (segment === '..' && isBelowSomething) segments.pop()
    else if (segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}

export const isRelative = (written: string): boolean => /^\.\.?\//.test(written)

function findTarget(names: FileNames, source: NotePath, written: string, key: string): NotePath | undefined {
  const namesakes = names.namesakes(key)
  if (namesakes === undefined) return undefined
  const folder = folderOf(source)
  const isExact = isRelative(written) || written.startsWith('/')
  const path = isRelative(written) ? joinRelative(folder, written) : written.replace(/^\//, '')
  for (const wanted of possiblePaths(path)) {
    const found = isExact ? namesakes.exact(wanted) : namesakes.nearest(folder, wanted)
    if (found !== undefined) return found
  }
  return undefined
}

/** `Plan` is a note; `Plan.md` is itself; `v1.2` may be a file of type `2`, else a note. */
function possiblePaths(path: string): string[] {
  if (isNote(path)) return [path]
  return baseName(path).includes('.') ? [path, `${path}.md`] : [`${path}.md`]
}

/** A note's links with their targets, as the index stores them. */
export function resolvedLinks(names: FileNames, source: NotePath, links: readonly NoteLink[]): StoredLink[] {
  return links.map((each) => {
    const link = linkInReading(names.reading, each)
    const isExternal = link.kind === 'external'
    const key = isExternal ? '' : linkKey(link.target)
    return {
      source,
      target: isExternal ? null : resolveLink(names, source, link.target, formOf(link.raw), key),
      key,
      raw: link.raw,
      text: link.display ?? (link.target || (link.subpath ?? '')),
      ...(link.subpath !== undefined && { subpath: link.subpath }),
      kind: link.kind,
      line: link.line,
      written: link.target,
    }
  })
}

/** In plain Markdown a destination is a URL: the part after `?` does not belong to the path. */
export function linkInReading(reading: LinkReading, link: NoteLink): NoteLink {
  return reading === 'markdown' && link.beforeQuery !== undefined ? { ...link, ...link.beforeQuery } : link
}

type Retarget = NonNullable<IndexBatch['retarget']>

/** The stored links whose target changes because these files were added or removed; `names` are the current names. */
export async function linksToRetarget(
  store: Pick<IndexStore, 'linksByKey'>,
  names: FileNames,
  changed: readonly NotePath[],
): Promise<Retarget> {
  const keys = [...new Set(changed.map(fileKey))].filter((key) => key !== '')
  if (keys.length === 0) return []
  const rows = new Map<string, Retarget[number]>()
  for (const { source, raw, line, written, kind, target } of await store.linksByKey(keys)) {
    // Links of removed notes are removed with them.
    if (kind === 'external' || !names.has(source)) continue
    const now = resolveLink(names, source, written, formOf(raw))
    if (now !== target) rows.set(`${source}\n${line}\n${raw}`, { source, raw, line, target: now })
  }
  return [...rows.values()]
}
