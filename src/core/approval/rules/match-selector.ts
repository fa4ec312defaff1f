import type { Outbound } from '../../tools/index.js'
import { pathPattern, type Strictness } from './path-pattern.js'
import { looksAt, type PlainSelector, type Selector } from './rule.js'

/** What selectors look at. */
export interface NoteMeaning {
  /** As named by the call and as it is in the vault, links resolved: two spellings only where they differ. */
  paths: readonly string[]
  tags: readonly string[]
  properties: Readonly<Record<string, unknown>> | null
  /** False when tags and properties could not be found out: then a rule that restricts applies. */
  isKnown: boolean
}

/**
 * Whether a selector picks a note. Read widely (deny, ask), a doubt counts as a match; read exactly (allow), it does
 * not. A negation turns that around, so that a doubt still falls to the safe side.
 */
export function matchesNote(selector: Selector, note: NoteMeaning, strictness: Strictness): boolean {
  if (selector.kind !== 'not') return matchesPlain(selector, note, strictness)
  return !matchesPlain(selector.selector, note, strictness === 'wide' ? 'exact' : 'wide')
}

/** Widely: something goes there. Exactly: everything does. */
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

/** Host name of an address, in lower case and without the dot at its end; undefined when it cannot be read. */
export function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') || undefined : undefined
}

function isWithin(host: string, domain: string): boolean {
  if (host === domain) return true
  // Numbers have no subdomains.
  return !/^\[|^[\d.]+$/.test(domain) && host.endsWith(`.${domain}`)
}

function matchesPlain(selector: PlainSelector, note: NoteMeaning, strictness: Strictness): boolean {
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

/** In a project is what is surely in it: under each of its spellings, and not where it could be anything. */
function isInside({ inside, exclude }: Extract<PlainSelector, { kind: 'outside' }>, note: NoteMeaning): boolean {
  const picks = (selector: Selector) =>
    (note.isKnown || !looksAt(selector, 'tag', 'prop')) &&
    note.paths.every((path) => matchesNote(selector, { ...note, paths: [path] }, 'wide'))
  return inside.some(picks) && !exclude.some((selector) => matchesNote(selector, note, 'wide'))
}

// Obsidian takes #Draft and #draft for the same tag.
function isBelow(tag: string, wanted: string): boolean {
  const [own, root] = [foldText(tag), foldText(wanted)]
  return own === root || own.startsWith(`${root}/`)
}

function hasProperty(
  { properties }: NoteMeaning,
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
  // The slash keeps a folder's name from floating to any depth, and `**` from meaning the folder alone.
  return pathPattern(`${folder}/**`, strictness)
}
