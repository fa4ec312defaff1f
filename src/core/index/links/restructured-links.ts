import { type LinkKind, type ScannedNote, type Span, scanNote } from '../../markdown/index.js'
import type { LinkSettings, NotePath } from '../../vault/index.js'
import { baseName, type FileNames, foldName, withoutNoteExtension } from './file-names.js'
import { cannotBeLinked, pathBetween, unresolvedPathBetween } from './link-after-move.js'
import type { LayoutMap } from './note-layout.js'
import { resolveLink } from './resolve-link.js'
import {
  encodeSubpath,
  encodeTarget,
  formOfSyntax,
  type LocatedLink,
  locateLinks,
  splice,
  type TextEdit,
  unlinkableCharacters,
} from './rewrite-links.js'
import { type Anchor, findAnchor, headingSubpath, type Outline, usesSlugs } from './subpath.js'

/** Everything that decides how links change when the text of notes is rearranged. */
export interface RestructureContext {
  before: FileNames
  after: FileNames
  settings: LinkSettings
  layout: LayoutMap
  /** Notes whose headings or blocks change, as they are now. */
  scans: ReadonlyMap<NotePath, ScannedNote>
  /** The headings and blocks of these notes as they will be. */
  outlines: ReadonlyMap<NotePath, Outline>
  /** Removed notes, and the note that has their text then. */
  replaced: ReadonlyMap<NotePath, NotePath>
  /** Links to this note that show one text, and the text that they show then. */
  shown?: { path: NotePath; from: string; to: string } | undefined
}

interface RewrittenText {
  text: string
  edits: TextEdit[]
  /** Kinds of the rewritten links, one entry per link. */
  kinds: LinkKind[]
  /** Unresolved links that resolve then. */
  captured: number
  /** Links to rewrite in a YAML string that folds or escapes them. */
  outOfReach: LocatedLink[]
  /** Headings that a link names and no link can name then. */
  indistinct: { path: NotePath; index: number }[]
  /** Checks that every link of the new text leads to its target. */
  verify: () => void
}

/** The end of a link after the change. */
interface Destination {
  path: NotePath
  /** The heading or block, if the change can affect it. */
  anchor?: Anchor
}

/**
 * Rewrites the links of a text so that each leads to the same text as before. `originOf` is the note in which a link
 * was, undefined for a link that is new.
 */
export function rewriteRestructured(
  context: RestructureContext,
  path: NotePath,
  text: string,
  originOf: (link: LocatedLink) => NotePath | undefined = () => path,
): RewrittenText {
  const { before, after, settings } = context
  const expected: (Destination | undefined)[] = []
  const result: Omit<RewrittenText, 'text' | 'verify'> = {
    edits: [],
    kinds: [],
    captured: 0,
    outOfReach: [],
    indistinct: [],
  }
  for (const link of locateLinks(text, before.reading)) {
    const source = originOf(link)
    const form = formOfSyntax(link)
    const target = source === undefined ? null : resolveLink(before, source, link.target, form)
    if (source === undefined) {
      expected.push(undefined)
      continue
    }
    let written: string
    let subpath = link.subpath
    let destination: Destination | undefined
    if (target === null) {
      written = unresolvedPathBetween(before.reading, { source, newSource: path, written: link.target, form })
      if (resolveLink(after, path, written, form) !== null) result.captured++
    } else {
      destination = destinationOf(context, target, link)
      const ends = { source, newSource: path, target, newTarget: destination.path, written: link.target, form }
      written = pathBetween({ before, after, settings }, ends)
      const found = subpathTo(context, destination, link)
      if (found === undefined) {
        result.indistinct.push({ path: destination.path, index: destination.anchor?.index ?? 0 })
        expected.push(undefined)
        continue
      }
      subpath = found.subpath
    }
    expected.push(destination)
    const display = displayAfter(context, link, target, text)
    const edits = editsOf({ link, text, written, subpath, display, reading: after.reading, path: destination?.path })
    if (edits === undefined) {
      result.outOfReach.push(link)
      expected[expected.length - 1] = undefined
    } else if (edits.length > 0) {
      result.edits.push(...edits)
      result.kinds.push(link.kind)
    }
  }
  result.edits.sort((a, b) => a.start - b.start)
  const rewritten = splice(text, result.edits)
  return { ...result, text: rewritten, verify: () => verifyLinks(context, path, rewritten, expected, result.edits) }
}

