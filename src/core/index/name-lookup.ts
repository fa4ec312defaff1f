import { Failure } from '../errors.js'
import { nearestNames } from '../text/index.js'
import { folderOf, isNote, type NotePath, notePath } from '../vault/index.js'
import type { StoredNote } from './index-store.js'
import { baseName, type FileNames, type Folders, fileNames, foldersOf, foldName, linkKey } from './links/file-names.js'
import { compareText } from './note-facts.js'
import type { NoteIndex } from './note-index.js'

/** Notes by their folded aliases. */
export type Aliases = ReadonlyMap<string, readonly NotePath[]>

export function aliasesOf(notes: Iterable<Pick<StoredNote, 'path' | 'aliases'>>): Aliases {
  const found = new Map<string, NotePath[]>()
  for (const { path, aliases } of notes) {
    for (const alias of new Set(aliases.map(aliasKey))) found.set(alias, [...(found.get(alias) ?? []), path])
  }
  return found
}

const aliasKey = (alias: string): string => foldName(alias).trim()

/**
 * The notes that a path, a path without `.md`, a name or an alias may refer to, ignoring case. A path takes precedence
 * over a name, and a name over an alias. `aliases` is only called if no path or name matches.
 */
export async function notesNamed(
  names: FileNames,
  wanted: NotePath,
  aliases: () => Promise<Aliases>,
): Promise<readonly NotePath[]> {
  const exact = [wanted, `${wanted}.md`].map((path) => names.exact(path)).find((path) => path && isNote(path))
  if (exact !== undefined) return [exact]
  const ending = foldName(`/${wanted.replace(/\.md$/i, '')}.md`)
  const namesakes = names.namesakes(linkKey(wanted))?.paths() ?? []
  const named = namesakes.filter((path) => isNote(path) && foldName(`/${path}`).endsWith(ending))
  return named.length > 0 ? named : ((await aliases()).get(aliasKey(wanted)) ?? [])
}

/** Candidates listed at most: `index.md` in every folder would fill a screen, or a model's context. */
const mostCandidates = 20

/** The failure for a name that several notes, files or folders have. */
export function ambiguousName(
  what: 'notes' | 'folders' | 'bases',
  wanted: string,
  candidates: readonly string[],
): Failure {
  const shown = [...candidates].sort(compareText).slice(0, mostCandidates)
  const more = candidates.length > shown.length ? ` and ${candidates.length - shown.length} more` : ''
  return new Failure('ambiguous', `Several ${what} have the name ${wanted}: ${shown.join(', ')}${more}`, {
    hint: 'Use the path of one of them.',
    data: { candidates: shown },
  })
}

/**
 * The folder with this path, or the only one with this name; undefined if there is none. `files` are those that the
 * caller may know of.
 */
export function folderNamed(files: Iterable<string>, wanted: string): string | undefined {
  return folderIn(foldersOf(files), wanted)
}

function folderIn(folders: Folders, wanted: string): string | undefined {
  const path = wanted.replace(/\/+$/, '')
  const found = folders.find(path) ?? folders.ending(path)
  if (typeof found === 'string') return found
  if (found.length > 1) {
    throw ambiguousName(
      'folders',
      path,
      found.map((folder) => `${folder}/`),
    )
  }
  return found[0]
}

/** The path of the note, attachment or folder to move: by its path, a note's name or alias, or a folder's name. */
export async function moveSource(index: Pick<NoteIndex, 'files' | 'find'>, from: string): Promise<string> {
  const files = await index.files()
  const names = fileNames(files)
  const folders = foldersOf(files)
  const path = notePath(from.replace(/\/+$/, ''))
  const isFolder = from.endsWith('/')
  const file = isFolder ? undefined : (names.exact(path) ?? names.exact(`${path}.md`))
  if (file === path) return file
  const folder = folders.find(path)
  if (file !== undefined && folder !== undefined) {
    throw new Failure('ambiguous', `${from} is a note and a folder.`, {
      hint: `Write ${file} or ${folder}/.`,
      data: { candidates: [file, `${folder}/`] },
    })
  }
  if (file !== undefined) return file
  if (folder !== undefined) return `${folder}/`
  const elsewhere = () => {
    const named = folderIn(folders, path)
    return named === undefined ? undefined : `${named}/`
  }
  if (isFolder) return elsewhere() ?? from
  try {
    return (await index.find(from)).path
  } catch (error) {
    const named = error instanceof Failure && error.code === 'not-found' ? elsewhere() : undefined
    if (named === undefined) throw error
    return named
  }
}

/**
 * The new path for `source`. A bare name keeps the folder, `/Name` and `./Name` are at the root of the vault, and
 * `Folder/` is the folder with this path, else the only one with this name.
 */
export function moveTarget(files: Iterable<string>, source: string, to: string): string {
  const isFolder = source.endsWith('/')
  const atTop = /^\.?\/(?<name>[^/]+\/?)$/.exec(to)?.groups?.name
  if (atTop !== undefined) return isFolder || atTop.endsWith('/') || !isNote(source) ? atTop : withExtension(atTop)
  const folders = foldersOf(files)
  if (to.endsWith('/')) {
    if (/^\.?\/$/.test(to)) return to
    const folder = folderIn(folders, notePath(to.replace(/\/+$/, '')))
    return folder === undefined ? to : `${folder}/`
  }
  if (to.includes('/') || to === '.' || folders.find(to) !== undefined) return to
  const path = source.replace(/\/+$/, '')
  const folder = folderOf(path)
  if (folder === '') return to
  if (to === baseName(path) || `${to}.md` === baseName(path)) {
    throw new Failure('invalid-input', `${path} is already in that folder.`, {
      hint: `To move it to the top of the vault, write /${to}.`,
    })
  }
  return `${folder}/${to}`
}

const withExtension = (name: string): string => (isNote(name) ? name : `${name}.md`)

const most = 3
/** In vaults with more names, only names with the same first letter are compared. */
const mostCompared = 20_000

/** The failure for a missing note, with similar names among the files that the caller may know of. */
export function noteNotFound(wanted: string, files: readonly NotePath[]): Failure {
  const near = nearNotes(wanted, files)
  const hint = near.length === 0 ? 'Search for it.' : `Did you mean ${listed(near)}?`
  return new Failure('not-found', `Note not found: ${wanted}`, { hint, ...(near.length > 0 && { data: { near } }) })
}

/** Notes with nearly the same name, then those whose name has all the words that were given. */
export function nearNotes(wanted: string, files: readonly NotePath[]): NotePath[] {
  const name = nameOf(wanted).toLowerCase()
  if (name === '') return []
  const notes = new Map<string, NotePath[]>()
  for (const path of files) {
    if (!isNote(path)) continue
    const own = nameOf(path).toLowerCase()
    notes.set(own, [...(notes.get(own) ?? []), path])
  }
  // Names of very different length are skipped, because comparing letters is slow.
  const close = [...notes.keys()].filter((own) => Math.abs(own.length - name.length) <= 0.4 * name.length + 1)
  const names = close.length > mostCompared ? close.filter((own) => own[0] === name[0]).slice(0, mostCompared) : close
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)
  const holding = [...notes.keys()].filter((own) => words.length > 0 && words.every((word) => own.includes(word)))
  const byLength = holding.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const near = new Set([...nearestNames(name, names, most), ...byLength])
  return [...near].flatMap((own) => notes.get(own) ?? []).slice(0, most)
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')

const listed = (paths: readonly string[]): string =>
  paths.length === 1 ? paths.join() : `${paths.slice(0, -1).join(', ')} or ${paths.at(-1)}`
