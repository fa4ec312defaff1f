import type { Ignore } from 'ignore'
import ignore from 'ignore'
import { foldCase, foldPath } from './note-path.js'

/** Decides which files are hidden from everything. */
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

/** One matcher for each distinct reading. */
function matchersOf(rules: readonly string[]): Ignore[] {
  const read = new Map(ruleReadings.map((reading) => rules.map(reading)).map((lines) => [lines.join('\n'), lines]))
  return [...read.values()].map((lines) => ignore().add(lines))
}

const invisibleCharacters = /\p{Default_Ignorable_Code_Point}/gu

const ruleReadings: ((rule: string) => string)[] = [
  foldCase,
  // Dots and blanks at the end of a name are dropped by some systems, and typed unseen by people.
  (rule) => plainSpelling(rule).replace(/([^\\*?\]. ])[. ]+(?=\/|$)/g, '$1'),
  plainSpelling,
  (rule) => foldCase(rule).normalize('NFD'),
  // Paths as written on Windows; in gitignore syntax a backslash only escapes.
  (rule) => plainSpelling(rule).replace(/\\(?=[\p{L}\p{N}_-]|$)/gu, '/'),
]

function plainSpelling(rule: string): string {
  return foldCase(rule.replace(invisibleCharacters, '').normalize('NFKC')).trim()
}

const mostSpellings = 64

/** Spellings of a path that a rule could refer to, each name in each of its spellings. */
function spellings(path: string): string[] {
  if (/^[\x20-\x7e]*$/.test(path) && !/[. ](?:\/|$)/.test(path)) return [path.toLowerCase()]
  let paths = ['']
  for (const name of path.split('/')) {
    const names = new Set([foldPath(name), foldCase(name), plainSpelling(name), foldPath(plainSpelling(name))])
    // Nothing but blanks and dots: no such file, and nothing to hide.
    names.delete('')
    if (names.size === 0) return []
    const longer = paths.flatMap((start) => [...names].map((each) => (start === '' ? each : `${start}/${each}`)))
    paths = longer.slice(0, mostSpellings)
  }
  return [...new Set([...paths, ...paths.map((each) => each.normalize('NFD'))])]
}

/**
 * The text of a file with rules, in UTF-8 or in the UTF-16 that some editors and shells write, with or without a mark.
 * undefined for anything else: rules that were guessed at would protect something else than they say.
 */
export function decodeRules(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder(encodingOfRules(bytes), { fatal: true }).decode(bytes)
    return nonTextCharacters.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const nonTextCharacters = /[\0-\x08\x0e-\x1f\ufffe\uffff]/

function encodingOfRules(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  // In UTF-16 without a mark a line break, a slash or a plain letter has a zero in one half.
  const zero = bytes.indexOf(0)
  if (zero < 0) return 'utf-8'
  return zero % 2 === 1 ? 'utf-16le' : 'utf-16be'
}
