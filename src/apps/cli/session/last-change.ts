import { Failure } from '../../../core/errors.js'
import type { Notebook } from '../../../core/index/index.js'

/** The newest change in effect. Undos are skipped, so that undoing again goes further back. */
export async function lastChange(notebook: Notebook): Promise<string> {
  const entries = await notebook.history()
  const last = entries.find(
    ({ state, undoes }) => (state === 'applied' || state === 'partly-undone') && undoes.length === 0,
  )
  if (last !== undefined) return last.id
  const why = entries.length === 0 ? 'Notewright has not changed this vault yet.' : 'all changes are already undone.'
  throw new Failure('not-found', `Nothing to undo: ${why}`)
}

/** Enough of an id to name a change: `undo` takes any unique beginning. */
export const shortId = (id: string): string => id.slice(0, 8)

const mostCandidates = 10

/** The change that a user names by its id or the beginning of it. */
export async function changeNamed(notebook: Notebook, wanted: string): Promise<string> {
  const given = wanted.trim().toLowerCase()
  const entries = await notebook.history()
  if (entries.some(({ id }) => id === wanted)) return wanted
  const found = given === '' ? [] : entries.filter(({ id }) => id.toLowerCase().startsWith(given))
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only.id
  if (found.length === 0) {
    throw new Failure('not-found', `No change has the id ${wanted}.`, {
      hint: 'List what can be undone.',
      command: 'notewright history',
    })
  }
  const shown = found.slice(0, mostCandidates).map(({ id, title }) => `${id}  ${title}`)
  const more = found.length > shown.length ? [`and ${found.length - shown.length} more`] : []
  throw new Failure(
    'ambiguous',
    `${found.length} ids of changes begin with ${wanted}:\n${[...shown, ...more].join('\n')}`,
    {
      hint: 'Type more of the id.',
      data: { candidates: found.map(({ id, title }) => ({ id, title })) },
    },
  )
}

/**
 * The note of which changes are requested. A path in the history comes first, since the note may be gone; then a path,
 * a name or an alias as everywhere else.
 */
export async function changedNote(notebook: Notebook, wanted: string | undefined): Promise<string | undefined> {
  if (wanted === undefined) return undefined
  const entries = await notebook.history({ note: wanted })
  if (entries.some(({ state }) => state !== 'damaged')) return wanted
  try {
    return (await notebook.index.find(wanted)).path
  } catch (error) {
    if (error instanceof Failure && error.code === 'not-found') return wanted
    throw error
  }
}
