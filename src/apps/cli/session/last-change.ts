import { Failure } from '../../../core/errors.js'
import type { Notebook } from '../../../core/notebook/index.js'

/** The newest change that still stands. An undo is passed over, so that undoing again goes further back. */
export async function lastChange(notebook: Notebook): Promise<string> {
  const entries = await notebook.history()
  const last = entries.find(
    ({ state, undoes }) => (state === 'applied' || state === 'partly-undone') && undoes.length === 0,
  )
  if (last !== undefined) return last.id
  const why = entries.length === 0 ? 'Notewright has not changed this vault.' : 'every change has been taken back.'
  throw new Failure('not-found', `Nothing to undo: ${why}`)
}
