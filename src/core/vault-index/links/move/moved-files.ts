import { Failure } from '../../../errors.js'
import { folderOf, isNote, type NotePath, newNotePath, notePath } from '../../../vault/index.js'
import type { FileNames } from '../file-names.js'
import { baseName, foldName } from '../link-key.js'

export interface Move {
  /** The note, attachment or folder, as the vault spells it. */
  from: string
  to: string
  isFolder: boolean
  /** Every file that moves: old path to new. */
  files: ReadonlyMap<NotePath, NotePath>
}

/**
 * What `from` and `to` mean: a file or a folder, `to` a new name or a folder to move into (it ends with `/`, or
 * exists). A note keeps its `.md`, an attachment its extension, also where `to` leaves it out.
 */
export function movedFiles(names: FileNames, from: string, to: string): Move {
  const source = findSource(names, from)
  const target = findTarget(names, source, to)
  if (target === source.path) throw new Failure('invalid-input', `${source.path} is there already.`)
  if (source.isFolder && `${target}/`.startsWith(`${source.path}/`)) {
    throw new Failure('invalid-input', `A folder cannot be moved into itself: ${source.path} to ${target}`)
  }

  const files = new Map(
    source.files.map((path) => [path, notePath(target + path.slice(source.path.length)) as NotePath] as const),
  )
  refuseTaken(names, source, target, files)
  return { from: source.path, to: target, isFolder: source.isFolder, files }
}

interface Source {
  path: string
  isFolder: boolean
  files: NotePath[]
}

function findSource(names: FileNames, from: string): Source {
  const path = notePath(withoutSlash(from))
  const asNote = isNote(path) ? undefined : names.exact(`${path}.md`)
  const file = from.endsWith('/') ? undefined : (names.exact(path) ?? asNote)
  if (file === path) return { path, isFolder: false, files: [path] }

  const folder = spelledFolder(names, path)
  if (folder !== undefined && file !== undefined) {
    throw new Failure('ambiguous', `${from} is a note and a folder.`, {
      hint: `Write ${file} or ${folder}/.`,
      data: { candidates: [file, `${folder}/`] },
    })
  }
  if (file !== undefined) return { path: file, isFolder: false, files: [file] }
  if (folder !== undefined) return { path: folder, isFolder: true, files: below(names, folder) }
  throw new Failure('not-found', `Note not found: ${from}`, { hint: 'Find the path with a search.' })
}

function findTarget(names: FileNames, source: Source, to: string): string {
  if (/^(?:\/|\.\/?)$/.test(to)) return baseName(source.path)
  const path = withoutSlash(to)
  notePath(path)

  const existing = spelledFolder(names, path)
  const isCaseChange = source.isFolder && existing === source.path && !to.endsWith('/')
  if (to.endsWith('/') || (existing !== undefined && !isCaseChange)) {
    return checkedTarget(names, source, `${existing ?? path}/${baseName(source.path)}`)
  }
  return checkedTarget(names, source, source.isFolder ? path : withExtension(path, source.path))
}

/** Only what is new must be a name every system can hold: an odd name that is there already may move on. */
function checkedTarget(names: FileNames, source: Source, path: string): string {
  const parent = folderOf(path)
  const existing = parent === '' ? '' : spelledFolder(names, parent)
  if (existing === undefined) newNotePath(parent)
  const name = baseName(path)
  if (name !== baseName(source.path)) newNotePath(name)
  const folder = existing ?? parent
  return notePath(folder === '' ? name : `${folder}/${name}`)
}

function withExtension(path: string, source: string): string {
  if (isNote(source)) return isNote(path) ? path : `${path}.md`
  if (isNote(path)) {
    throw new Failure('invalid-input', `${source} is not a note, so it cannot become ${path}.`)
  }
  const name = baseName(source)
  const extension = name.slice(name.lastIndexOf('.'))
  return baseName(path).includes('.') || !name.includes('.') ? path : path + extension
}

function refuseTaken(names: FileNames, source: Source, target: string, files: ReadonlyMap<NotePath, NotePath>): void {
  const isTaken = (path: string): boolean => {
    const existing = names.exact(path)
    return existing !== undefined && !files.has(existing)
  }
  const ancestors = target.split('/').map((_, at, segments) => segments.slice(0, at).join('/'))
  const taken = [...files.values(), ...ancestors.filter((path) => path !== '')].find(isTaken)
  if (taken !== undefined) {
    throw new Failure('conflict', `There is already a file at ${taken}.`, { hint: 'Choose another name or folder.' })
  }
  const folder = source.isFolder ? spelledFolder(names, target) : undefined
  if (folder !== undefined && folder !== source.path) {
    throw new Failure('conflict', `There is already a folder at ${folder}.`, {
      hint: 'Choose another name, or move its files one by one.',
    })
  }
}

/** The folder of this path as the vault spells it: the same spelling if there is one, else one that differs in case. */
function spelledFolder(names: FileNames, folder: string): string | undefined {
  const folded = `${foldName(folder)}/`
  let found: string | undefined
  for (const path of names.paths()) {
    if (path.startsWith(`${folder}/`)) return folder
    if (found !== undefined || !foldName(path).startsWith(folded)) continue
    const depth = folder.split('/').length
    found = path.split('/').slice(0, depth).join('/')
  }
  return found
}

function below(names: FileNames, folder: string): NotePath[] {
  return [...names.paths()].filter((path) => path.startsWith(`${folder}/`)).sort()
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, '')
