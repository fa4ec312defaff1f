import { Failure, type FailureCode } from '../../../errors.js'
import type { LinkKind } from '../../../markdown/index.js'
import {
  type Change,
  type ChangeSet,
  type ContentHash,
  changeSet,
  isNote,
  type NoteFile,
  type NotePath,
} from '../../../vault/index.js'
import type { IndexStore, StoredLink } from '../../index-store.js'
import type { FileNames } from '../file-names.js'
import { fileKey } from '../link-key.js'
import { canvasReferences } from './canvas-references.js'
import { movedFiles } from './moved-files.js'
import { hasLinksToRewrite, linkFate, type Renaming, rewriteLinks } from './rewrite-links.js'

export interface MoveRequest {
  from: string
  /** A new path, or a folder to move into: it ends with `/` or exists. */
  to: string
  names: FileNames
  store: Pick<IndexStore, 'linksByKey'>
  read: (path: NotePath) => Promise<NoteFile | undefined>
  session?: string
  signal?: AbortSignal
}

export interface MovePlan {
  from: string
  to: string
  changeSet: ChangeSet
  impact: MoveImpact
}

/** What a person should know before saying yes. */
export interface MoveImpact {
  /** Files that move. */
  files: number
  /** Notes whose links are rewritten, the moved ones among them. */
  notes: number
  links: number
  byKind: Partial<Record<LinkKind, number>>
  /** Links that led nowhere so far and will lead to a moved file, because its new name is what they ask for. */
  captured: number
  /** Canvases that refer to a moved file. They are not rewritten. */
  canvases: { path: NotePath; count: number }[]
  /** Notes with links to rewrite that are left alone because they are not UTF-8. */
  notUtf8: NotePath[]
  /** Links left as they are because YAML folds or escapes them out of reach: a person must write them anew. */
  outOfReach: { path: NotePath; line: number; raw: string }[]
  /** Notes that may have links to rewrite and could not be read: too large, or the system does not let us. */
  unread: NotePath[]
}

/** Reads at once: enough to keep a disk busy. */
const readsAtOnce = 32

/**
 * Plans the move of a note, an attachment or a folder, and of every link it touches. Nothing is written: the change
 * set is the dry run. Besides what moves, only notes that the index names as affected are read.
 */
export async function planMove(request: MoveRequest): Promise<MovePlan> {
  const { names } = request
  const { from, to, files: moved, emptied } = movedFiles(names, request.from, request.to)
  const after = names.changed({ gone: [...moved.keys()], come: [...moved.values()] })
  const draft = draftOf({ before: names, after, moved })
  const unread = new Set<NotePath>()
  const leaving = (codes?: readonly FailureCode[]) => readIfPossible(request.read, unread, codes)

  await readEach({ ...request, read: leaving(['too-large']) }, [...moved.keys()].filter(isNote), (path, file) => {
    if (unread.has(path)) return draft.leave(path)
    // The index is behind; without the note's hash there is nothing to bind the move to.
    if (file === undefined) throw new Failure('not-found', `Note not found: ${path}`, { hint: 'Update the index.' })
    draft.bind(file)
    draft.rewrite(file)
  })
  const sources = draft.affectedBy(await request.store.linksByKey(keysOf(moved)))
  await readEach({ ...request, read: leaving() }, sources, (path, file) => {
    if (unread.has(path)) draft.leave(path)
    else if (file !== undefined) draft.rewrite(file)
  })
  const canvases = [...names.paths()].filter((path) => /\.canvas$/i.test(path)).sort()
  await readEach({ ...request, read: leaving() }, canvases, (_, file) => {
    if (file !== undefined) draft.count(file)
  })

  const { impact, changes } = draft
  const title = `Move ${from} to ${to}${updates(impact.links)}`
  const more = {
    ...(request.session !== undefined && { session: request.session }),
    ...(emptied.length > 0 && { emptied }),
  }
  return { from, to, changeSet: changeSet(title, changes(), more), impact }
}

/** Gathers changes and impact, file by file. */
function draftOf(renaming: Renaming) {
  const { before, moved } = renaming
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

  return {
    impact,

    bind({ path, hash }: NoteFile): void {
      hashes.set(path, hash)
    },

    leave(path: NotePath): void {
      impact.unread.push(moved.get(path) ?? path)
    },

    rewrite(file: NoteFile): void {
      const path = moved.get(file.path) ?? file.path
      if (file.encoding !== 'utf-8') {
        if (hasLinksToRewrite(renaming, file.path, file.text)) impact.notUtf8.push(path)
        return
      }
      const { text, kinds, captured, outOfReach } = rewriteLinks(renaming, file.path, file.text)
      impact.captured += captured
      for (const { line, raw } of outOfReach) impact.outOfReach.push({ path, line, raw })
      if (kinds.length === 0) return
      impact.notes++
      impact.links += kinds.length
      for (const kind of kinds) impact.byKind[kind] = (impact.byKind[kind] ?? 0) + 1
      edits.push({ kind: 'edit', path, before: file.hash, after: new TextEncoder().encode(text) })
    },

    count(canvas: NoteFile): void {
      const count = canvasReferences(before, canvas, moved)
      if (count > 0) impact.canvases.push({ path: moved.get(canvas.path) ?? canvas.path, count })
    },

    /** The notes, other than the moved ones, that have a link to rewrite. Links that are only captured are counted. */
    affectedBy(links: readonly StoredLink[]): NotePath[] {
      const sources = new Set<NotePath>()
      const captured = new Map<NotePath, number>()
      for (const { source, written, kind, raw } of links) {
        if (kind === 'external' || moved.has(source) || !before.has(source)) continue
        const fate = linkFate(renaming, source, written, !/^!?\[\[/.test(raw))
        if (fate.written !== undefined) sources.add(source)
        if (fate.isCaptured) captured.set(source, (captured.get(source) ?? 0) + 1)
      }
      for (const [source, count] of captured) if (!sources.has(source)) impact.captured += count
      return [...sources].sort()
    },

    changes(): Change[] {
      const moves = [...moved].map(([path, to]): Change => {
        const before = hashes.get(path)
        return before === undefined ? { kind: 'move', path, to } : { kind: 'move', path, to, before }
      })
      return [...moves, ...edits.sort((a, b) => (a.path < b.path ? -1 : 1))]
    },
  }
}

/** Every link that the move can touch looks for an old or a new name of a moved file. */
function keysOf(moved: ReadonlyMap<NotePath, NotePath>): string[] {
  return [...new Set([...moved.keys(), ...moved.values()].map(fileKey))]
}

async function readEach(
  { read, signal }: MoveRequest,
  paths: readonly NotePath[],
  each: (path: NotePath, file: NoteFile | undefined) => void,
): Promise<void> {
  for (let at = 0; at < paths.length; at += readsAtOnce) {
    signal?.throwIfAborted()
    const group = paths.slice(at, at + readsAtOnce)
    const files = await Promise.all(group.map(read))
    for (const [i, path] of group.entries()) each(path, files[i])
  }
}

/** A file that is too large or cannot be read is not worth refusing a move for; it is remembered as `unread`. */
function readIfPossible(
  read: MoveRequest['read'],
  unread: Set<NotePath>,
  codes?: readonly FailureCode[],
): MoveRequest['read'] {
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

function updates(links: number): string {
  return links === 0 ? '' : ` and update ${links} link${links === 1 ? '' : 's'}`
}
