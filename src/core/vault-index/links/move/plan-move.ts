import { Failure, type FailureCode } from '../../../errors.js'
import type { LinkKind } from '../../../markdown/index.js'
import {
  type ChangeSet,
  changeSet,
  isNote,
  type LinkSettings,
  type NoteFile,
  type NotePath,
} from '../../../vault/index.js'
import type { IndexStore } from '../../index-store.js'
import type { FileNames } from '../file-names.js'
import { fileKey, linkKey } from '../link-key.js'
import { draftMove } from './draft-move.js'
import { type HiddenFiles, type HiddenImpact, planHidden } from './hidden-links.js'
import { type Move, movedFiles } from './moved-files.js'
import type { Renaming } from './renaming.js'

export interface MoveRequest {
  from: string
  /** A new path, or a folder to move into: it ends with `/` or exists. */
  to: string
  names: FileNames
  /** As its author did, unless told. */
  settings?: LinkSettings
  store: Pick<IndexStore, 'linksByKey'>
  read: (path: NotePath) => Promise<NoteFile | undefined>
  /** What nobody but the person may know of, to count its links or, when they say so, to write them anew. */
  hidden?: HiddenFiles
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
  /** References in canvases among them. */
  links: number
  byKind: Partial<Record<LinkKind | 'canvas', number>>
  /** Links that led nowhere so far and will lead to a moved file, because its new name is what they ask for. */
  captured: number
  /** Canvases whose references to a moved file are rewritten. */
  canvases: { path: NotePath; count: number }[]
  /** Notes and canvases with links to rewrite that are left alone because they are not valid UTF-8. */
  notUtf8: NotePath[]
  /** Links left as they are because YAML folds or escapes them out of reach: a person must write them anew. */
  outOfReach: { path: NotePath; line: number; raw: string }[]
  /** Notes that may have links to rewrite and could not be read: too large, or the system does not let us. */
  unread: NotePath[]
  /** For the person alone; absent where no hidden note is concerned. */
  hidden?: HiddenImpact
}

/** Reads at once: enough to keep a disk busy. */
const readsAtOnce = 32

/**
 * Plans the move of a note, an attachment or a folder, and of every link it touches. Nothing is written: the change
 * set is the dry run. Besides what moves, only notes that the index names as affected are read, and canvases.
 */
export async function planMove(request: MoveRequest): Promise<MovePlan> {
  const { names, hidden } = request
  const move = movedFiles(names, request.from, request.to)
  const { from, to, files: moved, emptied } = move
  const renaming: Renaming = {
    before: names,
    after: names.changed({ gone: [...moved.keys()], come: [...moved.values()] }),
    moved,
    keys: new Set(keysOf(move)),
    ...(move.isFolder && { folder: { from, to } }),
    hidden: new Set(hidden?.paths),
    settings: request.settings ?? { reading: names.reading },
  }
  const draft = draftMove(renaming)
  const unread = new Set<NotePath>()
  const leaving = (codes?: readonly FailureCode[]) => readIfPossible(request.read, unread, codes)

  await readEach({ ...request, read: leaving(['too-large']) }, [...moved.keys()].filter(isNote), (path, file) => {
    if (unread.has(path)) return draft.leave(path)
    // The index is behind; without the note's hash there is nothing to bind the move to.
    if (file === undefined) throw new Failure('not-found', `Note not found: ${path}`, { hint: 'Update the index.' })
    draft.bind(file)
    draft.rewrite(file)
  })
  const sources = draft.affectedBy(await request.store.linksByKey([...renaming.keys]))
  await readEach({ ...request, read: leaving() }, sources, (path, file) => {
    if (unread.has(path)) draft.leave(path)
    else if (file !== undefined) draft.rewrite(file)
  })
  const canvases = [...names.paths()].filter(isCanvas).sort()
  await readEach({ ...request, read: leaving() }, canvases, (_, file) => {
    if (file !== undefined) draft.rewriteCanvas(file)
  })
  const concealed = hidden && (await planHidden(renaming, hidden, request.signal))

  const impact: MoveImpact = { ...draft.impact, ...(concealed?.impact && { hidden: concealed.impact }) }
  const title = `Move ${from} to ${to}${updates(impact.links)}`
  const more = {
    ...(request.session !== undefined && { session: request.session }),
    ...(emptied.length > 0 && { emptied }),
  }
  return { from, to, changeSet: changeSet(title, [...draft.changes(), ...(concealed?.edits ?? [])], more), impact }
}

export const isCanvas = (path: string): boolean => /\.canvas$/i.test(path)

/** Every link that the move can touch looks for an old or a new name of a moved file, or for a folder that moves. */
function keysOf({ files, emptied }: Move): string[] {
  return [...new Set([...[...files.keys(), ...files.values()].map(fileKey), ...emptied.map(linkKey)])]
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
