import type { MovePlan, Notebook } from '../../../core/index/index.js'
import { moveSource, moveTarget } from '../../../core/index/index.js'
import { doTheSame } from '../../../core/vault/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import type { ChangeOptions } from '../program/options.js'
import { changeOptions, nothingChanged } from '../program/options.js'
import { withReadableNotebook } from '../session/open-notebook.js'
import { changesAsData, diffExcerpt, showImpact } from '../show/changes.js'
import type { Style } from '../terminal/terminal.js'
import { confirm, visibleLine } from '../terminal/terminal.js'

export const declareMove: DeclareCommand = (command, run) => {
  changeOptions(
    command
      .argument('<from>', 'path, name or alias of the note, or a folder')
      .argument('<to>', 'new path; Name stays in the folder, /Name goes to the top, Folder/ keeps the name')
      .option('--hidden-links', 'update links in private and excluded notes too'),
  )
    .addHelpText(
      'after',
      examples(
        ['notewright move "Roof repair" Projects/', 'a note by its name, into a folder'],
        ['notewright move Inbox/Plan.md Projects/Plan.md'],
        ['notewright move "Inbox/Old name" "Inbox/New name" --dry-run', 'only show the change'],
        ['notewright move Archive/ Attic/Archive/ --yes --json', 'a whole folder, in a script'],
      ),
    )
    .action((from: string, to: string, options) => run((invocation) => move(invocation, from, to, options)))
}

interface MoveOptions extends ChangeOptions {
  hiddenLinks?: boolean
}

export async function move(invocation: Invocation, from: string, to: string, options: MoveOptions): Promise<void> {
  const { terminal } = invocation
  await withReadableNotebook(invocation, async (notebook) => {
    const plan = await agreedPlan(invocation, notebook, () => planNow(invocation, notebook, from, to, options), options)
    if (plan === undefined) return
    const { changeSet, impact } = plan
    const { appliedAt } = await notebook.apply(changeSet)
    if (terminal.json) {
      const changes = await changesAsData(changeSet, notebook)
      return terminal.printJson({ ...headOf(plan), applied: true, appliedAt, impact, changes })
    }
    terminal.say(`Done. To undo: notewright undo ${changeSet.id}`)
  })
}

/** Shows the plan and asks; undefined for a dry run. Links that came while the question was open are planned and shown too. */
async function agreedPlan(
  { terminal, signal }: Invocation,
  notebook: Notebook,
  planNow: () => Promise<MovePlan>,
  options: MoveOptions,
): Promise<MovePlan | undefined> {
  let plan = await planNow()
  for (;;) {
    const { changeSet, impact } = plan
    if (options.dryRun && terminal.json) {
      const changes = await changesAsData(changeSet, notebook, true)
      terminal.printJson({ ...headOf(plan), applied: false, impact, changes })
      return undefined
    }
    if (!terminal.json) {
      terminal.print(showMove(plan, terminal.style))
      const excerpt = await diffExcerpt(changeSet, notebook, terminal)
      if (excerpt !== '') terminal.print(`\n${excerpt}`)
      if (impact.hidden !== undefined && impact.hidden.links > 0 && !impact.hidden.rewritten) {
        terminal.say('To update links in private and excluded notes too, add --hidden-links.')
      }
      if (options.dryRun) terminal.say(nothingChanged)
      if (options.dryRun) return undefined
    }
    if (!options.yes) {
      if (terminal.json && terminal.canAsk) terminal.say(showMove(plan, terminal.messageStyle))
      await confirm(terminal, { text: 'Apply?', needs: 'Moving notes needs your approval.', signal })
    }
    signal.throwIfAborted()
    if (options.yes) return plan
    const now = await planNow()
    if (doTheSame(now.changeSet, changeSet)) return plan
    terminal.say('The vault has changed in the meantime. The change is now:')
    plan = now
  }
}

async function planNow(
  { terminal, signal }: Invocation,
  notebook: Notebook,
  from: string,
  to: string,
  { hiddenLinks }: MoveOptions,
): Promise<MovePlan> {
  // Links are updated from the index, so it must contain every note.
  const bar = terminal.progress()
  await notebook.update({ signal, vectors: false, onProgress: bar.show }).finally(() => bar.clear())
  const { index } = notebook
  const source = await moveSource(index, from)
  return index.planMove(source, moveTarget(await index.files(), source, to), { touchesHidden: hiddenLinks })
}

const headOf = ({ changeSet: { id, title }, from, to }: MovePlan) => ({ id, title, from, to })

export function showMove({ from, to, impact }: MovePlan, style: Style): string {
  const head = `${style.strong('Move')} ${visibleLine(from)} ${style.strong('to')} ${visibleLine(to)}`
  return [head, ...showImpact(impact, style)].join('\n')
}
