import { Option } from 'commander'
import { Failure } from '../../../core/errors.js'
import { undecidedSentence } from '../../../core/index/index.js'
import { count, localDateTime } from '../../../core/text/index.js'
import type { HistoryEntry, NotePath, Resolution, ResolutionTarget } from '../../../core/vault/index.js'
import { notePath } from '../../../core/vault/index.js'
import type { FolderNotebook } from '../../../hosts/node/open-notebook.js'
import { askKey, terminalQuestions } from '../approval/questions.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import type { ChangeOptions } from '../program/options.js'
import { changeOptions, nothingChanged, renamedOption } from '../program/options.js'
import { changeNamed, shortId } from '../session/last-change.js'
import { withNotebook } from '../session/open-notebook.js'
import { changesAsData, diffExcerpt } from '../show/changes.js'
import { confirm, visibleLine } from '../terminal/terminal.js'
import { wrapToWidth } from '../terminal/text-width.js'

export const declareRecover: DeclareCommand = (command, run) => {
  command
    .argument('[id]', 'id of the interrupted change, or the start of it; needed only if two changes contain the note')
    .option('--keep <note...>', 'keep these notes as they are now')
  const undo = new Option('--undo <note...>', 'restore these notes as they were before the change')
  renamedOption(command, undo, '--take-back <note...>').option(
    '--finish <note...>',
    'complete the change in these notes',
  )
  changeOptions(command)
    .addHelpText(
      'after',
      examples(['notewright recover'], ['notewright recover --keep Plan.md --finish "Old plan.md"']),
    )
    .action((id: string | undefined, options) => run((to) => recover(to, id, options)))
}

export interface RecoverOptions extends ChangeOptions {
  keep?: string[]
  undo?: string[]
  finish?: string[]
}

/** Lists undecided notes, asks about them if a user is available, or applies the options. */
export async function recover(
  invocation: Invocation,
  named: string | undefined,
  options: RecoverOptions,
): Promise<void> {
  const { terminal } = invocation
  await withNotebook(invocation, async (notebook) => {
    const id = named === undefined ? undefined : await changeNamed(notebook, named)
    const waiting = (await notebook.undecidedChanges()).filter((entry) => id === undefined || entry.id === id)
    const decisions = decisionsIn(options)
    if (decisions.length > 0) return decide(invocation, notebook, { id, decisions }, options)
    const strays = await notebook.strayFiles({ removes: options.dryRun !== true })
    if (terminal.json) return terminal.printJson({ unsettled: waiting.map(asData), strayFiles: strays })
    list(invocation, waiting, strays)
    if (!terminal.canAsk || options.dryRun) return
    for (const entry of waiting.filter(({ state }) => state === 'undecided')) {
      const answered = await askPerNote(invocation, notebook, entry)
      if (answered.length > 0) await apply(invocation, notebook, { id: entry.id, decisions: answered })
    }
  })
}

function decisionsIn({ keep = [], undo = [], finish = [] }: RecoverOptions): ResolutionTarget['decisions'] {
  const all = [
    ...keep.map((note) => ({ note, how: 'keep' as Resolution })),
    ...undo.map((note) => ({ note, how: 'take-back' as Resolution })),
    ...finish.map((note) => ({ note, how: 'finish' as Resolution })),
  ].map(({ note, how }) => ({ note: notePath(note), how }))
  const twice = all.find(({ note }, at) => all.findIndex((other) => other.note === note) !== at)
  if (twice !== undefined)
    throw new Failure('invalid-input', `${twice.note} is named twice. Choose one decision per note.`)
  return all
}

function list({ terminal }: Invocation, waiting: HistoryEntry[], strays: string[]): void {
  const { style, width } = terminal
  if (waiting.length === 0 && strays.length === 0) terminal.say('No interrupted changes.')
  for (const entry of waiting) {
    terminal.print(
      `${style.faint(localDateTime(entry.time))}  ${style.faint(terminal.isScreen ? shortId(entry.id) : entry.id)}`,
    )
    for (const line of wrapToWidth(visibleLine(undecidedSentence(entry)), width - 2)) terminal.print(`  ${line}`)
  }
  for (const path of strays) terminal.print(`leftover file: ${visibleLine(path)}`)
  if (strays.length > 0) terminal.say('The content of these files exists nowhere else. Check them, then delete them.')
}