/** The note, and the heading or block in it, to which a link leads then. */
function destinationOf(context: RestructureContext, target: NotePath, link: LocatedLink): Destination {
  const { layout, before, replaced } = context
  const path = replaced.get(target) ?? target
  const scan = context.scans.get(target)
  if (scan === undefined) return { path }
  if (link.subpath === undefined) {
    const opening = link.kind === 'embed' && replaced.has(target) ? layout.openingOf(target) : undefined
    return opening === undefined ? { path } : { path, anchor: { kind: 'heading', index: opening.index, chain: [] } }
  }
  const anchor = findAnchor(scan, link.subpath, usesSlugs(before.reading, formOfSyntax(link)))
  if (anchor === undefined) return { path }
  const now = anchorNow(context, target, scan, anchor)
  if (now === undefined) return { path }
  if (anchor.kind === 'block') return { path: now.path, anchor: { kind: 'block', index: now.index } }
  const chain = anchor.chain.flatMap((index) => {
    const each = anchorNow(context, target, scan, { ...anchor, index })
    return each?.path === now.path ? [each.index] : []
  })
  return { path: now.path, anchor: { kind: 'heading', index: now.index, chain } }
}

/** The note and the heading or block that a canvas's card shows then. */
export function cardAfter(context: RestructureContext, target: NotePath, subpath: string | undefined) {
  const span = { start: 0, end: 0 }
  const card: LocatedLink = { kind: 'wikilink', syntax: 'wiki', raw: '', target, line: 1, ...span }
  const link = subpath === undefined || subpath === '' ? card : { ...card, subpath }
  const destination = destinationOf(context, target, link)
  return { path: destination.path, subpath: subpathTo(context, destination, link)?.subpath }
}

function anchorNow({ layout }: RestructureContext, path: NotePath, scan: ScannedNote, anchor: Anchor) {
  // The headings of other notes change only with the links in them, so each keeps its position.
  if (!layout.has(path)) return { path, index: anchor.index }
  const now = layout.anchorNow(path, scan, anchor)
  const there = now && layout.layouts[now.layout]
  return now && there && { path: there.path, index: now.index }
}

/** The subpath that leads to a destination: the current one while it does. undefined if none does. */
function subpathTo(
  { outlines, after }: RestructureContext,
  { path, anchor }: Destination,
  link: LocatedLink,
): { subpath: string | undefined } | undefined {
  const outline = outlines.get(path)
  if (anchor === undefined || outline === undefined) return { subpath: link.subpath }
  const isSlug = usesSlugs(after.reading, formOfSyntax(link))
  const current = link.subpath === undefined ? undefined : findAnchor(outline, link.subpath, isSlug)
  if (current?.kind === anchor.kind && current.index === anchor.index) return { subpath: link.subpath }
  if (anchor.kind === 'block') return { subpath: `#^${outline.blocks[anchor.index]?.id ?? ''}` }
  const subpath = headingSubpath(outline, anchor.index, isSlug, anchor.chain)
  return subpath === undefined ? undefined : { subpath }
}

/** The text that a link shall show, if it changes. */
function displayAfter(
  { replaced, shown }: RestructureContext,
  link: LocatedLink,
  target: NotePath | null,
  text: string,
): string | undefined {
  if (target === null) return undefined
  if (shown?.path === target && link.display !== undefined && foldName(link.display.trim()) === foldName(shown.from)) {
    return shown.to
  }
  const isPlain = link.syntax === 'wiki' && link.kind !== 'embed'
  if (!replaced.has(target) || !isPlain || link.display !== undefined || link.subpath !== undefined) return undefined
  // A link by name shows the name of the removed note, which stays readable. In a table row `|` would need a backslash.
  const lineStart = text.lastIndexOf('\n', link.start) + 1
  const lineEnd = text.indexOf('\n', link.end)
  const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd)
  const isInTable = line.replace(/\[\[[^\]]*\]\]/g, '').includes('|')
  return !isInTable ? withoutNoteExtension(baseName(link.target.trim())) : undefined
}

