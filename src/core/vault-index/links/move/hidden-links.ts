import { Failure } from '../../../errors.js'
import { type Change, isNote, type NoteFile, type NotePath } from '../../../vault/index.js'
import { fileKey } from '../link-key.js'
import type { Renaming } from './renaming.js'
import { rewriteCanvas } from './rewrite-canvas.js'
import { countLinksToRewrite, rewriteLinks } from './rewrite-links.js'

/** What exclusions and `private` keep from sight, for a person who moves what it links to, and for nobody else. */
export interface HiddenFiles {
  paths: readonly NotePath[]
  read: (path: NotePath) => Promise<NoteFile | undefined>
  /** The person lets their links be written anew. */
  rewrites: boolean
}

/** Numbers alone: which notes they are in is nobody's business but the person's. */
export interface HiddenImpact {
  /** Notes and canvases that may not be touched and have links which the move would break, and how many links. */
  notes: number
  links: number
  /** The person has let them be written anew. */
  rewritten: boolean
  /** Those that bear the new name already: a link meant for one of them may find the moved file instead. */
  namesakes: number
}

export interface HiddenPlan {
  /** Absent where no hidden note is concerned. */
  impact?: HiddenImpact
  edits: Change[]
}

/** Links in hidden notes are read as Obsidian reads them: against all files that there are, hidden or not. */
export async function planHidden(
  visible: Renaming,
  { paths, read, rewrites }: HiddenFiles,
  signal: AbortSignal | undefined,
): Promise<HiddenPlan> {
  const hiddenToo = { gone: [], come: paths }
  const renaming: Renaming = {
    ...visible,
    before: visible.before.changed(hiddenToo),
    after: visible.after.changed(hiddenToo),
  }
  const edits: Change[] = []
  const impact: HiddenImpact = { notes: 0, links: 0, rewritten: rewrites, namesakes: namesakes(visible, paths) }
  for (const path of paths) {
    signal?.throwIfAborted()
    if (!isNote(path) && !path.toLowerCase().endsWith('.canvas')) continue
    const file = await readIfPossible(read, path)
    const links = file === undefined ? 0 : concernedLinks(renaming, file)
    if (file === undefined || links === 0) continue
    impact.notes++
    impact.links += links
    if (rewrites && file.encoding === 'utf-8') edits.push(editOf(renaming, file))
  }
  return impact.links + impact.namesakes === 0 ? { edits } : { impact, edits }
}

function concernedLinks(renaming: Renaming, { path, text }: NoteFile): number {
  return isNote(path) ? countLinksToRewrite(renaming, path, text) : rewriteCanvas(renaming, path, text).count
}

function editOf(renaming: Renaming, { path, text, hash, bytes }: NoteFile): Change {
  const rewritten = isNote(path) ? rewriteLinks(renaming, path, text) : rewriteCanvas(renaming, path, text)
  return { kind: 'edit', path, before: hash, after: new TextEncoder().encode(rewritten.text), hiddenBefore: bytes }
}

/** Only a new name counts: one that the file bore before has been shared all along. */
function namesakes({ moved }: Renaming, paths: readonly NotePath[]): number {
  const renamed = [...moved].filter(([from, to]) => fileKey(from) !== fileKey(to))
  const keys = new Set(renamed.map(([, to]) => fileKey(to)))
  return keys.size === 0 ? 0 : paths.filter((path) => keys.has(fileKey(path))).length
}

async function readIfPossible(read: HiddenFiles['read'], path: NotePath): Promise<NoteFile | undefined> {
  try {
    return await read(path)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
