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
import type { ToolContext } from '../tool-context.js'
import { wantedPath } from './wanted-path.js'

/** The note someone means, as its bytes are now. What is hidden answers like what is not there. */
export async function findNote(wanted: string, { vault, index }: ToolContext): Promise<NoteFile> {
  const path = wantedPath(wanted)
  // The index may be behind, the vault never is.
  const direct = isNote(path) ? await vault.read(path) : undefined
  if (direct !== undefined) return direct
  let near: string | undefined
  try {
    const found = await vault.read((await index.find(wanted)).path)
    if (found !== undefined) return found
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error
    near = error.details.data?.near === undefined ? undefined : error.details.hint
  }
  if (!isNote(path) && (await vault.stat(path)) !== undefined) throw notMarkdown(path)
  throw new Failure('not-found', `Note not found: ${wanted}`, {
    hint: near ?? 'Find its path with search_notes.',
  })
}

/** The same, for a tool that only needs to know where it is. Above the read limit the hash is not known. */
export async function findNoteOfAnySize(
  wanted: string,
  context: ToolContext,
): Promise<Pick<NoteFile, 'path'> & { hash?: string }> {
  try {
    return await findNote(wanted, context)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'too-large') throw error
    return { path: notePath(String(error.details.data?.path)) }
  }
}

/** The same, for a tool that will write new text into it. */
export async function noteToChange(wanted: string, context: ToolContext): Promise<NoteFile> {
  const file = await findNote(wanted, context)
  mustBeUtf8(file)
  return file
}

export const isCanvas = (path: string): boolean => /\.canvas$/i.test(path)

/** A path at which a note or a canvas may be written. */
export function writablePath(wanted: string): NotePath {
  const path = notePath(wanted)
  if (isNote(path) || isCanvas(path)) return path
  const { code, message } = pathFailure(path, 'File must be .md or .canvas')
  const hint = /\.\w+$/.test(path) ? 'Only Markdown notes and canvases can be written.' : `Did you mean ${path}.md?`
  throw new Failure(code, message, { hint })
}

/** A path at which a note may be written: Markdown only. */
export function markdownPath(wanted: string): NotePath {
  const path = notePath(wanted)
  if (!isNote(path)) throw notMarkdown(path)
  return path
}

/** A hidden note gives nothing away: its name cannot be had, as those of hidden places cannot, whatever is there. */
export async function mustBeFree(path: NotePath, { vault }: Pick<ToolContext, 'vault'>): Promise<void> {
  if (await vault.isClosed(path)) throw notWritable(path)
  if ((await vault.stat(path)) === undefined) return
  throw new Failure('conflict', `A file already exists at ${path}. Nothing was written.`, {
    hint: 'Choose another name.',
  })
}

function notMarkdown(path: NotePath): Failure {
  const { code, message } = pathFailure(path, 'File must be .md')
  const hint = /\.\w+$/.test(path) ? 'Only Markdown notes can be written.' : `Did you mean ${path}.md?`
  return new Failure(code, message, { hint })
}
