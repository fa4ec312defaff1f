import { Failure } from '../../errors.js'
import {
  isNote,
  mustBeUtf8,
  type NoteFile,
  type NotePath,
  notePath,
  notWritable,
  pathFailure,
} from '../../vault/index.js'
import { shortText } from '../result-format.js'
import type { ToolContext } from '../tool-context.js'

export const isCanvas = (path: string): boolean => /\.canvas$/i.test(path)

export const isBase = (path: string): boolean => /\.base$/i.test(path)

/** The path of the note, canvas or base that a tool shall read. */
export function findReadableFile(wanted: string, context: ToolContext): Promise<NotePath> {
  return findPath(wanted, context, {
    accepts: (path) => isNote(path) || isCanvas(path) || isBase(path),
    refusal: (path) =>
      new Failure('invalid-input', `Not a note: ${shortText(path)}`, {
        hint: 'Only .md notes, .canvas and .base files can be read.',
      }),
  })
}

/** The path of the base, or of the note with a base in it, that a tool shall query. */
export function findNoteOrBase(wanted: string, context: ToolContext): Promise<NotePath> {
  return findPath(wanted, context, {
    accepts: (path) => isNote(path) || isBase(path),
    refusal: (path) =>
      new Failure('invalid-input', `Not a base: ${shortText(path)}`, {
        hint: 'Only .base files and notes with a base code block can be queried.',
      }),
  })
}

/** The note that a tool shall change in any way. Above the read limit its hash is unknown. */
export async function findNoteOfAnySize(
  wanted: string,
  context: ToolContext,
): Promise<Pick<NoteFile, 'path'> & { hash?: string }> {
  const path = await findPath(wanted, context, { accepts: isNote, refusal: notMarkdown })
  try {
    return (await context.vault.read(path)) ?? { path }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'too-large') throw error
    return { path }
  }
}

/** The note that a name or path refers to, with its current bytes. */
export async function findNote(wanted: string, context: ToolContext): Promise<NoteFile> {
  const path = await findPath(wanted, context, { accepts: isNote, refusal: notMarkdown })
  const file = await context.vault.read(path)
  if (file === undefined) throw notFound(wanted)
  return file
}

/** The note that a tool shall write new text into. */
export async function findNoteToEdit(wanted: string, context: ToolContext): Promise<NoteFile> {
  const file = await findNote(wanted, context)
  mustBeUtf8(file)
  return file
}

/** Refuses a path at which no Markdown note can be. */
function notMarkdown(path: NotePath): Failure {
  const { code, message } = pathFailure(path, 'File must be .md')
  const hint = /\.\w+$/.test(path) ? 'Only Markdown notes can be written.' : `Did you mean ${path}.md?`
  return new Failure(code, message, { hint })
}

interface WantedKind {
  accepts: (path: string) => boolean
  /** For a file that is there and of another kind. */
  refusal: (path: NotePath) => Failure
}

/**
 * Finds a file by a path, a path without `.md`, a name or an alias. The vault is checked first, since the index may be
 * outdated and omits files that are too large. Hidden notes behave like missing ones.
 */
async function findPath(
  wanted: string,
  { vault, index }: ToolContext,
  { accepts, refusal }: WantedKind,
): Promise<NotePath> {
  // A path of only blanks is refused: folded for comparison it would be empty.
  const path = notePath(wanted.trim() === '' ? '' : wanted)
  const there = async (candidate: NotePath) =>
    accepts(candidate) ? (await vault.readPart(candidate, { from: 0, bytes: 0 }))?.path : undefined
  const exact = (await there(path)) ?? (accepts(path) ? undefined : await there(notePath(`${path}.md`)))
  if (exact !== undefined) return exact
  let near: string | undefined
  try {
    const found = (await index.find(wanted)).path
    if ((await there(found)) !== undefined) return found
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error
    near = error.details.data?.near === undefined ? undefined : error.details.hint
  }
  if (!accepts(path) && (await vault.stat(path)) !== undefined) throw refusal(path)
  throw notFound(wanted, near)
}

function notFound(wanted: string, hint?: string): Failure {
  const details =
    hint === undefined ? { modelHint: 'Find its path with search_notes.', tools: ['search_notes'] } : { hint }
  return new Failure('not-found', `Note not found: ${shortText(wanted)}`, details)
}

/** A path at which a note, a canvas or a base may be written. */
export function writablePath(wanted: string): NotePath {
  const path = notePath(wanted)
  if (isNote(path) || isCanvas(path) || isBase(path)) return path
  const { code, message } = pathFailure(path, 'File must be .md, .canvas or .base')
  const hint = /\.\w+$/.test(path)
    ? 'Only Markdown notes, canvases and bases can be written.'
    : `Did you mean ${path}.md?`
  throw new Failure(code, message, { hint })
}

/** A path at which a note may be written: Markdown only. */
export function writableNotePath(wanted: string): NotePath {
  const path = notePath(wanted)
  if (!isNote(path)) throw notMarkdown(path)
  return path
}

/** Reveals nothing about hidden notes: their names are refused like every name in a hidden place. */
export async function requireFreePath(path: NotePath, { vault }: Pick<ToolContext, 'vault'>): Promise<void> {
  if (await vault.isClosed(path)) throw notWritable(path)
  if ((await vault.stat(path)) === undefined) return
  throw new Failure('conflict', `A file already exists at ${path}. Nothing was written.`, {
    hint: 'Choose another name.',
  })
}
