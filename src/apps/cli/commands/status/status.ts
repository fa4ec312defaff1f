import { Failure } from '../../../../core/errors.js'
import { type Notebook, type NotebookStatus, unsettledSentence } from '../../../../core/notebook/index.js'
import type { FolderNotebook } from '../../../../hosts/node/open-notebook.js'
import type { Invocation } from '../../program/invocation.js'
import { withReadableNotebook } from '../../session/readable-notebook.js'
import { bytes, count, moment } from '../../show/quantities.js'
import { cutPath, visibleLine, wrapToWidth } from '../../terminal/index.js'

export async function status(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withReadableNotebook(invocation, async (notebook) => {
    const state = await notebook.status()
    const { lastChange, damagedRows } = await journalOf(notebook)
    const waiting = await notebook.unsettled().catch(orNone)
    const strayFiles = await notebook.strayFiles().catch(orNone)
    if (terminal.json) {
      const unsettled = waiting.map(({ id, title, state, unsettled }) => ({ id, title, state, ...unsettled }))
      return terminal.printJson({ vault: notebook.root, ...state, lastChange, damagedRows, unsettled, strayFiles })
    }
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
      ...(await embeddingsRow(notebook, state.embeddings)),
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
      terminal.print(`${terminal.style.faint(name.padEnd(12))} ${cutPath(value, terminal.width - 13)}`)
    }
    // Never cut: every note has its name.
    for (const entry of waiting) say('To settle', unsettledSentence(entry))
    for (const path of strayFiles) say('Left over', `${path} (notewright settle)`)
  })
}

async function embeddingsRow(
  { embeddings }: FolderNotebook,
  status: NotebookStatus['embeddings'],
): Promise<[string, string][]> {
  if (embeddings === undefined) return []
  const { model, recipient, trouble } = embeddings
  if (recipient === undefined) return [['Embeddings', visibleLine(`${model}: ${trouble?.message}`)]]
  const consent = await embeddings.consent()
  const { made = 0, passages = 0, withheld = 0 } = status ?? {}
  const words = {
    agreed: `${made} of ${count(passages, 'passage')}${withheld > 0 ? `, ${count(withheld, 'note')} kept from it` : ''}`,
    refused: 'you did not agree to it',
    unasked: 'waits for you (notewright index)',
  }
  return [['Embeddings', visibleLine(`${words[consent]}: ${model} at ${recipient.host}`)]]
}

/** A journal that cannot be read has been told of when the vault was opened. */
function orNone(error: unknown): never[] {
  if (error instanceof Failure) return []
  throw error
}

async function journalOf(notebook: Notebook) {
  const history = await notebook.history().catch(orNone)
  const last = history.find(({ state }) => state !== 'damaged')
  const lastChange = last === undefined ? null : { id: last.id, time: last.time, title: last.title, state: last.state }
  return { lastChange, damagedRows: history.filter(({ state }) => state === 'damaged').length }
}
