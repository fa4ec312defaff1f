import type { Outbound } from '../tools/index.js'
import { pathPattern, type Strictness } from './path-pattern.js'
import { looksAt, type PlainSelector, type Selector } from './rules.js'

/** The facts about a note that selectors match. */
export interface MatchableNote {
  /** The path as named by the call and, if different, with symbolic links resolved. */
  paths: readonly string[]
  tags: readonly string[]
  properties: Readonly<Record<string, unknown>> | null
  /** False if tags and properties are unknown; then restricting rules apply. */
  isKnown: boolean
}

/**
 * Whether a selector matches a note. If in doubt: `wide` (deny, ask) matches, `exact` (allow) does not. A negation
 * swaps the two, so that doubt is always resolved to the safe side.
 */
export function matchesNote(selector: Selector, note: MatchableNote, strictness: Strictness): boolean {
  if (selector.kind !== 'not') return matchesPlain(selector, note, strictness)
  return !matchesPlain(selector.selector, note, strictness === 'wide' ? 'exact' : 'wide')
}

/** `wide`: one address matches. `exact`: all do. */
export function matchesSends(selector: Selector, sends: readonly Outbound[], strictness: Strictness): boolean {
  const plain = selector.kind === 'not' ? selector.selector : selector
  if (plain.kind !== 'domain' || sends.length === 0) return false
  const isWide = strictness === 'wide'
  const matches = ({ url }: Outbound) => {
    const host = hostOf(url)
    if (host === undefined) return isWide
    return isWithin(host, plain.domain) !== (selector.kind === 'not')
  }
  return isWide ? sends.some(matches) : sends.every(matches)
}

/** The host name in lower case, without a final dot; undefined if the address cannot be parsed. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') || undefined : undefined
}

function isWithin(host: string, domain: string): boolean {
  if (host === domain) return true
  // IP addresses have no subdomains.
  return !/^\[|^[\d.]+$/.test(domain) && host.endsWith(`.${domain}`)
}

function matchesPlain(selector: PlainSelector, note: MatchableNote, strictness: Strictness): boolean {
  switch (selector.kind) {
    case 'path':
    case 'folder': {
      const matches = compiled(selector, strictness)
      return strictness === 'wide' ? note.paths.some(matches) : note.paths.every(matches)
    }
    case 'folders':
      return selector.folders.some((folder) => matchesPlain(folder, note, strictness))
    case 'notes':
      return note.paths.every((path) => selector.paths.includes(path))
    case 'tag':
      return note.isKnown ? note.tags.some((tag) => isBelow(tag, selector.tag)) : strictness === 'wide'
    case 'prop':
      return note.isKnown ? hasProperty(note, selector, strictness) : strictness === 'wide'
    case 'domain':
      return false
    case 'outside':
      return !isInside(selector, note)
    default:
      return selector satisfies never
  }
}

/** True only if certain: all paths match, and tags and properties are known if needed. */
function isInside({ inside, exclude }: Extract<PlainSelector, { kind: 'outside' }>, note: MatchableNote): boolean {
  const picks = (selector: Selector) =>
    (note.isKnown || !looksAt(selector, 'tag', 'prop')) &&
    note.paths.every((path) => matchesNote(selector, { ...note, paths: [path] }, 'wide'))
  return inside.some(picks) && !exclude.some((selector) => matchesNote(selector, note, 'wide'))
}

// Tags are case-insensitive, as in Obsidian.
function isBelow(tag: string, wanted: string): boolean {
  const [own, root] = [foldText(tag), foldText(wanted)]
  return own === root || own.startsWith(`${root}/`)
}

function hasProperty(
  { properties }: MatchableNote,
  { name, value }: { name: string; value?: string },
  strictness: Strictness,
): boolean {
  const fold = strictness === 'wide' ? foldText : (text: string) => text.normalize('NFC')
  return Object.entries(properties ?? {}).some(([own, found]) => {
    if (fold(own) !== fold(name)) return false
    if (value === undefined) return true
    return (Array.isArray(found) ? found : [found]).some((member) => fold(`${member ?? ''}`) === fold(value))
  })
}

const foldText = (text: string): string => text.normalize('NFC').toLowerCase().replace(/^#/, '')

type PathSelector = Extract<PlainSelector, { kind: 'path' | 'folder' }>
const patterns = new WeakMap<PathSelector, Partial<Record<Strictness, (path: string) => boolean>>>()

function compiled(selector: PathSelector, strictness: Strictness): (path: string) => boolean {
  const known = patterns.get(selector) ?? {}
  patterns.set(selector, known)
  known[strictness] ??=
    selector.kind === 'path' ? pathPattern(selector.pattern, strictness) : inFolder(selector.folder, strictness)
  return known[strictness]
}

function inFolder(folder: string, strictness: Strictness): (path: string) => boolean {
  // With the slash, the folder matches only at the top of the vault.
  return pathPattern(`${folder}/**`, strictness)
}
