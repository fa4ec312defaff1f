import { Failure, type FailureCode } from '../../errors.js'
import type { LinkKind } from '../../markdown/index.js'
import {
  type Change,
  type ChangeSet,
  type ContentHash,
  changeSet,
  isNote,
  type LinkSettings,
  type NoteFile,
  type NotePath,
} from '../../vault/index.js'
import type { IndexStore, StoredLink } from '../index-store.js'
import { yieldToHost } from '../yield-to-host.js'
import { type FileNames, fileKey, linkKey } from './file-names.js'
import { linkAfterMove, type MoveContext } from './link-after-move.js'
import { type Move, movedFiles } from './moved-files.js'
import { formOf } from './resolve-link.js'
import { rewriteCanvas } from './rewrite-canvas.js'
import { countLinksToRewrite, rewriteLinks } from './rewrite-links.js'

interface MoveRequest extends LinkSource {
  from: string
  /** A new path, or a folder to move into: it ends with `/` or exists. */
  to: string
}

/** Moves of several notes as one change, with other edits of notes in it. */
interface MovesRequest extends LinkSource {
  /** Old path to new path. */
  moves: ReadonlyMap<NotePath, NotePath>
  /** New text of notes that the change edits in other ways, by their current path. Their links are updated in it. */
  texts: ReadonlyMap<NotePath, string>
}

/** Everything that updates links after a move. */
export interface LinkSource {
  names: FileNames
  /** Defaults to the style of each link's author. */
  settings?: LinkSettings
  store: Pick<IndexStore, 'linksByKey'>
  read: (path: NotePath) => Promise<NoteFile | undefined>
  /** Hidden files (excluded or private), to count their links, or rewrite them if the user agrees. */
  hidden?: HiddenFiles | undefined
  session?: string
  signal?: AbortSignal
}

/** A planned move of a note, with every link that it rewrites. */
export interface MovePlan {
  from: string
  to: string
  changeSet: ChangeSet
  impact: MoveImpact
}

/** The effects of a move, shown before approval. */
export interface MoveImpact {
  /** Files that move. */
  files: number
  /** Notes whose links are rewritten, the moved ones among them. */
  notes: number
  /** Rewritten links, including references in canvases. */
  links: number
  byKind: Partial<Record<LinkKind | 'canvas', number>>
  /** Unresolved links that will resolve to a moved file, because its new name matches them. */
  captured: number
  /** Canvases whose references to a moved file are rewritten. */
  canvases: { path: NotePath; count: number }[]
  /** Notes and canvases with links to rewrite that are skipped because they are not valid UTF-8. */
  notUtf8: NotePath[]
  /** Links that cannot be rewritten because YAML folds or escapes them; the user must edit them. */
  outOfReach: { path: NotePath; line: number; raw: string }[]
  /** Notes that may have links to rewrite but could not be read: too large, or no permission. */
  unread: NotePath[]
  /** Shown to the user only; absent if no hidden note is affected. */
  hidden?: HiddenImpact
}

/** Concurrent reads. */
const readsAtOnce = 32

/**
 * Plans the move of a note, an attachment or a folder with all affected links. Nothing is written: the change set is
 * the dry run. Besides the moved files, only notes that the index reports as affected are read, and canvases.
 */
export async function planMove(request: MoveRequest): Promise<MovePlan> {
  const move = movedFiles(request.names, request.from, request.to)
  const { from, to, emptied } = move
  const { changes, impact } = await planLinks(move, request)
  const title = `Move ${from} to ${to}${linkCountPhrase(impact.links)}`
  const more = {
    ...(request.session !== undefined && { session: request.session }),
    ...(emptied.length > 0 && { emptied }),
  }
  return { from, to, changeSet: changeSet(title, changes, more), impact }
}

/** Plans several moves, with all affected links, as the steps of one change. The new paths must be free. */
export function planMoves({ moves, texts, ...source }: MovesRequest): Promise<PlannedLinks> {
  return planLinks({ from: '', to: '', isFolder: false, files: moves, emptied: [] }, source, texts)
}

interface PlannedLinks {
  changes: Change[]
  impact: MoveImpact
}

