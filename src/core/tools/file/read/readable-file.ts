import { Failure } from '../../../errors.js'
import { isNote, type NotePath, notePath } from '../../../vault/index.js'
import { shortText } from '../../answer/index.js'
import type { ToolContext } from '../../tool-context.js'
import { wantedPath } from '../wanted-path.js'

/**
 * The path of the note or canvas someone means. The vault is asked first, since the index may be behind and leaves out
 * what is too large for it; then the index, which knows names.
 */
export async function readableFile(wanted: string, { vault, index }: ToolContext): Promise<NotePath> {
  const path = wantedPath(wanted)
  const there = async (candidate: NotePath) =>
    isReadable(candidate) ? (await vault.readPart(candidate, { from: 0, bytes: 0 }))?.path : undefined
  const exact = (await there(path)) ?? (isReadable(path) ? undefined : await there(notePath(`${path}.md`)))
  if (exact !== undefined) return exact
  let near: string | undefined
  try {
    const found = (await index.find(wanted)).path
    if ((await there(found)) !== undefined) return found
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error
    near = error.details.data?.near === undefined ? undefined : error.details.hint
  }
  if (!isReadable(path) && (await vault.stat(path)) !== undefined) throw notText(path)
  throw new Failure('not-found', `Note not found: ${shortText(wanted)}`, {
    hint: near ?? 'Find its path with search_notes.',
  })
}

const isReadable = (path: string): boolean => isNote(path) || /\.canvas$/i.test(path)

function notText(path: NotePath): Failure {
  return new Failure('invalid-input', `Not a note: ${shortText(path)}`, {
    hint: 'Only .md notes and .canvas files can be read.',
  })
}
