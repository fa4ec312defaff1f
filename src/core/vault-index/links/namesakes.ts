import type { NotePath } from '../../vault/index.js'
import { foldName } from './link-key.js'

/** Files whose folded names are the same, apart from `.md`. */
export interface Namesakes {
  /** Shortest first, then by path. */
  paths(): readonly NotePath[]
  has(path: string): boolean
  /** The file of this very path, whatever its case; the same spelling is preferred. */
  exact(path: string): NotePath | undefined
  /**
   * Of the files whose path is this or ends with `/` and this: the one of this very path, else the one in the folder,
   * else the one with the shortest path.
   */
  nearest(folder: string, ending: string): NotePath | undefined
}

export interface NamesakeGroup extends Namesakes {
  add(path: NotePath): void
  /** Answers how many are left. */
  remove(path: NotePath): number
}

/** Groups up to this size are searched one by one; `index.md` in every folder of a large vault is not. */
const fewEnough = 16

export function namesakeGroup(paths: readonly NotePath[]): NamesakeGroup {
  const members = new Set(paths)
  let sorted: readonly NotePath[] | undefined
  // By folded path, and by folded folder and name: made when a large group is first asked.
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
    if (members.size <= fewEnough) return inOrder()
    byPath ??= groupBy(inOrder(), foldName)
    return byPath.get(folded) ?? []
  }
  const withTail = (folded: string): readonly NotePath[] => {
    if (members.size <= fewEnough || !folded.includes('/')) return inOrder()
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

/** A name that only one file bears: no group is kept for it. */
export function onlyOne(path: NotePath): Namesakes {
  // Most links are spelled as the file is, and need no folding to be found.
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
    // Only where a file system tells case apart can two of them differ in nothing else.
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
