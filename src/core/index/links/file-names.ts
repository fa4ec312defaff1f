import { folderOf, foldPath, isNote, type LinkReading, type NotePath } from '../../vault/index.js'

// `!`: a group of namesakes is never empty.

/** The vault's file paths, indexed for link resolution. */
export interface FileNames {
  /** The rules by which links are resolved. */
  readonly reading: LinkReading
  has(path: string): boolean
  add(path: NotePath): void
  remove(path: NotePath): void
  paths(): Iterable<NotePath>
  /** The file with this path, ignoring case; an exact match is preferred. */
  exact(path: string): NotePath | undefined
  /** The files that a link with this key may refer to. */
  namesakes(key: string): Namesakes | undefined
  /** A view of the names after these files were removed and added; this object stays unchanged. */
  changed(change: { gone: readonly NotePath[]; come: readonly NotePath[] }): FileNames
}

export function fileNames(paths: Iterable<NotePath>, reading: LinkReading = 'obsidian'): FileNames {
  const groups: Groups = new Map<string, Group>()
  for (const path of paths) addTo(groups, path)
  return namesOver(groups, reading)
}

/** Most names belong to one file, stored as a string: 100,000 objects would take longer to create. */
type Group = NotePath | NamesakeGroup

interface Groups {
  get(key: string): Group | undefined
  set(key: string, group: Group): void
  delete(key: string): void
  values(): Iterable<Group>
}

function namesOver(groups: Groups, reading: LinkReading): FileNames {
  const find = (key: string): Namesakes | undefined => {
    const group = groups.get(key)
    return typeof group === 'string' ? singleFile(group) : group
  }
  return {
    reading,
    has: (path) => find(linkKey(path))?.has(path) ?? false,
    add: (path) => addTo(groups, path),
    remove: (path) => removeFrom(groups, path),
    *paths() {
      for (const group of groups.values()) {
        if (typeof group === 'string') yield group
        else yield* group.paths()
      }
    },
    exact: (path) => find(linkKey(path))?.exact(path),
    namesakes: find,
    changed({ gone, come }) {
      const layer = layerOver(groups, new Set([...gone, ...come].map(fileKey)))
      for (const path of gone) removeFrom(layer, path)
      for (const path of come) addTo(layer, path)
      return namesOver(layer, reading)
    },
  }
}

function addTo(groups: Groups, path: NotePath): void {
  const key = fileKey(path)
  const group = groups.get(key)
  if (group === undefined) groups.set(key, path)
  else if (typeof group !== 'string') group.add(path)
  else if (group !== path) groups.set(key, namesakeGroup([group, path]))
}

function removeFrom(groups: Groups, path: NotePath): void {
  const key = fileKey(path)
  const group = groups.get(key)
  if (group === path) groups.delete(key)
  else if (group !== undefined && typeof group !== 'string' && group.remove(path) === 0) groups.delete(key)
}

/** A copy-on-write layer: only the groups that change are copied. */
function layerOver(base: Groups, keys: ReadonlySet<string>): Groups {
  const own = new Map<string, Group>()
  for (const key of keys) {
    const group = base.get(key)
    if (group !== undefined) own.set(key, typeof group === 'string' ? group : namesakeGroup(group.paths()))
  }
  const keyOf = (group: Group): string => fileKey(typeof group === 'string' ? group : group.paths()[0]!)
  return {
    get: (key) => (keys.has(key) ? own.get(key) : base.get(key)),
    set: (key, group) => own.set(key, group),
    delete: (key) => own.delete(key),
    *values() {
      for (const group of base.values()) if (!keys.has(keyOf(group))) yield group
      yield* own.values()
    },
  }
}

/** Files with the same folded name, ignoring `.md`. */
interface Namesakes {
  /** Shortest first, then by path. */
  paths(): readonly NotePath[]
  has(path: string): boolean
  /** The file with this path, ignoring case; an exact match is preferred. */
  exact(path: string): NotePath | undefined
  /**
   * Among the files whose path equals `ending` or ends with `/` and `ending`: the exact path, else the one in
   * `folder`, else the shortest path.
   */
  nearest(folder: string, ending: string): NotePath | undefined
}

interface NamesakeGroup extends Namesakes {
  add(path: NotePath): void
  /** Returns how many are left. */
  remove(path: NotePath): number
}

/** Groups up to this size are searched linearly; larger ones (`index.md` in every folder) are indexed. */
const smallGroup = 16

