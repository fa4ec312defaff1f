import ignore, { type Ignore } from 'ignore'
import { foldCase, foldPath } from './fold-path.js'

export interface Exclusions {
  /** There are no rules. */
  readonly isEmpty: boolean
  /** True when the rules hide this file (or, with `folder`, everything below it). */
  hides: (path: string, kind?: 'file' | 'folder') => boolean
}

/**
 * Rules in gitignore syntax: the text of `.notewrightignore` and the globs of the settings. A path is hidden when they
 * hide it in any reading of them and in any spelling of it.
 */
export function exclusions(ignoreText: string, globs: readonly string[] = []): Exclusions {
  const lines = [...ignoreText.replace(/^\uFEFF/, '').split(/\r\n?|\n/), ...globs]
  const rules = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (rules.length === 0) return { isEmpty: true, hides: () => false }
  const matchers = matchersOf(rules)
  return {
    isEmpty: false,
    hides(path, kind) {
      const end = kind === 'folder' ? '/' : ''
      return spellings(path).some((spelled) => matchers.some((matcher) => matcher.ignores(`${spelled}${end}`)))
    },
  }
}

/** One for each reading that is another one. */
function matchersOf(rules: readonly string[]): Ignore[] {
  const read = new Map(readings.map((reading) => rules.map(reading)).map((lines) => [lines.join('\n'), lines]))
  return [...read.values()].map((lines) => ignore().add(lines))
}

const unseen = /\p{Default_Ignorable_Code_Point}/gu

const readings: ((rule: string) => string)[] = [
  foldCase,
  // Dots and blanks at the end of a name are dropped by some systems, and typed unseen by people.
  (rule) => plain(rule).replace(/([^\\*?\]. ])[. ]+(?=\/|$)/g, '$1'),
  plain,
  (rule) => foldCase(rule).normalize('NFD'),
  // As people write paths on Windows; for gitignore a backslash only takes away a meaning.
  (rule) => plain(rule).replace(/\\(?=[\p{L}\p{N}_-]|$)/gu, '/'),
]

function plain(rule: string): string {
  return foldCase(rule.replace(unseen, '').normalize('NFKC')).trim()
}

const mostSpellings = 64

/** The spellings of a path in which a rule could mean it, every name in each of its own. */
function spellings(path: string): string[] {
  if (/^[\x20-\x7e]*$/.test(path) && !/[. ](?:\/|$)/.test(path)) return [path.toLowerCase()]
  let paths = ['']
  for (const name of path.split('/')) {
    const names = new Set([foldPath(name), foldCase(name), plain(name), foldPath(plain(name))])
    // Nothing but blanks and dots: no such file, and nothing to hide.
    names.delete('')
    if (names.size === 0) return []
    const longer = paths.flatMap((start) => [...names].map((each) => (start === '' ? each : `${start}/${each}`)))
    paths = longer.slice(0, mostSpellings)
  }
  return [...new Set([...paths, ...paths.map((each) => each.normalize('NFD'))])]
}
