import { Failure } from '../../errors.js'
import { type ScannedNote, scanNote } from '../../markdown/index.js'
import { type Change, isNote, type LinkSettings, type NoteFile, type NotePath } from '../../vault/index.js'
import { baseName, type FileNames, fileKey, withoutNoteExtension } from './file-names.js'
import { pathBetween } from './link-after-move.js'
import { LayoutMap, type NoteLayout, type Segment } from './note-layout.js'
import { isCanvas, type LinkSource, type MoveImpact, readEach, rememberingUnread } from './plan-move.js'
import {
  cardAfter,
  editsHeading,
  hasOtherAnchors,
  type RestructureContext,
  rewriteRestructured,
} from './restructured-links.js'
import { editCanvas } from './rewrite-canvas.js'
import { encodeDestination, type LocatedLink } from './rewrite-links.js'
import type { Outline } from './subpath.js'

/** Notes whose text is rearranged: merged, split, or with another heading, block id or alias. */
export interface Restructure {
  /** All notes that the change edits or removes, as they are now. */
  files: readonly NoteFile[]
  /** The notes as they shall be. */
  layouts: readonly NoteLayout[]
  /** Notes that are removed, and the note that has their text then. */
  replaced?: ReadonlyMap<NotePath, NotePath>
  /** Links to this note that show one text, and the text that they show then. */
  shown?: { path: NotePath; from: string; to: string }
}

export interface RestructurePlan {
  /** The texts of the layouts, with their links updated. */
  texts: string[]
  /** Edits of all other notes and canvases with links to update. */
  changes: Change[]
  impact: MoveImpact
  /**
   * Headings that links name, and that no link can tell from others then: offsets in the notes as they are now. These
   * links are not updated, so the caller plans again with other heading texts.
   */
  indistinct: { path: NotePath; start: number }[]
}

/** Links in a heading change its text, so links to it change too; few vaults have two of these in a row. */
const mostRounds = 6

/** Plans the links of all notes for notes whose text is rearranged. Nothing is written. */
export async function planRestructure({
  files,
  layouts,
  replaced = new Map(),
  shown,
  ...source
}: Restructure & LinkSource): Promise<RestructurePlan> {
  const { names, signal } = source
  const come = layouts.map(({ path }) => path).filter((path) => !names.has(path))
  const gone = [...replaced.keys()]
  const after = names.changed({ gone, come })
  const settings = source.settings ?? { reading: names.reading }
  const layout = new LayoutMap(layouts.map((each) => withLinks(each, after, settings)))
  const scans = new Map(files.map((file) => [file.path, scanNote(file.text)]))
  for (const { path } of files) requireSameReading(layout, path, scans.get(path))
  const restructured = new Set(files.map(({ path }) => path))
  const outlines = new Map<NotePath, Outline>()
  for (const [at, { path, isApart }] of layouts.entries()) if (!isApart) outlines.set(path, layout.scans[at] as Outline)
  const context: RestructureContext = {
    before: names,
    after,
    settings,
    layout,
    scans,
    outlines,
    replaced,
    shown,
  }

  const unread = new Set<NotePath>()
  const read = rememberingUnread(source.read, unread)
  const cache = new Map<NotePath, NoteFile>()
  for (let round = 1; ; round++) {
    signal?.throwIfAborted()
    const linking = await linkingNotes(context, source, [...come, ...gone])
    const missing = linking.filter((path) => !cache.has(path) && !restructured.has(path) && !unread.has(path))
    await readEach({ signal, read }, missing, (path, file) => file && cache.set(path, file))
    const texts = layouts.map(({ path }, at) => rewriteLayout(context, at, path))
    const others = linking.flatMap((path) => {
      const file = cache.get(path)
      return file === undefined ? [] : [{ file, result: rewriteRestructured(context, path, file.text) }]
    })
    let isStable = true
    const settle = (path: NotePath, outline: Outline) => {
      const known = outlines.get(path)
      if (known !== undefined && !hasOtherAnchors(known, outline)) return
      outlines.set(path, outline)
      isStable = false
    }
    for (const [at, { path, isApart }] of layouts.entries()) if (!isApart) settle(path, scanNote(texts[at]?.text ?? ''))
    for (const { file, result } of others) {
      if (!outlines.has(file.path) && !editsHeading(file.text, result.edits)) continue
      scans.set(file.path, scanNote(file.text))
      settle(file.path, scanNote(result.text))
    }
    if (!isStable && round < mostRounds) continue

    const found = [...texts, ...others.map(({ result }) => result)].flatMap(({ indistinct }) => indistinct)
    if (found.length === 0) for (const { verify } of [...texts, ...others.map(({ result }) => result)]) verify()
    const draft = draftEdits(replaced.size, unread)
    for (const [at, { path }] of layouts.entries()) draft.addLinks(path, texts[at])
    for (const { file, result } of others) draft.addNote(file, result)
    const canvases = [...names.paths()].filter(isCanvas).sort()
    await readEach(
      { signal, read },
      canvases,
      (_, file) => file && draft.addCanvas(file, rewriteCanvasCards(context, file)),
    )
    await draft.addHidden(context, source)
    return {
      texts: texts.map(({ text }) => text),
      changes: draft.changes(),
      impact: draft.impact(),
      indistinct: found.flatMap(({ path, index }) => originOfHeading(context, path, index)),
    }
  }
}

