import ignore from 'ignore'
import { foldPath } from './fold-path.js'

export interface Exclusions {
  /** There are no rules. */
  readonly isEmpty: boolean
  /** True when the rules hide this file (or, with `folder`, everything below it). */
  hides(path: string, kind?: 'file' | 'folder'): boolean
}

/** Rules in gitignore syntax: the text of `.notewrightignore` and the globs of the settings, compared folded. */
export function exclusions(ignoreText: string, globs: readonly string[] = []): Exclusions {
  const lines = [...ignoreText.replace(/^\uFEFF/, '').split(/\r?\n/), ...globs]
  const rules = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (rules.length === 0) return { isEmpty: true, hides: () => false }
  const matcher = ignore().add(rules.map(foldRule))
  return {
    isEmpty: false,
    hides(path, kind) {
      const folded = foldPath(path)
      // Nothing but blanks and dots: no such file, and nothing to hide.
      if (folded === '') return false
      return matcher.ignores(kind === 'folder' ? `${folded}/` : folded)
    },
  }
}

// The line break keeps `foldPath` from trimming the end of a rule, where a dot or an escaped space has a meaning.
function foldRule(rule: string): string {
  return foldPath(`${rule}\n`).slice(0, -1)
}
