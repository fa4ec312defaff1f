import { exactPattern } from './exact-pattern.js'
import { widePattern } from './wide-pattern.js'

/**
 * `wide` for rules that restrict: whatever the rule or the name could mean in some spelling, any depth for a bare name.
 * `exact` for rules that allow: to the letter, and in every spelling.
 */
export type Strictness = 'exact' | 'wide'

/**
 * A path pattern from the top of the vault: `*` and `?` stay within a name, `**` goes through folders, `\` takes a
 * character as it is. A last name without wildcards also means everything below it, unless it is that of a note.
 */
export function pathPattern(pattern: string, strictness: Strictness): (path: string) => boolean {
  return strictness === 'wide' ? widePattern(pattern) : exactPattern(pattern)
}

/** A name spelled so that a pattern takes every character as it is. */
export function literalPattern(path: string): string {
  return path.replace(/[*?\\]/g, '\\$&')
}
