import { parseSelector } from './parse-selector.js'
import type { PlainSelector, Rule } from './rule.js'

/** The folders a session is kept to. What may be written may be read. */
export interface SessionScope {
  /** Everything outside is hidden. */
  reads?: readonly string[]
  /** Nothing outside is changed. */
  writes?: readonly string[]
}

/** Rules that deny what lies outside the folders. */
export function scopeRules({ reads, writes }: SessionScope): Rule[] {
  return [
    ...(reads ? [denyOutside('reads', [...reads, ...(writes ?? [])])] : []),
    ...(writes ? [denyOutside('writes', writes)] : []),
  ]
}

function denyOutside(effect: 'reads' | 'writes', names: readonly string[]): Rule {
  const folders = names.map((name) => parseSelector(`folder:${name}`) as Extract<PlainSelector, { kind: 'folder' }>)
  const selector = { kind: 'not' as const, selector: { kind: 'folders' as const, folders } }
  const text = `${effect}(outside ${folders.map(({ folder }) => folder).join(', ')})`
  return { effect: 'deny', subject: { kind: 'effect', effect }, selector, text, from: 'scope' }
}
