import type { RelatedAnswer } from '../../../../core/vault-index/index.js'
import type { Invocation } from '../../program/invocation.js'
import { withReadableNotebook } from '../../session/readable-notebook.js'
import { cutPath, cutToWidth, type Style, visibleLine } from '../../terminal/index.js'

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
    else terminal.say('No other note has to do with it.')
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
        ...[...reasons, ...(isLinked ? ['Linked already'] : [])].map(
          (reason) => indent + style.faint(cutToWidth(visibleLine(reason), room)),
        ),
      ].join('\n'),
    )
    .join('\n\n')
}
