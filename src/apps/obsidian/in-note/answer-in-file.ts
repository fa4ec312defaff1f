import { Failure } from '../../../core/errors.js'
import type { Notebook } from '../../../core/notebook/index.js'
import { type Change, changeSet, type NoteFile, notePath } from '../../../core/vault/index.js'
import { onlyPlace } from './find-again.js'

const attempts = 3

/**
 * Writes an answer into a note that no editor shows, as a change that can be taken back: in place of as much of it as stands
 * there, or else at the end. False where the note is gone.
 */
export async function answerInFile(
  notebook: Notebook,
  path: string,
  { was, block, session }: { was: string; block: string; session: string },
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const note = await notebook.vault.read(notePath(path))
    if (note === undefined) return false
    const change = changeOf(note, was, block)
    if (change === undefined) return true
    try {
      await notebook.apply(changeSet(`Answer in ${path}`, [change], { session }))
      return true
    } catch (error) {
      // Someone wrote to it since it was read.
      if (!(error instanceof Failure) || error.code !== 'conflict' || attempt === attempts) throw error
    }
  }
}

function changeOf({ path, text, hash, encoding }: NoteFile, was: string, block: string): Change | undefined {
  const at = encoding === 'utf-8' ? onlyPlace(was, text) : undefined
  const encoder = new TextEncoder()
  if (at !== undefined) {
    const after = text.slice(0, at) + block + text.slice(at + was.length)
    return after === text ? undefined : { kind: 'edit', path, before: hash, after: encoder.encode(after) }
  }
  return block === '' ? undefined : { kind: 'append', path, added: encoder.encode(block) }
}