async function decide(
  invocation: Invocation,
  notebook: FolderNotebook,
  target: ResolutionTarget,
  options: RecoverOptions,
): Promise<void> {
  const { terminal, signal } = invocation
  const changeSet = await notebook.vault.planResolution(target)
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
    if (options.dryRun) return terminal.say(nothingChanged)
  }
  // Keeping a note unchanged needs no confirmation.
  if (!options.yes && changeSet.changes.length > 0) {
    await confirm(terminal, { text: 'Apply?', needs: 'Changing notes needs your approval.', signal })
  }
  await apply(invocation, notebook, target)
}

async function apply(
  { terminal, signal }: Invocation,
  notebook: FolderNotebook,
  target: ResolutionTarget,
): Promise<void> {
  signal.throwIfAborted()
  const changeSet = await notebook.vault.planResolution(target)
  const { appliedAt } = await notebook.apply(changeSet)
  const { id, title } = changeSet
  if (terminal.json) {
    const changes = await changesAsData(changeSet, notebook)
    return terminal.printJson({ id, title, applied: true, appliedAt, changes })
  }
  const undo = changeSet.changes.length === 0 ? '' : ` To undo: notewright undo ${id}`
  terminal.say(`Resolved ${count(target.decisions.length, 'note')}.${undo}`)
}

function asData({ id, time, title, state, unsettled, changes }: HistoryEntry) {
  const notes = unsettled?.notes ?? changes.map(({ path }) => path)
  return { id, time, title, state, ...(unsettled && { went: unsettled.went }), notes: [...new Set(notes)] }
}

const answers: Record<string, Resolution> = { k: 'keep', u: 'take-back', f: 'finish' }

/** Shows what each decision would do to a note and asks for one per note. Quitting ends the questions. */
export async function askPerNote(
  { terminal, signal }: Invocation,
  notebook: FolderNotebook,
  { id, unsettled }: HistoryEntry,
): Promise<ResolutionTarget['decisions']> {
  const conversation = terminalQuestions(terminal)
  const decisions: ResolutionTarget['decisions'] = []
  for (const note of unsettled?.notes ?? []) {
    terminal.say(`\n${terminal.messageStyle.strong(visibleLine(note))}`)
    for (const how of ['take-back', 'finish'] as const) {
      terminal.say(how === 'take-back' ? 'Undo would change:' : 'Finish would change:')
      terminal.say(await effectOf(notebook, { id, decisions: [{ note, how }] }, terminal))
    }
    const answer = await askKey(
      conversation,
      '[k]eep as it is, [u]ndo, [f]inish, or Enter to decide later: ',
      'kuf',
      signal,
    )
    if (answer === undefined) break
    const how = answers[answer.trim().toLowerCase().slice(0, 1)]
    if (how !== undefined) decisions.push({ note: note as NotePath, how })
  }
  return decisions
}

async function effectOf(
  notebook: FolderNotebook,
  target: ResolutionTarget,
  terminal: Invocation['terminal'],
): Promise<string> {
  try {
    const changeSet = await notebook.vault.planResolution(target)
    const moves = changeSet.changes.flatMap((change) =>
      change.kind === 'move' ? [`move ${visibleLine(change.path)} to ${visibleLine(change.to)}`] : [],
    )
    const style = terminal.messageStyle
    const text = [...moves, await diffExcerpt(changeSet, notebook, { style, width: terminal.messageWidth })]
      .join('\n')
      .trim()
    return text === '' ? 'nothing' : text
  } catch (error) {
    if (error instanceof Failure) return `Not possible: ${visibleLine(error.message)}`
    throw error
  }
}
