import { folderOf, foldPath } from '../../../vault/index.js'

/** The folders that a vault's files stand in. */
export interface Folders {
  /** The folder of this path as the vault spells it. */
  find(path: string): string | undefined
  /** The path with that part of it that exists spelled as the vault spells it: a disk may ignore case. */
  spell(path: string): string
  /** This folder and those below it. */
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
    within: (folder) => [...all].filter((each) => `${each}/`.startsWith(`${folder}/`)).sort(),
  }
}
