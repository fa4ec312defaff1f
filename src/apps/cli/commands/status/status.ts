import { unsettledSentence } from '../../../../core/notebook/index.js'
import type { Invocation } from '../../program/invocation.js'
import { withNotebook } from '../../session/open-vault.js'
import { bytes, count, moment } from '../../show/quantities.js'
import { cutToWidth, visibleLine, wrapToWidth } from '../../terminal/index.js'

export async function status(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withNotebook(invocation, async (notebook) => {
    const state = await notebook.status()
    const history = await notebook.history()
    const last = history.find(({ state }) => state !== 'damaged')
    const damagedRows = history.filter(({ state }) => state === 'damaged').length
    const lastChange =
      last === undefined ? null : { id: last.id, time: last.time, title: last.title, state: last.state }
    const waiting = await notebook.unsettled()
    const strayFiles = await notebook.strayFiles()
    if (terminal.json) {
      const unsettled = waiting.map(({ id, title, state, unsettled }) => ({ id, title, state, ...unsettled }))
      return terminal.printJson({ vault: notebook.root, ...state, lastChange, damagedRows, unsettled, strayFiles })
    }
    const change = lastChange === null ? 'none yet' : `${moment(lastChange.time)}  ${visibleLine(lastChange.title)}`
    const rows = [
      ['Vault', visibleLine(notebook.root)],
      ['Notes', `${count(state.notes, 'note')}, ${count(state.chunks, 'passage')}`],
      ['Links', `${count(state.links, 'link')}, ${count(state.unresolved, 'leads', 'lead')} nowhere`],
      [
        'Index',
        `${state.freshness}, ${bytes(state.indexBytes)}${state.notes === 0 ? ' (build it: notewright index)' : ''}`,
      ],
      ['Index file', visibleLine(state.indexFile)],
      ['Journal', visibleLine(notebook.stateDir)],
      ['Last change', change],
      ...(damagedRows > 0
        ? [['Damaged', `${count(damagedRows, 'row')} of the journal (notewright history names them)`]]
        : []),
    ]
    const say = (name: string, text: string) => {
      const lines = wrapToWidth(visibleLine(text), terminal.width - 13)
      terminal.print(`${terminal.style.warning(name.padEnd(12))} ${lines.join(`\n${' '.repeat(13)}`)}`)
    }
    for (const [name, value] of rows) {
      terminal.print(`${terminal.style.faint(name.padEnd(12))} ${cutToWidth(value, terminal.width - 13)}`)
    }
    // Never cut: every note has its name.
    for (const entry of waiting) say('To settle', unsettledSentence(entry))
    for (const path of strayFiles) say('Left over', `${path} (notewright settle)`)
  })
}
