import { Failure } from '../../../../core/errors.js'
import type { Notebook } from '../../../../core/notebook/index.js'
import type { Invocation } from '../../program/invocation.js'
import { withNotebook } from '../../session/open-vault.js'
import { bytes, count, moment } from '../../show/quantities.js'
import { cutToWidth, visibleLine } from '../../terminal/index.js'

export async function status(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withNotebook(invocation, async (notebook) => {
    const state = await notebook.status()
    const { lastChange, damagedRows } = await journalOf(notebook)
    if (terminal.json) return terminal.printJson({ vault: notebook.root, ...state, lastChange, damagedRows })
    const change = lastChange === null ? 'none known' : `${moment(lastChange.time)}  ${visibleLine(lastChange.title)}`
    const lost = state.vectorsLostBy === undefined ? '' : ` (${visibleLine(state.vectorsLostBy)}; notewright index)`
    const rows = [
      ['Vault', visibleLine(notebook.root)],
      ['Notes', `${count(state.notes, 'note')}, ${count(state.chunks, 'passage')}`],
      ['Links', `${count(state.links, 'link')}, ${count(state.unresolved, 'leads', 'lead')} nowhere`],
      [
        'Index',
        `${state.freshness}${lost}, ${bytes(state.indexBytes)}${state.notes === 0 ? ' (build it: notewright index)' : ''}`,
      ],
      ...(state.skipped.length === 0
        ? []
        : [
            [
              'Left out',
              `${count(state.skipped.length, 'file or folder', 'files and folders')} (named by notewright doctor)`,
            ],
          ]),
      ['Index file', visibleLine(state.indexFile)],
      ['Journal', visibleLine(notebook.stateDir)],
      ['Last change', change],
      ...(damagedRows > 0
        ? [['Damaged', `${count(damagedRows, 'row')} of the journal (notewright history names them)`]]
        : []),
    ]
    for (const [name, value] of rows) {
      terminal.print(`${terminal.style.faint(name.padEnd(12))} ${cutToWidth(value, terminal.width - 13)}`)
    }
  })
}

/** A journal that cannot be read has been told of when the vault was opened. */
async function journalOf(notebook: Notebook) {
  try {
    const history = await notebook.history()
    const last = history.find(({ state }) => state !== 'damaged')
    const lastChange =
      last === undefined ? null : { id: last.id, time: last.time, title: last.title, state: last.state }
    return { lastChange, damagedRows: history.filter(({ state }) => state === 'damaged').length }
  } catch (error) {
    if (error instanceof Failure) return { lastChange: null, damagedRows: 0 }
    throw error
  }
}