function namesakeGroup(paths: readonly NotePath[]): NamesakeGroup {
  const members = new Set(paths)
  let sorted: readonly NotePath[] | undefined
  // Indexes by folded path and by folded folder and name, built when a large group is first searched.
  let byPath: Map<string, NotePath[]> | undefined
  let byTail: Map<string, NotePath[]> | undefined

  const inOrder = (): readonly NotePath[] => {
    sorted ??= [...members].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    return sorted
  }
  const forget = (): void => {
    sorted = byPath = byTail = undefined
  }
  const withPath = (folded: string): readonly NotePath[] => {
    if (members.size <= smallGroup) return inOrder()
    byPath ??= groupBy(inOrder(), foldName)
    return byPath.get(folded) ?? []
  }
  const withTail = (folded: string): readonly NotePath[] => {
    if (members.size <= smallGroup || !folded.includes('/')) return inOrder()
    byTail ??= groupBy(inOrder(), (path) => lastTwo(foldName(path)))
    return byTail.get(lastTwo(folded)) ?? []
  }

  const exact = (path: string): NotePath | undefined => {
    const folded = foldName(path)
    const found = withPath(folded).filter((candidate) => foldName(candidate) === folded)
    return found.find((candidate) => candidate === path) ?? found[0]
  }

  return {
    paths: inOrder,
    has: (path) => members.has(path as NotePath),
    add(path) {
      members.add(path)
      forget()
    },
    remove(path) {
      members.delete(path)
      forget()
      return members.size
    },
    exact,
    nearest: (folder, ending) =>
      exact(ending) ??
      (folder === '' ? undefined : exact(`${folder}/${ending}`)) ??
      firstEnding(withTail(foldName(ending)), ending),
  }
}

/** The namesakes of a name that only one file has. */
function singleFile(path: NotePath): Namesakes {
  // Most links match the spelling of the file, and need no folding.
  return {
    paths: () => [path],
    has: (other) => other === path,
    exact: (other) => (other === path || foldName(other) === foldName(path) ? path : undefined),
    nearest: (_, ending) =>
      endsWithPath(path, ending) || endsWithPath(foldName(path), foldName(ending)) ? path : undefined,
  }
}

function firstEnding(inOrder: readonly NotePath[], ending: string): NotePath | undefined {
  const tail = foldName(ending)
  let best: NotePath | undefined
  for (const candidate of inOrder) {
    if (best !== undefined && candidate.length > best.length) break
    if (!endsWithPath(foldName(candidate), tail)) continue
    // Two files can differ only in case on a case-sensitive file system.
    if (candidate.endsWith(ending)) return candidate
    best ??= candidate
  }
  return best
}

const endsWithPath = (path: string, ending: string): boolean =>
  path.endsWith(ending) && (path.length === ending.length || path[path.length - ending.length - 1] === '/')

const lastTwo = (path: string): string => path.split('/').slice(-2).join('/')

function groupBy(paths: readonly NotePath[], key: (path: NotePath) => string): Map<string, NotePath[]> {
  const groups = new Map<string, NotePath[]>()
  for (const path of paths) {
    const group = groups.get(key(path))
    if (group === undefined) groups.set(key(path), [path])
    else group.push(path)
  }
  return groups
}

/** The folders of a vault's files. */
export interface Folders {
  /** The folder at this path in the vault's spelling. */
  find(path: string): string | undefined
  /** The path with its existing folders in the vault's spelling, for file systems that ignore case. */
  spell(path: string): string
  /** The folders whose path ends with these names, ignoring case. */
  ending(names: string): string[]
  /** This folder and its subfolders. */
  within(folder: string): string[]
}

export function foldersOf(paths: Iterable<string>): Folders {
  const all = new Set<string>()
  for (const path of paths) {
    for (let folder = folderOf(path); folder !== '' && !all.has(folder); folder = folderOf(folder)) all.add(folder)
  }
  const spellings = new Map([...all].sort().map((folder) => [foldPath(folder), folder]))
  const find = (path: string): string | undefined => (all.has(path) ? path : spellings.get(foldPath(path)))

  return {
    find,
    spell(path) {
      for (let known = path; known !== ''; known = folderOf(known)) {
        const spelled = find(known)
        if (spelled !== undefined) return spelled + path.slice(known.length)
      }
      return path
    },
    ending(names) {
      const ending = `/${foldPath(names)}`
      return [...all].filter((folder) => `/${foldPath(folder)}`.endsWith(ending)).sort()
    },
    within: (folder) => [...all].filter((each) => `${each}/`.startsWith(`${folder}/`)).sort(),
  }
}

/**
 * The folded file name that a link looks for. Every file that a link can resolve to has the same key, so only files
 * with that name can change its target.
 */
export function linkKey(written: string): string {
  // In plain Markdown `docs/` links to a folder.
  const path = written.endsWith('/') ? written.replace(/\/+$/, '') : written
  return nameKey(path.slice(path.lastIndexOf('/') + 1))
}

/** The key by which links find a file. */
export function fileKey(path: NotePath): string {
  return linkKey(path)
}

/** Folds a name like Obsidian: composed, lower case, no-break space as space. */
export function foldName(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase()
  // JavaScript lower-cases Σ depending on its neighbours, so the same word would fold differently before `.md`.
  return text.replace(noBreakSpace, ' ').toLowerCase().replace(/ς/g, 'σ').normalize('NFC')
}

export const withoutNoteExtension = (path: string): string => (isNote(path) ? path.slice(0, -3) : path)

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const isAscii = /^[\0-\x7f]*$/
const noBreakSpace = /[\u00a0\u202f]/g

function nameKey(name: string): string {
  const folded = foldName(name).trim()
  return folded.endsWith('.md') ? folded.slice(0, -3).trimEnd() : folded
}
