import { Failure } from '../../../../core/errors.js'
import { type NoteLinks, noteLinks } from '../../../../core/vault-index/index.js'
import type { Invocation } from '../../program/invocation.js'
import { withReadableNotebook } from '../../session/readable-notebook.js'
import { count } from '../../show/quantities.js'
import { cutPath, padToWidth, type Style, textWidth, visibleLine } from '../../terminal/index.js'

export interface LinksOptions {
  unresolved?: boolean
  orphans?: boolean
}

export async function links(invocation: Invocation, note: string | undefined, options: LinksOptions): Promise<void> {
  const { terminal, signal } = invocation
  const asked = [note !== undefined, options.unresolved, options.orphans].filter(Boolean).length
  if (asked !== 1) {
    const text = asked === 0 ? 'Links of which note?' : 'Choose one: a note, --unresolved or --orphans.'
    throw new Failure('invalid-input', text, { hint: 'notewright links "Note name"' })
  }
  await withReadableNotebook(invocation, async (notebook) => {
    await notebook.update({ signal, vectors: false })
    if (options.orphans) {
      const orphans = await notebook.index.orphans()
      if (terminal.json) return terminal.printJson({ orphans })
      for (const path of orphans) terminal.print(visibleLine(path))
      if (orphans.length === 0) terminal.say('Every note has a link to it.')
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
      if (unresolved.length === 0) terminal.say('Every link leads somewhere.')
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
    kind === 'external' ? 'outside the vault' : target === null ? 'leads nowhere' : `→ ${target}${subpath ?? ''}`,
  ])
  const back_ = back.map(({ source, line, raw }) => [`${source}:${line}`, raw])
  const sections = [
    style.strong(cutPath(visibleLine(path), width)),
    `${count(out.length, 'link')} from here${out.length === 0 ? '' : `\n${table(out, width)}`}`,
    `${count(back_.length, 'link')} to here${back_.length === 0 ? '' : `\n${table(back_, width)}`}`,
  ]
  return sections.join('\n\n')
}

/** Columns side by side, indented; the last one is not padded. On a screen a path that is too long is cut in its middle. */
function table(rows: string[][], width: number): string {
  const most = Math.max(12, Math.min(48, Math.floor(width / 2) - 2))
  const visible = rows.map((row) => row.map(visibleLine))
  const widths = (visible[0] ?? []).map((_, column) =>
    Math.min(most, Math.max(...visible.map((row) => textWidth(row[column])))),
  )
  const line = (row: string[]) => {
    const before = row.slice(0, -1).map((cell, at) => {
      return padToWidth(Number.isFinite(width) ? cutPath(cell, widths[at]) : cell, widths[at])
    })
    const room = width - 2 - before.reduce((sum, cell) => sum + textWidth(cell) + 2, 0)
    return `  ${[...before, cutPath(row[row.length - 1], Math.max(12, room))].join('  ')}`
  }
  return visible.map(line).join('\n')
}
