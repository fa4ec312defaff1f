import type { LinkReading, NotePath } from '../../vault/index.js'
import { fileKey, linkKey } from './link-key.js'
import { type NamesakeGroup, type Namesakes, namesakeGroup, onlyOne } from './namesakes.js'

/** The vault's file paths, arranged for links to look them up. */
export interface FileNames {
  /** How links read these names. */
  readonly reading: LinkReading
  has(path: string): boolean
  add(path: NotePath): void
  remove(path: NotePath): void
  paths(): Iterable<NotePath>
  /** The file of this very path, whatever its case; the same spelling is preferred. */
  exact(path: string): NotePath | undefined
  /** The files that a link with this key may mean. */
  namesakes(key: string): Namesakes | undefined
  /** The names as they will be once these files have gone and come; a view, while this value itself stays as it is. */
  changed(change: { gone: readonly NotePath[]; come: readonly NotePath[] }): FileNames
}

export function fileNames(paths: Iterable<NotePath>, reading: LinkReading = 'obsidian'): FileNames {
  const groups: Groups = new Map<string, Group>()
  for (const path of paths) addTo(groups, path)
  return namesOver(groups, reading)
}

/** Most names are borne by one file, which is kept bare: objects for 100,000 of them would take longer to make. */
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
    return typeof group === 'string' ? onlyOne(group) : group
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

/** Copies only the groups that will change, not a whole vault's names for the sake of one. */
function layerOver(base: Groups, keys: ReadonlySet<string>): Groups {
  const own = new Map<string, Group>()
  for (const key of keys) {
    const group = base.get(key)
    if (group !== undefined) own.set(key, typeof group === 'string' ? group : namesakeGroup(group.paths()))
  }
  const keyOf = (group: Group): string => fileKey(typeof group === 'string' ? group : group.paths()[0])
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
