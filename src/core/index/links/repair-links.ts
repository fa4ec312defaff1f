import { Failure } from '../../errors.js'
import { scanNote } from '../../markdown/index.js'
import type { Change, LinkSettings, NoteFile, NotePath } from '../../vault/index.js'
import { compareText } from '../note-facts.js'
import { yieldToHost } from '../yield-to-host.js'
import type { FileNames } from './file-names.js'
import { spellTarget, spellWholePath } from './link-after-move.js'
import { formOf, resolveLink } from './resolve-link.js'
import {
  encodeDestination,
  encodeTarget,
  formOfSyntax,
  type LocatedLink,
  locateLinks,
  offsetShift,
  splice,
  type TextEdit,
  unlinkableCharacters,
} from './rewrite-links.js'

/** A change of one link of a note. The link is named by its line and its source text. */
export interface LinkRepair {
  source: NotePath
  line: number
  raw: string
  /** The file it is to lead to. */
  to?: NotePath | undefined
  /** Writes the whole path of `to`, instead of a path in the author's style. */
  isWholePath?: boolean | undefined
  /** The new heading or block, with `#`; '' removes it. */
  subpath?: string | undefined
  /** Shown text for a wikilink that has none. */
  display?: string | undefined
  /** The link becomes its text. */
  unlink?: true | undefined
}

/** Names and settings to write links with. `all` has hidden files too. */
export interface RepairContext {
  names: FileNames
  all: FileNames
  settings: LinkSettings
}

/** A note with some of its links repaired. */
export interface RepairedNote {
  text: string
  /** Each with the new source text of the link. */
  done: { repair: LinkRepair; after: string }[]
  /** Repairs that cannot be made without changing something else, each with the reason. */
  left: { repair: LinkRepair; reason: string; isHidden?: true }[]
}

/**
 * Repairs links of a note. The result is read again: a repair after which any other link, heading, tag, task, block or
 * region would differ is left out.
 */
export function repairLinks(
  context: RepairContext,
  source: NotePath,
  text: string,
  repairs: readonly LinkRepair[],
): RepairedNote {
  const links = locateLinks(text, context.names.reading)
  const planned: PlannedRepair[] = []
  const left: RepairedNote['left'] = []
  for (const repair of repairs) {
    const meant = links.filter((link) => link.line === repair.line && link.raw === repair.raw)
    const made = meant.map((link) => planRepair(context, source, text, link, repair))
    const wrong = made.find((each) => typeof each === 'string')
    if (made.length === 0) left.push({ repair, reason: 'The link is no longer there.' })
    else if (wrong !== undefined)
      left.push({ repair, reason: wrong, ...(wrong === hiddenReason && { isHidden: true }) })
    else planned.push({ repair, edits: made.filter((each) => typeof each !== 'string').flat() })
  }
  const whole = applyRepairs(context, source, text, links, planned)
  if (whole !== undefined) return { text: whole, done: planned.map(doneRepair), left }

  // One of them does not read back: each is added alone.
  const kept: PlannedRepair[] = []
  let result = text
  for (const each of planned) {
    const next = applyRepairs(context, source, text, links, [...kept, each])
    if (next === undefined) left.push({ repair: each.repair, reason: 'The text around it would be read differently.' })
    else {
      kept.push(each)
      result = next
    }
  }
  return { text: result, done: kept.map(doneRepair), left }
}

function doneRepair({ repair, edits }: PlannedRepair): RepairedNote['done'][number] {
  const [link] = edits.map((edit) => edit.link)
  const own = edits.filter((edit) => edit.link === link)
  const start = link?.start ?? 0
  const inside = own.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }))
  return { repair, after: splice(repair.raw, inside) }
}

/** A link as it is to be read after the repair; undefined if it is gone. */
interface ExpectedEdit extends TextEdit {
  link: LocatedLink
  becomes: { target: NotePath | null; subpath: string | undefined } | undefined
}

interface PlannedRepair {
  repair: LinkRepair
  edits: ExpectedEdit[]
}

const hiddenReason = 'This link cannot be changed.'

