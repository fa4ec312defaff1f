import { Failure } from '../../../../core/errors.js'
import type { Notebook } from '../../../../core/notebook/index.js'
import type { MovePlan } from '../../../../core/vault-index/index.js'
import type { ChangeOptions } from '../../program/change-options.js'
import type { Invocation } from '../../program/invocation.js'
import { withReadableNotebook } from '../../session/readable-notebook.js'
import { changesAsData, diffExcerpt } from '../../show/show-change-set.js'
import { showImpact } from '../../show/show-impact.js'
import { confirm, type Style, visibleLine } from '../../terminal/index.js'

export async function move(invocation: Invocation, from: string, to: string, options: ChangeOptions): Promise<void> {
  const { terminal, signal } = invocation
  await withReadableNotebook(invocation, async (notebook) => {
    // Links are mended from the index, so it must know every note.
    const bar = terminal.progress()
    await notebook.update({ signal, vectors: false, onProgress: bar.show }).finally(() => bar.clear())
    const plan = await notebook.index.planMove(from, to).catch((error) => withNearNote(error, from, notebook))
    const { changeSet, impact } = plan
    const { id, title } = changeSet
    const head = { id, title, from: plan.from, to: plan.to }

    if (options.dryRun && terminal.json) {
      return terminal.printJson({
        ...head,
        applied: false,
        impact,
        changes: await changesAsData(changeSet, notebook, true),
      })
    }
    if (!terminal.json) {
      terminal.print(showMove(plan, terminal.style))
      const excerpt = await diffExcerpt(changeSet, notebook, terminal)
      if (excerpt !== '') terminal.print(`\n${excerpt}`)
      if (options.dryRun) return terminal.say('Nothing was changed (--dry-run).')
    }
    if (!options.yes) {
      if (terminal.json && terminal.canAsk) terminal.say(showMove(plan, terminal.messageStyle))
      await confirm(terminal, { text: 'Do it?', needs: 'Moving notes needs your approval.', signal })
    }
    signal.throwIfAborted()
    const { appliedAt } = await notebook.apply(changeSet)
    if (terminal.json) {
      return terminal.printJson({
        ...head,
        applied: true,
        appliedAt,
        impact,
        changes: await changesAsData(changeSet, notebook),
      })
    }
    terminal.say(`Done. To take it back: notewright undo ${id}`)
  })
}

export function showMove({ from, to, impact }: MovePlan, style: Style): string {
  const head = `${style.strong('Move')} ${visibleLine(from)} ${style.strong('to')} ${visibleLine(to)}`
  return [head, ...showImpact(impact, style)].join('\n')
}

/** A bare name is not enough to move a note, but it is enough to say which path was probably meant. */
async function withNearNote(error: unknown, from: string, notebook: Notebook): Promise<never> {
  if (!(error instanceof Failure) || error.code !== 'not-found') throw error
  const near = await notebook.index.find(from).catch(() => undefined)
  if (near === undefined) throw error
  throw new Failure('not-found', error.message, { ...error.details, hint: `Did you mean ${near.path}?` })
}