async function planLinks(
  move: Move,
  request: LinkSource,
  texts: ReadonlyMap<NotePath, string> = new Map(),
): Promise<PlannedLinks> {
  const { names, hidden } = request
  const { from, to, files: moved } = move
  const context: MoveContext = {
    before: names,
    after: names.changed({ gone: [...moved.keys()], come: [...moved.values()] }),
    moved,
    keys: new Set(keysOf(move)),
    ...(move.isFolder && { folder: { from, to } }),
    hidden: new Set(hidden?.paths),
    settings: request.settings ?? { reading: names.reading },
  }
  const draft = draftMove(context, texts)
  const unread = new Set<NotePath>()
  const read = withTexts(request.read, texts)
  const readOrSkip = (codes?: readonly FailureCode[]) => rememberingUnread(read, unread, codes)

  await readEach({ ...request, read: readOrSkip(['too-large']) }, [...moved.keys()].filter(isNote), (path, file) => {
    if (unread.has(path)) return draft.skipUnread(path)
    // The index is outdated; without the note's hash the move cannot be bound to its content.
    if (file === undefined) throw new Failure('not-found', `Note not found: ${path}`, { hint: 'Update the index.' })
    draft.recordHash(file)
    draft.rewrite(file)
  })
  const linking = draft.affectedBy(await request.store.linksByKey([...context.keys]))
  const edited = [...texts.keys()].filter((path) => !moved.has(path))
  const sources = [...new Set([...linking, ...edited])].sort()
  await readEach({ ...request, read: readOrSkip() }, sources, (path, file) => {
    if (unread.has(path)) draft.skipUnread(path)
    else if (file !== undefined) draft.rewrite(file)
  })
  const canvases = [...names.paths()].filter(isCanvas).sort()
  await readEach({ ...request, read: readOrSkip() }, canvases, (_, file) => {
    if (file !== undefined) draft.rewriteCanvas(file)
  })
  const hiddenPlan = hidden && (await planHidden(context, hidden, request.signal))

  const impact: MoveImpact = { ...draft.impact, ...(hiddenPlan?.impact && { hidden: hiddenPlan.impact }) }
  return { changes: [...draft.changes(), ...(hiddenPlan?.edits ?? [])], impact }
}

/** Reads notes with their new text; the hash stays that of their current bytes. */
function withTexts(read: LinkSource['read'], texts: ReadonlyMap<NotePath, string>): LinkSource['read'] {
  if (texts.size === 0) return read
  return async (path) => {
    const file = await read(path)
    const text = texts.get(path)
    return file === undefined || text === undefined ? file : { ...file, text }
  }
}

export const isCanvas = (path: string): boolean => /\.canvas$/i.test(path)

/** Keys of all names that affected links can have: old and new names of moved files, and moved folders. */
function keysOf({ files, emptied }: Move): string[] {
  return [...new Set([...[...files.keys(), ...files.values()].map(fileKey), ...emptied.map(linkKey)])]
}

export async function readEach(
  { read, signal }: { read: LinkSource['read']; signal?: AbortSignal | undefined },
  paths: readonly NotePath[],
  each: (path: NotePath, file: NoteFile | undefined) => void,
): Promise<void> {
  const pause = yieldToHost()
  for (let at = 0; at < paths.length; at += readsAtOnce) {
    signal?.throwIfAborted()
    await pause()
    const group = paths.slice(at, at + readsAtOnce)
    const files = await Promise.all(group.map(read))
    for (const [i, path] of group.entries()) each(path, files[i])
  }
}

/** Unreadable files do not prevent a move; they are recorded in `unread`. */
export function rememberingUnread(
  read: LinkSource['read'],
  unread: Set<NotePath>,
  codes?: readonly FailureCode[],
): LinkSource['read'] {
  return async (path) => {
    try {
      return await read(path)
    } catch (error) {
      if (!(error instanceof Failure) || codes?.includes(error.code) === false) throw error
      unread.add(path)
      return undefined
    }
  }
}

function linkCountPhrase(links: number): string {
  return links === 0 ? '' : ` and update ${links} link${links === 1 ? '' : 's'}`
}