/** The edits of one link, or the reason why there are none. */
function planRepair(
  context: RepairContext,
  source: NotePath,
  text: string,
  link: LocatedLink,
  repair: LinkRepair,
): ExpectedEdit[] | string {
  const span = link.targetSpan
  const form = formOf(link.raw)
  const target = resolveLink(context.names, source, link.target, form)
  // A link to a hidden file looks unresolved, and is not.
  if (target === null && resolveLink(context.all, source, link.target, form) !== null) return hiddenReason
  if (repair.unlink) return unlinked(text, link)
  if (span === undefined) return 'YAML writes this link in a form that cannot be edited safely.'

  const to = repair.to ?? target
  const edits: TextEdit[] = []
  if (repair.to !== undefined) {
    const wish = { source, written: link.target, form, to: repair.to }
    const { names, settings } = context
    const written = repair.isWholePath ? spellWholePath(names, wish) : spellTarget(names, settings, wish)
    if (written === undefined || unlinkableCharacters(written, link, names.reading).length > 0) {
      return `No link can be written to ${repair.to}.`
    }
    edits.push({ ...span, text: encodeTarget(written, link, span, text) })
  }
  const subpath = repair.subpath ?? link.subpath
  if (repair.subpath !== undefined) {
    const edit = subpathEdit(text, link, span.end, repair.subpath)
    if (edit === undefined) return 'The heading of this link cannot be edited safely.'
    edits.push(edit)
  }
  if (repair.display !== undefined && link.syntax === 'wiki' && link.display === undefined) {
    if (/[[\]|\n\r]/.test(repair.display)) return 'Its text cannot be kept in a link.'
    const at = link.end - 2
    edits.push({ start: at, end: at, text: `${isInTable(text, link) ? '\\' : ''}|${repair.display}` })
  }
  const becomes = { target: to, subpath: subpath === '' ? undefined : subpath }
  return edits.map((edit) => ({ ...edit, link, becomes }))
}

/** The subpath follows the path at once. */
function subpathEdit(text: string, link: LocatedLink, from: number, subpath: string): TextEdit | undefined {
  const old = link.subpath
  if (old === undefined || text[from] !== '#' || link.kind === 'frontmatter') return undefined
  if (link.syntax === 'wiki') {
    // The path may end with blanks, which are not part of its span.
    if (!text.startsWith(old, from)) return undefined
    return { start: from, end: from + old.length, text: subpath }
  }
  const end = endOfDestination(text, from, link.angled ?? false)
  const written = text.slice(from, end)
  const encoded = subpath === '' ? '' : `#${encodeDestination(subpath.slice(1), written, link.angled ?? false)}`
  return { start: from, end, text: encoded }
}

function endOfDestination(text: string, from: number, angled: boolean): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '\\') at++
    else if (angled ? sign === '>' : /\s/.test(sign) || (sign === ')' && depth-- === 0)) return at
    else if (sign === '(') depth++
  }
  return text.length
}

/** The text of a link in its place: what it shows, else what it names. */
function unlinked(text: string, link: LocatedLink): ExpectedEdit[] | string {
  const { start, end, syntax } = link
  const raw = text.slice(start, end)
  const inner = syntax === 'wiki' ? wikiText(raw) : syntax === 'inline' ? inlineText(raw, link) : undefined
  if (inner === undefined) return 'A link of this form cannot be removed safely.'
  const edit: ExpectedEdit = { start, end, text: inner, link, becomes: undefined }
  return [edit]
}

function wikiText(raw: string): string | undefined {
  const [, mark, inner = ''] = /^(!?)\[\[([\s\S]*)\]\]$/.exec(raw) ?? []
  if (mark === undefined) return undefined
  const pipe = inner.indexOf('|')
  // A heading of the note itself would be read as a tag.
  if (pipe < 0) return inner.trim().replace(/^#\^?/, '')
  const [target, display] = [inner.slice(0, pipe).replace(/\\$/, ''), inner.slice(pipe + 1)]
  // The text of an embed may be its size.
  const isSize = mark === '!' && /^\s*\d+(?:x\d+)?\s*$/.test(display)
  return display.trim() === '' || isSize ? target.trim() : display.trim()
}

function inlineText(raw: string, { display = '', target }: LocatedLink): string | undefined {
  if (!/^!?\[/.test(raw)) return undefined
  return display.trim() === '' ? target.slice(target.lastIndexOf('/') + 1) : display
}

const isInTable = (text: string, { inTable, start }: LocatedLink): boolean =>
  inTable === true || /^\s*\|/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))

