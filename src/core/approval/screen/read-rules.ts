import { parseNote } from '../../markdown/index.js'
import { foldPath, isNote } from '../../vault/index.js'
import type { StoredNote } from '../../vault-index/index.js'
import { looksAt, matchesNote, type NoteMeaning, plainSelector, type Rule } from '../rules/index.js'

/** What the rules about reading make of a note: there for the model, there once the person says so, or not there. */
export type Visibility = 'seen' | 'asked' | 'denied'

type Meaning = Omit<NoteMeaning, 'paths'>

export interface ReadRules {
  visibilityOf(meaning: Meaning, ...paths: string[]): Visibility
  /** Whether tags and properties matter at all. */
  needsMeaning: boolean
  /** What keeps a new note from being there, whatever it says. */
  closedBy(path: string): 'rule' | 'project' | undefined
  /** The project that everything else is outside of. */
  project?: string
}

/** The rules that keep single notes from being read by any tool; undefined when there are none. */
export function readRules(rules: readonly Rule[]): ReadRules | undefined {
  const own = rules.filter(
    ({ effect, subject, selector }) =>
      effect !== 'allow' &&
      selector !== undefined &&
      plainSelector(selector).kind !== 'domain' &&
      (subject.kind === 'any' || (subject.kind === 'effect' && subject.effect === 'reads')),
  )
  if (own.length === 0) return undefined
  const matches = (effect: Rule['effect'], note: NoteMeaning) =>
    own.some((rule) => rule.effect === effect && matchesNote(rule.selector!, note, 'wide'))
  const outside = own.map(({ selector }) => selector).find((selector) => selector?.kind === 'outside')
  return {
    needsMeaning: own.some(({ selector }) => looksAt(selector!, 'tag', 'prop')),
    ...(outside && { project: outside.project }),
    closedBy(path) {
      // It has no tags and properties yet: a rule that denies it then is about the place, unless they would let it in.
      const note = { tags: [], properties: {}, isKnown: true, paths: [path] }
      const denying = own.filter(({ effect, selector }) => effect === 'deny' && matchesNote(selector!, note, 'wide'))
      if (denying.some(({ selector }) => selector !== outside)) return 'rule'
      const mayJoin = outside?.inside.some((selector) => looksAt(selector, 'tag', 'prop')) ?? false
      return denying.length > 0 && !mayJoin ? 'project' : undefined
    },
    visibilityOf(meaning, ...paths) {
      const note = { ...meaning, paths }
      return matches('deny', note) ? 'denied' : matches('ask', note) ? 'asked' : 'seen'
    },
  }
}

/** What the index knows of a note. One that it does not know, or whose properties cannot be read, could be anything. */
export function storedMeaning(path: string, note: StoredNote | undefined): Meaning {
  if (note === undefined) return { tags: [], properties: null, isKnown: !isNote(path) }
  const { tags, properties, frontmatterError } = note
  return { tags, properties, isKnown: frontmatterError === undefined || properties !== null }
}

/** What a note says of itself. */
export function writtenMeaning(path: string, text: string): Meaning {
  if (!isNote(path)) return storedMeaning(path, undefined)
  const { tags, properties, frontmatter } = parseNote(path, text)
  return { tags, properties, isKnown: frontmatter === undefined || frontmatter.data !== undefined }
}

/** Notes that a rule asks for and the person has let the model read: from then on they are there. */
export interface OpenedNotes {
  add(path: string): void
  has(path: string): boolean
}

export function openedNotes(): OpenedNotes {
  const opened = new Set<string>()
  return {
    add: (path) => void opened.add(foldPath(path)),
    has: (path) => opened.has(foldPath(path)),
  }
}