/** Collects changes and impact, file by file. */
function draftMove(context: MoveContext, texts: ReadonlyMap<NotePath, string>) {
  const { before, moved } = context
  const hashes = new Map<NotePath, ContentHash>()
  const edits: (Change & { kind: 'edit' })[] = []
  const impact: MoveImpact = {
    files: moved.size,
    notes: 0,
    links: 0,
    byKind: {},
    captured: 0,
    canvases: [],
    notUtf8: [],
    outOfReach: [],
    unread: [],
  }
  const edit = (path: NotePath, hash: ContentHash, text: string) =>
    edits.push({ kind: 'edit', path, before: hash, after: new TextEncoder().encode(text) })
  const count = (kind: keyof MoveImpact['byKind'], number = 1) => {
    impact.links += number
    impact.byKind[kind] = (impact.byKind[kind] ?? 0) + number
  }

  return {
    impact,

    recordHash({ path, hash }: NoteFile): void {
      hashes.set(path, hash)
    },

    skipUnread(path: NotePath): void {
      impact.unread.push(moved.get(path) ?? path)
    },

    rewrite(file: NoteFile): void {
      const path = moved.get(file.path) ?? file.path
      if (file.encoding !== 'utf-8') {
        if (countLinksToRewrite(context, file.path, file.text) > 0) impact.notUtf8.push(path)
        return
      }
      const { text, kinds, captured, outOfReach } = rewriteLinks(context, file.path, file.text)
      impact.captured += captured
      for (const { line, raw } of outOfReach) impact.outOfReach.push({ path, line, raw })
      if (kinds.length === 0 && !texts.has(file.path)) return
      if (kinds.length > 0) impact.notes++
      for (const kind of kinds) count(kind)
      edit(path, file.hash, text)
    },

    rewriteCanvas(file: NoteFile): void {
      const path = moved.get(file.path) ?? file.path
      const { text, count: references } = rewriteCanvas(context, file.path, file.text)
      if (references === 0) return
      if (file.encoding !== 'utf-8') return void impact.notUtf8.push(path)
      impact.canvases.push({ path, count: references })
      count('canvas', references)
      if (moved.has(file.path)) hashes.set(file.path, file.hash)
      edit(path, file.hash, text)
    },

    /** Notes, other than the moved ones, with a link to rewrite. Links that are only captured are counted. */
    affectedBy(links: readonly StoredLink[]): NotePath[] {
      const sources = new Set<NotePath>()
      const captured = new Map<NotePath, number>()
      for (const { source, written, kind, raw } of links) {
        if (kind === 'external' || moved.has(source) || !before.has(source)) continue
        const after = linkAfterMove(context, source, written, formOf(raw))
        if (after.written !== undefined) sources.add(source)
        if (after.isCaptured) captured.set(source, (captured.get(source) ?? 0) + 1)
      }
      for (const [source, number] of captured) if (!sources.has(source)) impact.captured += number
      return [...sources].sort()
    },

    changes(): Change[] {
      const moves = [...moved].map(([path, to]): Change => {
        const hash = hashes.get(path)
        return hash === undefined ? { kind: 'move', path, to } : { kind: 'move', path, to, before: hash }
      })
      return [...moves, ...edits.sort((a, b) => (a.path < b.path ? -1 : 1))]
    },
  }
}

/** Excluded and private files, for a move requested by the user. */
interface HiddenFiles {
  paths: readonly NotePath[]
  read: (path: NotePath) => Promise<NoteFile | undefined>
  /** The user allows rewriting their links. */
  rewrites: boolean
}

/** Counts only: the names of hidden notes are not disclosed. */
interface HiddenImpact {
  /** Hidden notes and canvases with links that the move would break, and the number of links. */
  notes: number
  links: number
  /** The user has allowed rewriting them. */
  rewritten: boolean
  /** Hidden files that already have the new name: a link meant for one of them may resolve to the moved file. */
  namesakes: number
}

interface HiddenPlan {
  /** Absent if no hidden note is affected. */
  impact?: HiddenImpact
  edits: Change[]
}

/** Links in hidden notes are resolved against all files, hidden or not, as in Obsidian. */
async function planHidden(
  visible: MoveContext,
  { paths, read, rewrites }: HiddenFiles,
  signal: AbortSignal | undefined,
): Promise<HiddenPlan> {
  const hiddenToo = { gone: [], come: paths }
  const context: MoveContext = {
    ...visible,
    before: visible.before.changed(hiddenToo),
    after: visible.after.changed(hiddenToo),
  }
  const edits: Change[] = []
  const impact: HiddenImpact = { notes: 0, links: 0, rewritten: rewrites, namesakes: countNamesakes(visible, paths) }
  for (const path of paths) {
    signal?.throwIfAborted()
    if (!isNote(path) && !path.toLowerCase().endsWith('.canvas')) continue
    const file = await readUnlessFailed(read, path)
    const links = file === undefined ? 0 : countBrokenLinks(context, file)
    if (file === undefined || links === 0) continue
    impact.notes++
    impact.links += links
    if (rewrites && file.encoding === 'utf-8') edits.push(hiddenEdit(context, file))
  }
  return impact.links + impact.namesakes === 0 ? { edits } : { impact, edits }
}

function countBrokenLinks(context: MoveContext, { path, text }: NoteFile): number {
  return isNote(path) ? countLinksToRewrite(context, path, text) : rewriteCanvas(context, path, text).count
}

function hiddenEdit(context: MoveContext, { path, text, hash, bytes }: NoteFile): Change {
  const rewritten = isNote(path) ? rewriteLinks(context, path, text) : rewriteCanvas(context, path, text)
  return { kind: 'edit', path, before: hash, after: new TextEncoder().encode(rewritten.text), hiddenBefore: bytes }
}

/** Only changed names count: an unchanged name was shared before. */
function countNamesakes({ moved }: MoveContext, paths: readonly NotePath[]): number {
  const renamed = [...moved].filter(([from, to]) => fileKey(from) !== fileKey(to))
  const keys = new Set(renamed.map(([, to]) => fileKey(to)))
  return keys.size === 0 ? 0 : paths.filter((path) => keys.has(fileKey(path))).length
}

async function readUnlessFailed(read: HiddenFiles['read'], path: NotePath): Promise<NoteFile | undefined> {
  try {
    return await read(path)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