/** The text after the repairs; undefined if it does not read back as planned. */
function applyRepairs(
  context: RepairContext,
  source: NotePath,
  text: string,
  links: readonly LocatedLink[],
  planned: readonly PlannedRepair[],
): string | undefined {
  const edits = planned.flatMap((each) => each.edits).sort((a, b) => a.start - b.start || a.end - b.end)
  if (edits.some((edit, at) => edit.start < (edits[at - 1]?.end ?? 0))) return undefined
  const repaired = splice(text, edits)
  const byLink = new Map(edits.map((edit) => [edit.link, edit.becomes] as const))
  const expected = links.filter((link) => !byLink.has(link) || byLink.get(link) !== undefined)
  const found = locateLinks(repaired, context.names.reading)
  const shift = offsetShift(edits)
  const areLinksRight =
    found.length === expected.length &&
    expected.every((link, at) => {
      const reread = found[at]
      const becomes = byLink.get(link)
      if (reread === undefined || reread.syntax !== link.syntax || reread.kind !== link.kind) return false
      if (becomes === undefined) {
        return reread.target === link.target && reread.subpath === link.subpath && reread.start === shift(link.start)
      }
      const { target, subpath } = becomes
      const isThere = resolveLink(context.names, source, reread.target, formOfSyntax(reread)) === target
      return isThere && reread.subpath === subpath
    })
  return areLinksRight && shapeOf(repaired) === shapeOf(text) ? repaired : undefined
}

/** Everything in a note that a repair of links must not change. */
function shapeOf(text: string): string {
  const { frontmatter, headings, tags, blocks, tasks, regions, lineStarts } = scanNote(text)
  return JSON.stringify([
    frontmatter && [Object.keys(frontmatter.data ?? {}), frontmatter.errors.length],
    headings.map(({ level, line }) => [level, line]),
    tags.map(({ name, line }) => [name, line]),
    blocks.map(({ id, line }) => [id, line]),
    tasks.map(({ status, line }) => [status, line]),
    regions.map(({ kind }) => kind),
    lineStarts.length,
  ])
}

interface RepairsRequest {
  repairs: readonly LinkRepair[]
  /** New text of notes that the change edits in other ways. Their links are repaired in it. */
  texts: ReadonlyMap<NotePath, string>
  names: FileNames
  settings: LinkSettings
  hidden?: { paths: readonly NotePath[] } | undefined
  read: (path: NotePath) => Promise<NoteFile | undefined>
  signal?: AbortSignal | undefined
}

/** The steps that repair links, with those that cannot be repaired. */
export interface RepairPlan extends Pick<RepairedNote, 'done' | 'left'> {
  changes: Change[]
}

/** Plans repairs of links in many notes. Nothing is written. */
export async function planRepairs(request: RepairsRequest): Promise<RepairPlan> {
  const { repairs, texts, names, settings, hidden, read, signal } = request
  const all = hidden === undefined ? names : names.changed({ gone: [], come: hidden.paths })
  const bySource = new Map<NotePath, LinkRepair[]>([...texts.keys()].map((path) => [path, []]))
  for (const repair of repairs) bySource.set(repair.source, [...(bySource.get(repair.source) ?? []), repair])
  const plan: RepairPlan = { changes: [], done: [], left: [] }
  const pause = yieldToHost()
  for (const [path, own] of [...bySource].sort(([a], [b]) => compareText(a, b))) {
    signal?.throwIfAborted()
    await pause()
    const file = await readOrReason(read, path)
    if (typeof file === 'string' || file.encoding !== 'utf-8') {
      const reason = typeof file === 'string' ? file : 'The note is not valid UTF-8.'
      plan.left.push(...own.map((repair) => ({ repair, reason })))
      continue
    }
    const { text, done, left } = repairLinks({ names, all, settings }, path, texts.get(path) ?? file.text, own)
    plan.done.push(...done)
    plan.left.push(...left)
    if (text === file.text) continue
    plan.changes.push({ kind: 'edit', path: file.path, before: file.hash, after: new TextEncoder().encode(text) })
  }
  return plan
}

async function readOrReason(read: RepairsRequest['read'], path: NotePath): Promise<NoteFile | string> {
  try {
    return (await read(path)) ?? 'The note is no longer there.'
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}
