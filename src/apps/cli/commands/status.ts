import { Failure } from '../../../core/errors.js'
import type { Notebook, NotebookStatus } from '../../../core/index/index.js'
import { recoveredSentence, undecidedSentence, wasRecoveredRecently } from '../../../core/index/index.js'
import { bytes, count, localDateTime } from '../../../core/text/index.js'
import type { FolderNotebook } from '../../../hosts/node/open-notebook.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { withReadableNotebook } from '../session/open-notebook.js'
import { visibleLine } from '../terminal/terminal.js'
import { cutPath, wrapToWidth } from '../terminal/text-width.js'

export const declareStatus: DeclareCommand = (command, run) => {
  command
    .addHelpText('after', examples(['notewright status'], ['notewright status --json']))
    .action(() => run((to) => status(to)))
}

export async function status(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withReadableNotebook(invocation, async (notebook) => {
    const state = await notebook.status()
    const { lastChange, damagedRows, recovered } = await journalOf(notebook)
    const waiting = await notebook.undecidedChanges().catch(orNone)
    const strayFiles = await notebook.strayFiles().catch(orNone)
    if (terminal.json) {
      const unsettled = waiting.map(({ id, title, state, unsettled }) => ({ id, title, state, ...unsettled }))
      const mended = recovered.map(({ id, title, recovered }) => ({ id, title, ...recovered }))
      const journal = { lastChange, damagedRows, unsettled, recovered: mended, strayFiles }
      return terminal.printJson({ vault: notebook.root, ...state, ...journal })
    }
    const change = lastChange === null ? 'none' : `${localDateTime(lastChange.time)}  ${visibleLine(lastChange.title)}`
    const lost = state.vectorsLostBy === undefined ? '' : ` (${visibleLine(state.vectorsLostBy)}; notewright index)`
    const rows = [
      ['Vault', visibleLine(notebook.root)],
      ['Notes', `${count(state.notes, 'note')}, ${count(state.chunks, 'passage')}`],
      ['Links', `${count(state.links, 'link')}, ${state.unresolved} broken`],
      [
        'Index',
        `${state.freshness}${lost}, ${bytes(state.indexBytes)}${state.notes === 0 ? ' (build it: notewright index)' : ''}`,
      ],
      ...(state.skipped.length === 0
        ? []
        : [
            [
              'Skipped',
              `${count(state.skipped.length, 'file or folder', 'files and folders')} (list: notewright doctor)`,
            ],
          ]),
      ...(await embeddingsRow(notebook, state.embeddings)),
      ['Index file', visibleLine(state.indexFile)],
      ['Journal', visibleLine(notebook.stateDir)],
      ['Last change', change],
      ...(damagedRows > 0
        ? [['Damaged', `${count(damagedRows, 'row')} of the journal (list: notewright history)`]]
        : []),
    ]
    const say = (name: string, text: string) => {
      const lines = wrapToWidth(visibleLine(text), terminal.width - 13)
      terminal.print(`${terminal.style.warning(name.padEnd(12))} ${lines.join(`\n${' '.repeat(13)}`)}`)
    }
    for (const [name = '', value = ''] of rows) {
      terminal.print(`${terminal.style.faint(name.padEnd(12))} ${cutPath(value, terminal.width - 13)}`)
    }
    // `!`: the list has only recovered changes.
    for (const entry of recovered)
      say('Recovered', `${localDateTime(entry.recovered!.at)}  ${recoveredSentence(entry)}`)
    // Never cut: every note has its name.
    for (const entry of waiting) say('To resolve', undecidedSentence(entry))
    for (const path of strayFiles) say('Leftover', `${path} (notewright recover)`)
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
    agreed: `${made} of ${count(passages, 'passage')}${withheld > 0 ? `, ${count(withheld, 'note')} excluded` : ''}`,
    refused: 'not allowed by you',
    unasked: 'needs your approval (notewright index)',
  }
  return [['Embeddings', visibleLine(`${words[consent]}: ${model} at ${recipient.host}`)]]
}

/** An unreadable journal was reported when the vault was opened. */
function orNone(error: unknown): never[] {
  if (error instanceof Failure) return []
  throw error
}

async function journalOf(notebook: Notebook) {
  const history = await notebook.history().catch(orNone)
  const last = history.find(({ state }) => state !== 'damaged')
  const lastChange = last === undefined ? null : { id: last.id, time: last.time, title: last.title, state: last.state }
  const damagedRows = history.filter(({ state }) => state === 'damaged').length
  return { lastChange, damagedRows, recovered: history.filter(wasRecoveredRecently) }
}
