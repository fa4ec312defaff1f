import { Failure } from '../../../../core/errors.js'
import { unsettledSentence } from '../../../../core/notebook/index.js'
import { type HistoryEntry, notePath, type Settlement, type SettleTarget } from '../../../../core/vault/index.js'
import type { FolderNotebook } from '../../../../hosts/node/open-notebook.js'
import type { ChangeOptions } from '../../program/change-options.js'
import type { Invocation } from '../../program/invocation.js'
import { withNotebook } from '../../session/with-notebook.js'
import { count, moment } from '../../show/quantities.js'
import { changesAsData, diffExcerpt } from '../../show/show-change-set.js'
import { confirm, visibleLine, wrapToWidth } from '../../terminal/index.js'
import { askAboutNotes } from './ask-about-notes.js'

export interface SettleOptions extends ChangeOptions {
  keep?: string[]
  takeBack?: string[]
  finish?: string[]
}

/** Lists what waits for a decision, asks about it where someone can be asked, or does what the options say. */
export async function settle(invocation: Invocation, id: string | undefined, options: SettleOptions): Promise<void> {
  const { terminal } = invocation
  await withNotebook(invocation, async (notebook) => {
    const waiting = (await notebook.unsettled()).filter((entry) => id === undefined || entry.id === id)
    const decisions = decisionsIn(options)
    if (decisions.length > 0) return decide(invocation, notebook, { id, decisions }, options)
    const strays = await notebook.strayFiles({ removes: options.dryRun !== true })
    if (terminal.json) return terminal.printJson({ unsettled: waiting.map(asData), strayFiles: strays })
    list(invocation, waiting, strays)
    if (!terminal.canAsk || options.dryRun) return
    for (const entry of waiting.filter(({ state }) => state === 'undecided')) {
      const answered = await askAboutNotes(invocation, notebook, entry)
      if (answered.length > 0) await apply(invocation, notebook, { id: entry.id, decisions: answered })
    }
  })
}

function decisionsIn({ keep = [], takeBack = [], finish = [] }: SettleOptions): SettleTarget['decisions'] {
  const all = [
    ...keep.map((note) => ({ note, how: 'keep' as Settlement })),
    ...takeBack.map((note) => ({ note, how: 'take-back' as Settlement })),
    ...finish.map((note) => ({ note, how: 'finish' as Settlement })),
  ].map(({ note, how }) => ({ note: notePath(note), how }))
  const twice = all.find(({ note }, at) => all.findIndex((other) => other.note === note) !== at)
  if (twice !== undefined) throw new Failure('invalid-input', `${twice.note} is named twice.`)
  return all
}

function list({ terminal }: Invocation, waiting: HistoryEntry[], strays: string[]): void {
  const { style, width } = terminal
  if (waiting.length === 0 && strays.length === 0) terminal.say('Nothing waits for a decision.')
  for (const entry of waiting) {
    terminal.print(`${style.faint(moment(entry.time))}  ${style.faint(entry.id)}`)
    for (const line of wrapToWidth(visibleLine(unsettledSentence(entry)), width - 2)) terminal.print(`  ${line}`)
  }
  for (const path of strays) terminal.print(`left over: ${visibleLine(path)}`)
  if (strays.length > 0) terminal.say('Nothing else has what is in these files: look at them, then delete them.')
}

async function decide(
  invocation: Invocation,
  notebook: FolderNotebook,
  target: SettleTarget,
  options: SettleOptions,
): Promise<void> {
  const { terminal, signal } = invocation
  const changeSet = await notebook.vault.planSettle(target)
  if (options.dryRun && terminal.json) {
    const changes = await changesAsData(changeSet, notebook, true)
    return terminal.printJson({ id: changeSet.id, title: changeSet.title, applied: false, changes })
  }
  if (!terminal.json) {
    terminal.print(terminal.style.strong(visibleLine(changeSet.title)))
    for (const change of changeSet.changes) {
      if (change.kind === 'move') terminal.print(`  move ${visibleLine(change.path)} to ${visibleLine(change.to)}`)
    }
    const excerpt = await diffExcerpt(changeSet, notebook, terminal)
    if (excerpt !== '') terminal.print(`\n${excerpt}`)
    if (options.dryRun) return terminal.say('Nothing was changed (--dry-run).')
  }
  // What is kept as it is needs no second question.
  if (!options.yes && changeSet.changes.length > 0) {
    await confirm(terminal, { text: 'Settle it so?', needs: 'Changing notes needs your approval.', signal })
  }
  await apply(invocation, notebook, target)
}

async function apply({ terminal, signal }: Invocation, notebook: FolderNotebook, target: SettleTarget): Promise<void> {
  signal.throwIfAborted()
  const changeSet = await notebook.vault.planSettle(target)
  const { appliedAt } = await notebook.apply(changeSet)
  const { id, title } = changeSet
  if (terminal.json) {
    const changes = await changesAsData(changeSet, notebook)
    return terminal.printJson({ id, title, applied: true, appliedAt, changes })
  }
  const undo = changeSet.changes.length === 0 ? '' : ` (take it back: notewright undo ${id})`
  terminal.say(`${count(target.decisions.length, 'note')} settled.${undo}`)
}

function asData({ id, time, title, state, unsettled, changes }: HistoryEntry) {
  const notes = unsettled?.notes ?? changes.map(({ path }) => path)
  return { id, time, title, state, ...(unsettled && { went: unsettled.went }), notes: [...new Set(notes)] }
}
