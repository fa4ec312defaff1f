import { folderOf, isNote, type NotePath } from '../../vault/index.js'
import type { FileNames } from './file-names.js'
import { baseName, linkKey } from './link-key.js'

/** Wikilinks are looked up everywhere; a Markdown link is a path from its note, in a folder that is no Obsidian vault. */
export type LinkForm = 'wiki' | 'markdown'

/** The form of a link as it stands in the text. */
export const formOf = (raw: string): LinkForm => (/^!?\[\[/.test(raw) ? 'wiki' : 'markdown')

/**
 * Where a link leads, as Obsidian decides it: the note itself when nothing is written; `./`, `../` and `/` name one
 * path and no other; else the very path, else a path that ends so, in the note's own folder first, else the shortest.
 * Without an extension a note is meant. Titles and aliases never count. In plain Markdown a Markdown link leads to the
 * path it names from its note; only where nothing is there it is looked up like the others.
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
    // A folder, whatever notes have its name.
    if (written.endsWith('/')) return null
    const found = fileAt(names, placeOf(source, written), key)
    if (found !== undefined) return found
  }
  const trimmed = written.trim()
  const found = find(names, source, written, key)
  if (found !== undefined || trimmed === written) return found ?? null
  return find(names, source, trimmed, linkKey(trimmed)) ?? null
}

/** The file of this very path, or the note whose path it is without `.md`. */
export function fileAt(names: FileNames, path: string, key: string = linkKey(path)): NotePath | undefined {
  const namesakes = names.namesakes(key)
  if (namesakes === undefined) return undefined
  return namesakes.exact(path) ?? (isNote(path) ? undefined : namesakes.exact(`${path}.md`))
}

/** The path that a link of plain Markdown names, whether or not there is anything. `/` begins at the vault's top. */
export function placeOf(source: NotePath, written: string): string {
  const folder = written.startsWith('/') ? '' : folderOf(source)
  return joinRelative(folder, written.replace(/\/{2,}/g, '/').replace(/^\/|\/$/g, ''))
}

/** Joins a path written with `./` or `../` to a folder. What climbs out of the vault keeps a `../` at its start. */
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

function find(names: FileNames, source: NotePath, written: string, key: string): NotePath | undefined {
  const namesakes = names.namesakes(key)
  if (namesakes === undefined) return undefined
  const folder = folderOf(source)
  const isExact = isRelative(written) || written.startsWith('/')
  const path = isRelative(written) ? joinRelative(folder, written) : written.replace(/^\//, '')
  for (const wanted of spellings(path)) {
    const found = isExact ? namesakes.exact(wanted) : namesakes.nearest(folder, wanted)
    if (found !== undefined) return found
  }
  return undefined
}

/** `Plan` is a note; `Plan.md` is itself; `v1.2` may be a file of type `2`, else it is a note. */
function spellings(path: string): string[] {
  if (isNote(path)) return [path]
  return baseName(path).includes('.') ? [path, `${path}.md`] : [`${path}.md`]
}