/** Spells the links that a layout asks for. */
function withLinks({ path, segments, ...rest }: NoteLayout, after: FileNames, settings: LinkSettings): NoteLayout {
  return {
    ...rest,
    path,
    segments: segments.map((segment) =>
      segment.linkTo === undefined ? segment : { ...segment, text: newLink(path, segment.linkTo, after, settings) },
    ),
  }
}

function newLink(
  source: NotePath,
  link: NonNullable<Segment['linkTo']>,
  after: FileNames,
  settings: LinkSettings,
): string {
  const { path: target, isEmbed } = link
  const name = withoutNoteExtension(baseName(target))
  const isMarkdown = after.reading === 'markdown' || (settings.useMarkdownLinks === true && !isEmbed)
  const form = isMarkdown ? 'markdown' : 'wiki'
  const ends = { source, newSource: source, target, newTarget: target, written: isMarkdown ? '' : name, form } as const
  const written = pathBetween({ before: after, after, settings }, ends)
  return isMarkdown ? `[${name}](${encodeDestination(written, '', false)})` : `${isEmbed ? '!' : ''}[[${written}]]`
}

function requireSameReading(layout: LayoutMap, path: NotePath, scan: ScannedNote | undefined): void {
  const line = scan && layout.misread(path, scan)
  if (line === undefined) return
  throw new Failure('invalid-input', `Line ${line} of ${path} would be read differently in its new place.`, {
    hint: 'Close an open code block, comment or table around the text first.',
  })
}

/** The notes, besides the restructured ones, with links that the change may affect. */
async function linkingNotes(
  { scans, replaced, shown, before }: RestructureContext,
  { store }: Pick<LinkSource, 'store'>,
  changedNames: readonly NotePath[],
): Promise<NotePath[]> {
  const keys = [...new Set([...changedNames, ...scans.keys()].map(fileKey))]
  const changed = new Set(changedNames.map(fileKey))
  const sources = new Set<NotePath>()
  for (const { source, target, kind, key, subpath } of await store.linksByKey(keys)) {
    if (kind === 'external' || !before.has(source)) continue
    const isWhole = target !== null && (replaced.has(target) || shown?.path === target)
    const isAffected = isWhole || (target !== null && subpath !== undefined && scans.has(target))
    if (changed.has(key) || isAffected) sources.add(source)
  }
  return [...sources].sort()
}

function rewriteLayout(context: RestructureContext, at: number, path: NotePath) {
  const { layout } = context
  const originOf = ({ start }: LocatedLink) => layout.originOf(at, start)?.path
  return rewriteRestructured(context, path, layout.texts[at] ?? '', originOf)
}

function rewriteCanvasCards(context: RestructureContext, { path: canvas, text }: NoteFile) {
  return editCanvas(text, {
    links: (markdown) => rewriteRestructured(context, canvas, markdown).edits,
    file(written, subpath) {
      const path = context.before.exact(written)
      if (path === undefined || !context.scans.has(path)) return {}
      return cardAfter(context, path, subpath)
    },
  })
}

