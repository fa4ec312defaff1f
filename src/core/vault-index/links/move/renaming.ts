import { type LinkSettings, type NotePath, pathFailure } from '../../../vault/index.js'
import type { FileNames } from '../file-names.js'

/** The names before and after, and what moves: what decides about every link. */
export interface Renaming {
  before: FileNames
  after: FileNames
  moved: ReadonlyMap<NotePath, NotePath>
  /** The folder that moves, where it is one. */
  folder?: { from: string; to: string }
  /** Keys of all names that come or go: a link that looks for another leads where it led, unless its note moves. */
  keys: ReadonlySet<string>
  /** Files that nobody may see or touch: they stay, also where their folder moves. */
  hidden: ReadonlySet<string>
  settings: LinkSettings
}

export interface LinkFate {
  /** Where the link must lead after the move. */
  target: NotePath | null
  /** Its new path part, where it must be written anew. */
  written?: string
  /** It led nowhere, and leads to a moved file now. */
  isCaptured?: boolean
}

/**
 * Where a path is after the move, also one that no file is known at: a folder's content goes with it. Hidden notes do
 * not, nor what has a name with a dot in front.
 */
export function placeAfter(renaming: Renaming, path: string): string {
  const { moved, folder } = renaming
  if (folder === undefined || !`${path}/`.startsWith(`${folder.from}/`)) return moved.get(path as NotePath) ?? path
  const below = path.slice(folder.from.length)
  return isHidden(renaming, path) || below.includes('/.') ? path : folder.to + below
}

/** Whether a hidden file has this path, `.md` left out or not. */
export const isHidden = ({ hidden }: Renaming, path: string): boolean => hidden.has(path) || hidden.has(`${path}.md`)

export function cannotBeLinked(path: string, characters: string) {
  return pathFailure(path, `links to it could not be written, because the name has ${characters}`)
}
