import { Failure } from '../../../core/errors.js'
import type { NoteLinks } from '../../../core/index/index.js'
import { noteLinks } from '../../../core/index/index.js'
import { count } from '../../../core/text/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { namesNote } from '../program/options.js'
import { withReadableNotebook } from '../session/open-notebook.js'
import type { Style } from '../terminal/terminal.js'
import { visibleLine } from '../terminal/terminal.js'
import { cutPath, padToWidth, textWidth } from '../terminal/text-width.js'

export const declareLinks: DeclareCommand = (command, run) => {
  command
    .argument('[note]', namesNote)
    .option('--unresolved', 'list all broken links of the vault instead')
    .option('--orphans', 'list all notes without incoming links instead')
    .addHelpText('after', examples(['notewright links "Garden plan"'], ['notewright links --unresolved --json']))
    .action((note: string | undefined, options) => run((to) => links(to, note, options)))
}

export interface LinksOptions {
  unresolved?: boolean
  orphans?: boolean
}

export async function links(invocation: Invocation, note: string | undefined, options: LinksOptions): Promise<void> {
  const { terminal, signal } = invocation
  const asked = [note !== undefined, options.unresolved, options.orphans].filter(Boolean).length
  if (asked !== 1) {
    const text = asked === 0 ? 'No note named.' : 'Choose one: a note, --unresolved or --orphans.'
    throw new Failure('invalid-input', text, { hint: 'For example: notewright links "Garden plan"' })
  }
  await withReadableNotebook(invocation, async (notebook) => {
    await notebook.update({ signal, vectors: false })
    if (options.orphans) {
      const orphans = await notebook.index.orphans()
      if (terminal.json) return terminal.printJson({ orphans })
      for (const path of orphans) terminal.print(visibleLine(path))
      if (orphans.length === 0) terminal.say('Every note has an incoming link.')
      return
    }
    if (options.unresolved) {
      const unresolved = await notebook.index.unresolved()
      if (terminal.json) return terminal.printJson({ unresolved })
      terminal.print(
        table(
          unresolved.map(({ source, line, raw }) => [`${source}:${line}`, raw]),
          terminal.width,
        ),
      )
      if (unresolved.length === 0) terminal.say('No broken links.')
      return
    }
    const found = await noteLinks(notebook.index, (await notebook.index.find(note ?? '')).path)
    if (terminal.json) return terminal.printJson(found)
    terminal.print(showLinks(found, terminal.style, terminal.width))
  })
}

export function showLinks({ path, forward, back }: NoteLinks, style: Style, width: number): string {
  const out = forward.map(({ line, raw, target, subpath, kind }) => [
    `${line}`,
    raw,
    kind === 'external' ? 'outside the vault' : target === null ? 'broken' : `→ ${target}${subpath ?? ''}`,
  ])
  const back_ = back.map(({ source, line, raw }) => [`${source}:${line}`, raw])
  const sections = [
    style.strong(cutPath(visibleLine(path), width)),
    `${count(out.length, 'link')} from this note${out.length === 0 ? '' : `\n${table(out, width)}`}`,
    `${count(back_.length, 'link')} to this note${back_.length === 0 ? '' : `\n${table(back_, width)}`}`,
  ]
  return sections.join('\n\n')
}

/** Columns side by side, indented; the last one is not padded. On a screen a path that is too long is cut in its middle. */
function table(rows: string[][], width: number): string {
  const most = Math.max(12, Math.min(48, Math.floor(width / 2) - 2))
  const visible = rows.map((row) => row.map(visibleLine))
  const widths = (visible[0] ?? []).map((_, column) =>
    Math.min(most, Math.max(...visible.map((row) => textWidth(row[column] ?? '')))),
  )
  const line = (row: string[]) => {
    const before = row.slice(0, -1).map((cell, at) => {
      const columnWidth = widths[at] ?? 0
      return padToWidth(Number.isFinite(width) ? cutPath(cell, columnWidth) : cell, columnWidth)
    })
    const room = width - 2 - before.reduce((sum, cell) => sum + textWidth(cell) + 2, 0)
    return `  ${[...before, cutPath(row.at(-1) ?? '', Math.max(12, room))].join('  ')}`
  }
  return visible.map(line).join('\n')
}
