import { type NotePath, notePath } from '../../vault/index.js'

/** The path someone gave. Nothing but blanks is no path: folded for comparison, nothing would be left of it. */
export function wantedPath(wanted: string): NotePath {
  return notePath(wanted.trim() === '' ? '' : wanted)
}