interface NewLink {
  link: LocatedLink
  text: string
  written: string
  subpath: string | undefined
  display: string | undefined
  reading: FileNames['reading']
  path: NotePath | undefined
}

/** The edits of one link; undefined if its parts have no positions of their own. */
function editsOf({ link, text, written, subpath, display, reading, path }: NewLink): TextEdit[] | undefined {
  const changesPath = written !== link.target
  const changesSubpath = subpath !== link.subpath
  if (!changesPath && !changesSubpath && display === undefined) return []
  const { targetSpan, subpathSpan } = link
  const isHidden = link.kind === 'frontmatter' && !/^!?\[/.test(text.slice(link.start, link.end))
  if (targetSpan === undefined || isHidden || (link.subpath !== undefined && subpathSpan === undefined))
    return undefined
  const impossible = changesPath ? unlinkableCharacters(written, link, reading) : []
  if (impossible.length > 0) throw cannotBeLinked(path ?? written, impossible.join(' '))

  const edits: TextEdit[] = []
  if (changesPath) edits.push({ ...targetSpan, text: encodeTarget(written, link, targetSpan, text) })
  const pathEnd = subpathSpan?.end ?? targetSpan.end
  let added = ''
  if (changesSubpath) {
    const encoded = encodeSubpath(subpath ?? '', link, subpathSpan ?? targetSpan, text)
    if (subpathSpan !== undefined) edits.push({ ...subpathSpan, text: encoded })
    else added = encoded
  }
  const shown = link.display === undefined ? undefined : displaySpan(link, text)
  if (display !== undefined && shown !== undefined) edits.push({ ...shown, text: display })
  if (display !== undefined && link.display === undefined && changesPath) added += `|${display}`
  if (added === '') return edits
  const last = edits.at(-1)
  if (last?.end === pathEnd) last.text += added
  else edits.push({ start: pathEnd, end: pathEnd, text: added })
  return edits
}

function displaySpan({ syntax, display = '', start, end }: LocatedLink, text: string): Span | undefined {
  const at = syntax === 'wiki' ? end - 2 - display.length : text.indexOf('[', start) + 1
  return text.startsWith(display, at) ? { start: at, end: at + display.length } : undefined
}

/** Reads the new text and checks that every link leads to its target. */
function verifyLinks(
  { after, outlines }: RestructureContext,
  source: NotePath,
  text: string,
  expected: readonly (Destination | undefined)[],
  edits: readonly TextEdit[],
): void {
  const found = locateLinks(text, after.reading)
  const wrong = expected.findIndex((destination, at) => {
    const link = found[at]
    if (link === undefined) return true
    if (destination === undefined) return false
    const { path, anchor } = destination
    if (resolveLink(after, source, link.target, formOfSyntax(link)) !== path) return true
    const outline = outlines.get(path)
    if (anchor === undefined || outline === undefined) return false
    const now = findAnchor(outline, link.subpath ?? '', usesSlugs(after.reading, formOfSyntax(link)))
    return now?.kind !== anchor.kind || now.index !== anchor.index
  })
  if (wrong < 0 && found.length === expected.length) return
  const markup = new Set(edits.flatMap((edit) => edit.text.match(/[`$%<>&\\!~*_'"]/g) ?? []))
  const path = expected[wrong]?.path ?? source
  if (markup.size > 0) throw cannotBeLinked(path, [...markup].join(' '))
  throw new Error(`A rewritten link in ${source} does not read back: ${found[wrong]?.raw ?? 'there is one too many'}`)
}

/** True if the headings or blocks of two readings of a note have other names. */
export function hasOtherAnchors(one: Outline, other: Outline): boolean {
  const names = ({ headings, blocks }: Outline) =>
    JSON.stringify([headings.map(({ text }) => text), blocks.map(({ id }) => id)])
  return names(one) !== names(other)
}

/** True if an edit changes the text of a heading. */
export function editsHeading(text: string, edits: readonly TextEdit[]): boolean {
  if (edits.length === 0) return false
  const { headings } = scanNote(text)
  return edits.some((edit) => headings.some(({ start, end }) => start <= edit.start && edit.end <= end))
}
