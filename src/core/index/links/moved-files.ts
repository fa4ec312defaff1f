import { Failure } from '../../errors.js'
import { folderOf, isNote, type NotePath, newNotePath, notePath } from '../../vault/index.js'
import { baseName, type FileNames, type Folders, foldersOf } from './file-names.js'

export interface Move {
  /** The note, attachment or folder, in the vault's spelling. */
  from: string
  to: string
  isFolder: boolean
  /** Every moved file: old path to new path. */
  files: ReadonlyMap<NotePath, NotePath>
  /** Folders that may be empty after the move. */
  emptied: string[]
}

/**
 * Resolves `from` and `to`: a file or folder, and a new name or a folder to move into (it ends with `/`, or exists). A
 * note keeps `.md`, an attachment its extension, if `to` omits it.
 */
export function movedFiles(names: FileNames, from: string, to: string): Move {
  const folders = foldersOf(names.paths())
  const source = findSource(names, folders, from)
  const target = findTarget(folders, source, to)
  refuseUseless(source, target)
  refuseUnsuitable(folders, source, target)
  const files = new Map(source.files.map((path) => [path, notePath(target + path.slice(source.path.length))]))
  refuseTaken(names, files, target)
  const there = folders.find(target)
  if (source.isFolder && there !== undefined && there !== source.path) {
    throw new Failure('conflict', `There is already a folder at ${target}.`, {
      hint: 'Choose another name, or move its files one by one.',
    })
  }
  const { path, isFolder } = source
  return { from: path, to: target, isFolder, files, emptied: isFolder ? folders.within(path) : [] }
}

interface Source {
  path: string
  isFolder: boolean
  files: NotePath[]
}

function findSource(names: FileNames, folders: Folders, from: string): Source {
  const path = notePath(withoutSlash(from))
  const asNote = isNote(path) ? undefined : names.exact(`${path}.md`)
  const file = from.endsWith('/') ? undefined : (names.exact(path) ?? asNote)
  if (file === path) return { path, isFolder: false, files: [path] }

  const folder = folders.find(path)
  if (folder !== undefined && file !== undefined) {
    throw new Failure('ambiguous', `${from} is a note and a folder.`, {
      hint: `Write ${file} or ${folder}/.`,
      data: { candidates: [file, `${folder}/`] },
    })
  }
  if (file !== undefined) return { path: file, isFolder: false, files: [file] }
  if (folder === undefined) {
    throw new Failure('not-found', `Note not found: ${from}`, { hint: 'Search for it.' })
  }
  const files = [...names.paths()].filter((each) => each.startsWith(`${folder}/`)).sort()
  return { path: folder, isFolder: true, files }
}

function findTarget(folders: Folders, source: Source, to: string): string {
  if (/^(?:\/|\.\/?)$/.test(to)) return baseName(source.path)
  const path = notePath(withoutSlash(to))
  const existing = folders.find(path)
  const isCaseChange = existing === source.path && !to.endsWith('/')
  if (to.endsWith('/') || (existing !== undefined && !isCaseChange)) {
    return `${folders.spell(path)}/${baseName(source.path)}`
  }
  const name = baseName(source.isFolder ? path : withExtension(path, source.path))
  const parent = folders.spell(folderOf(path))
  return parent === '' ? name : `${parent}/${name}`
}

function withExtension(path: string, source: string): string {
  if (isNote(source)) return isNote(path) ? path : `${path}.md`
  if (isNote(path)) throw new Failure('invalid-input', `${source} is not a note, so it cannot become ${path}.`)
  const name = baseName(source)
  const isComplete = baseName(path).includes('.') || !name.includes('.')
  return isComplete ? path : path + name.slice(name.lastIndexOf('.'))
}

function refuseUseless(source: Source, target: string): void {
  if (target === source.path) throw new Failure('invalid-input', `${source.path} is already in that folder.`)
  if (target.startsWith(`${source.path}/`)) {
    throw new Failure('invalid-input', `${source.path} cannot be moved into itself.`)
  }
}

/** Only new names must be valid on every system; existing folders and an unchanged name are accepted as they are. */
function refuseUnsuitable(folders: Folders, { path: source }: Source, target: string): void {
  const keepsName = baseName(target) === baseName(source)
  newNotePath(target, (path) => (path === target ? keepsName : folders.find(path) !== undefined))
}

function refuseTaken(names: FileNames, files: ReadonlyMap<NotePath, NotePath>, target: string): void {
  const ancestors = target.split('/').map((_, at, segments) => segments.slice(0, at).join('/'))
  const taken = [...files.values(), ...ancestors.slice(1)].find((path) => {
    const existing = names.exact(path)
    return existing !== undefined && !files.has(existing)
  })
  if (taken === undefined) return
  throw new Failure('conflict', `There is already a file at ${taken}.`, {
    hint: 'Choose another name or folder.',
    data: { path: taken },
  })
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, '')
