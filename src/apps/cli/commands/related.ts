import type { RelatedAnswer } from '../../../core/index/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { namesNote, wholeNumber } from '../program/options.js'
import { withReadableNotebook } from '../session/open-notebook.js'
import type { Style } from '../terminal/terminal.js'
import { visibleLine } from '../terminal/terminal.js'
import { cutPath, cutToWidth } from '../terminal/text-width.js'

export const declareRelated: DeclareCommand = (command, run) => {
  command
    .argument('<note>', namesNote)
    .option('-n, --limit <count>', 'show at most this many notes (default: 10)', wholeNumber(1, 100))
    .option('--include-linked', 'include notes that are already linked')
    .addHelpText('after', examples(['notewright related "Garden plan"'], ['notewright related Tomatoes -n 5 --json']))
    .action((note: string, options) => run((to) => related(to, note, options)))
}

export interface RelatedOptions {
  limit?: number
  includeLinked?: boolean
}

export async function related(invocation: Invocation, note: string, options: RelatedOptions): Promise<void> {
  const { terminal, signal } = invocation
  await withReadableNotebook(invocation, async (notebook) => {
    await notebook.update({ signal })
    const { path } = await notebook.index.find(note)
    const found = await notebook.index.related({ path, ...options })
    if (terminal.json) return terminal.printJson({ path: found.path, notes: found.notes })
    if (found.notes.length > 0) terminal.print(showRelated(found, terminal.style, terminal.width))
    else terminal.say('No related notes.')
  })
}

export function showRelated({ notes }: RelatedAnswer, style: Style, width: number): string {
  const digits = String(notes.length).length
  const indent = ' '.repeat(digits + 2)
  const room = width - indent.length
  return notes
    .map(({ path, title, reasons, isLinked }, at) =>
      [
        `${String(at + 1).padStart(digits)}  ${style.strong(cutToWidth(visibleLine(title), room))}`,
        indent + style.path(cutPath(visibleLine(path), room)),
        ...[...reasons, ...(isLinked ? ['Already linked'] : [])].map(
          (reason) => indent + style.faint(cutToWidth(visibleLine(reason), room)),
        ),
      ].join('\n'),
    )
    .join('\n\n')
}