/** The heading of a note now that is at this position in a note after the change. */
function originOfHeading({ layout, outlines }: RestructureContext, path: NotePath, index: number) {
  const at = layout.layouts.findIndex((each) => each.path === path && !each.isApart)
  const start = layout.scans[at]?.headings[index]?.start
  const origin = start === undefined ? undefined : layout.originOf(at, start)
  if (origin === undefined) {
    const name = outlines.get(path)?.headings[index]?.text ?? ''
    throw new Failure('conflict', `Links could not tell the heading “${name}” of ${path} from another one.`, {
      hint: 'Rename one of these headings first.',
    })
  }
  return [{ path: origin.path, start: origin.offset }]
}

type Rewritten = ReturnType<typeof rewriteRestructured>

/** Collects the edits of other notes, and the number of links. */
function draftEdits(removed: number, unread: ReadonlySet<NotePath>) {
  const edits: Change[] = []
  const impact: MoveImpact = {
    files: removed,
    notes: 0,
    links: 0,
    byKind: {},
    captured: 0,
    canvases: [],
    notUtf8: [],
    outOfReach: [],
    unread: [],
  }
  const count = (kind: keyof MoveImpact['byKind'], number = 1) => {
    impact.links += number
    impact.byKind[kind] = (impact.byKind[kind] ?? 0) + number
  }
  const editOf = ({ path, hash }: NoteFile, text: string) => {
    const after = new TextEncoder().encode(text)
    return { kind: 'edit' as const, path, before: hash, after }
  }

  const draft = {
    addLinks(path: NotePath, result: Rewritten | undefined): void {
      if (result === undefined) return
      impact.captured += result.captured
      for (const { line, raw } of result.outOfReach) impact.outOfReach.push({ path, line, raw })
      if (result.kinds.length > 0) impact.notes++
      for (const kind of result.kinds) count(kind)
    },
    addNote(file: NoteFile, result: Rewritten): void {
      if (file.encoding !== 'utf-8') {
        if (result.kinds.length > 0) impact.notUtf8.push(file.path)
        return
      }
      draft.addLinks(file.path, result)
      if (result.edits.length > 0) edits.push(editOf(file, result.text))
    },
    addCanvas(file: NoteFile, { text, count: references }: { text: string; count: number }): void {
      if (references === 0) return
      if (file.encoding !== 'utf-8') return void impact.notUtf8.push(file.path)
      impact.canvases.push({ path: file.path, count: references })
      count('canvas', references)
      edits.push(editOf(file, text))
    },
    /** Links in hidden notes are resolved against all files, hidden or not, as in Obsidian. */
    async addHidden(visible: RestructureContext, { hidden, signal }: LinkSource): Promise<void> {
      if (hidden === undefined) return
      const come = { gone: [], come: hidden.paths }
      const context = { ...visible, before: visible.before.changed(come), after: visible.after.changed(come) }
      const counts = { notes: 0, links: 0, rewritten: hidden.rewrites, namesakes: 0 }
      const read = rememberingUnread(hidden.read, new Set())
      const paths = hidden.paths.filter((path) => isNote(path) || isCanvas(path))
      await readEach({ signal, read }, paths, (path, file) => {
        if (file === undefined) return
        const { text, count: links } = isNote(path) ? countedRewrite(context, file) : rewriteCanvasCards(context, file)
        if (links === 0) return
        counts.notes++
        counts.links += links
        if (hidden.rewrites && file.encoding === 'utf-8')
          edits.push({ ...editOf(file, text), hiddenBefore: file.bytes })
      })
      if (counts.links > 0) impact.hidden = counts
    },
    impact: (): MoveImpact => ({ ...impact, unread: [...unread] }),
    changes: (): Change[] => edits.sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
  return draft
}

function countedRewrite(context: RestructureContext, { path, text }: NoteFile) {
  const result = rewriteRestructured(context, path, text)
  return { text: result.text, count: result.kinds.length }
}
