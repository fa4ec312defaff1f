import { type LinkKind, type NoteLink, scanNote } from '../../../markdown/index.js'
import { folderOf, type NotePath, pathFailure } from '../../../vault/index.js'
import type { FileNames } from '../file-names.js'
import { isRelative, joinRelative, resolveLink } from '../resolve-link.js'
import { encodeTarget, unlinkable } from './encode-target.js'
import { type Respelling, relativeLink, respellLink, spellsOldPath } from './respell-link.js'

/** The names before and after, and which files move: what decides about every link. */
export interface Renaming {
  before: FileNames
  after: FileNames
  moved: ReadonlyMap<NotePath, NotePath>
}

export interface RewrittenNote {
  text: string
  /** Kinds of the links that were written anew, one entry per link. */
  kinds: LinkKind[]
  /** Links that led nowhere and lead to a moved file now. */
  captured: number
}

/** Writes a note's links so that each leads where it led before the move. Throws rather than miss one. */
export function rewriteLinks(renaming: Renaming, source: NotePath, text: string): RewrittenNote {
  const links = scanNote(text).links.filter(({ kind }) => kind !== 'external')
  const fates = links.map((link) => linkFate(renaming, source, link.target, link.syntax !== 'wiki'))
  const edits = new Map<number, { start: number; end: number; text: string }>()
  const kinds: LinkKind[] = []
  for (const [at, link] of links.entries()) {
    const { written, target } = fates[at]
    if (written === undefined) continue
    const impossible = unlinkable(written, link)
    if (impossible.length > 0) throw cannotBeLinked(target ?? written, impossible.join(' '))
    kinds.push(link.kind)
    edits.set(link.targetSpan.start, { ...link.targetSpan, text: encodeTarget(written, link, text) })
  }
  const rewritten = splice(text, [...edits.values()])
  if (edits.size > 0) verify(renaming, source, links, fates, rewritten)
  return { text: rewritten, kinds, captured: fates.filter(({ isCaptured }) => isCaptured).length }
}

export function hasLinksToRewrite(renaming: Renaming, source: NotePath, text: string): boolean {
  return scanNote(text).links.some(
    ({ kind, target }) => kind !== 'external' && linkFate(renaming, source, target, false).written !== undefined,
  )
}

export interface LinkFate {
  /** Where the link must lead after the move. */
  target: NotePath | null
  /** Its new path part, where it must be written anew. */
  written?: string
  isCaptured?: boolean
}

/** What becomes of one link, told from its path part alone. */
export function linkFate(renaming: Renaming, source: NotePath, written: string, isMarkdown: boolean): LinkFate {
  const { before, after, moved } = renaming
  const newSource = moved.get(source) ?? source
  const target = resolveLink(before, source, written)
  const now = resolveLink(after, newSource, written)
  if (target === null) return now === null ? { target } : strayFate(renaming, source, written, now)

  const newTarget = moved.get(target) ?? target
  const link: Respelling = { written, isMarkdown, source, target, newSource, newTarget }
  const isStale = written !== '' && newTarget !== target && spellsOldPath(link)
  if (now === newTarget && !isStale) return { target: newTarget }
  const respelled = respellLink(after, link)
  if (respelled === undefined) throw cannotBeLinked(newTarget, 'a space at an end of a name')
  return respelled === written ? { target: newTarget } : { target: newTarget, written: respelled }
}

/**
 * A link to a note that does not exist. If the new name is the one it waits for, it now leads there, as in Obsidian.
 * But a relative one must not find another note only because the note it stands in has moved.
 */
function strayFate({ after, moved }: Renaming, source: NotePath, written: string, now: NotePath): LinkFate {
  const newSource = moved.get(source)
  const meant = isRelative(written) ? joinRelative(folderOf(source), written) : undefined
  if (newSource !== undefined && meant !== undefined) {
    const kept = relativeLink(newSource, meant)
    if (resolveLink(after, newSource, kept) === null) return { target: null, written: kept }
  }
  return { target: now, isCaptured: true }
}

function splice(text: string, edits: { start: number; end: number; text: string }[]): string {
  const pieces: string[] = []
  let done = 0
  for (const edit of edits.sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(done, edit.start), edit.text)
    done = edit.end
  }
  pieces.push(text.slice(done))
  return pieces.join('')
}

/** Reads the new text as any reader will, and insists that every link is there and leads where it must. */
function verify(renaming: Renaming, source: NotePath, links: NoteLink[], fates: LinkFate[], text: string): void {
  const newSource = renaming.moved.get(source) ?? source
  const found = scanNote(text).links.filter(({ kind }) => kind !== 'external')
  const wrong = links.find((link, at) => {
    const reread = found[at]
    return (
      reread === undefined ||
      reread.kind !== link.kind ||
      reread.syntax !== link.syntax ||
      reread.subpath !== link.subpath ||
      reread.display !== link.display ||
      resolveLink(renaming.after, newSource, reread.target) !== fates[at].target
    )
  })
  if (wrong === undefined && found.length === links.length) return
  const written = fates.map((fate) => fate.written ?? '').join('')
  const markup = [...new Set(written.match(/[`$%<>&\\!~*_'"]/g))].join(' ')
  if (markup !== '') throw cannotBeLinked(wrong ? (fates[links.indexOf(wrong)].target ?? source) : source, markup)
  throw new Error(`A rewritten link in ${source} does not read back: ${wrong?.raw ?? 'an extra link'}`)
}

function cannotBeLinked(path: string, characters: string) {
  return pathFailure(path, `links to it could not be written, because the name has ${characters}`)
}
