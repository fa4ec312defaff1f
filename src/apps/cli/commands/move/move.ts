import { Failure } from '../../../../core/errors.js'
import type { Notebook } from '../../../../core/notebook/index.js'
import { doTheSame } from '../../../../core/vault/index.js'
import type { MovePlan } from '../../../../core/vault-index/index.js'
import type { ChangeOptions } from '../../program/change-options.js'
import type { Invocation } from '../../program/invocation.js'
import { withReadableNotebook } from '../../session/readable-notebook.js'
import { changesAsData, diffExcerpt } from '../../show/show-change-set.js'
import { showImpact } from '../../show/show-impact.js'
import { confirm, type Style, visibleLine } from '../../terminal/index.js'

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
    terminal.say(`Done. To take it back: notewright undo ${changeSet.id}`)
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
        terminal.say('To mend the links in private and excluded notes too, add --hidden-links.')
      }
      if (options.dryRun) terminal.say('Nothing was changed (--dry-run).')
      if (options.dryRun) return undefined
    }
    if (!options.yes) {
      if (terminal.json && terminal.canAsk) terminal.say(showMove(plan, terminal.messageStyle))
      await confirm(terminal, { text: 'Do it?', needs: 'Moving notes needs your approval.', signal })
    }
    signal.throwIfAborted()
    if (options.yes) return plan
    const now = await planNow()
    if (doTheSame(now.changeSet, changeSet)) return plan
    terminal.say('The vault has changed since you were asked. This is what would be done now:')
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
  // Links are mended from the index, so it must know every note.
  const bar = terminal.progress()
  await notebook.update({ signal, vectors: false, onProgress: bar.show }).finally(() => bar.clear())
  const plan = notebook.index.planMove(from, to, { touchesHidden: hiddenLinks })
  return plan.catch((error) => withNearNote(error, from, notebook))
}

const headOf = ({ changeSet: { id, title }, from, to }: MovePlan) => ({ id, title, from, to })

export function showMove({ from, to, impact }: MovePlan, style: Style): string {
  const head = `${style.strong('Move')} ${visibleLine(from)} ${style.strong('to')} ${visibleLine(to)}`
  return [head, ...showImpact(impact, style)].join('\n')
}

/** A bare name is not enough to move a note, but it is enough to say which path was probably meant. */
async function withNearNote(error: unknown, from: string, notebook: Notebook): Promise<never> {
  if (!(error instanceof Failure) || error.code !== 'not-found') throw error
  const hint = await notebook.index.find(from).then(
    ({ path }) => `Did you mean ${path}?`,
    (missing) => (missing instanceof Failure && missing.details.data?.near ? missing.details.hint : undefined),
  )
  throw hint === undefined ? error : new Failure('not-found', error.message, { hint, data: error.details.data })
}
