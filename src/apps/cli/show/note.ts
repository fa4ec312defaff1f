import { callForCommand } from '../session/call-tool.js'
import type { OpenedSession } from '../session/open-session.js'
import { type Terminal, terminalText, visibleLine } from '../terminal/terminal.js'

/** One section of a note, or some of its lines. */
export interface PartOfNote {
  heading?: string
  lines?: string
}

/** A note as a user reads it. */
interface NoteText {
  path: string
  /** First and last line; absent in a file that is too large to count them. */
  lines?: [number, number]
  totalLines?: number
  /** Bytes of the whole file. */
  size: number
  notUtf8?: true
  /** Number of invisible characters, which are shown as ⟦U+…⟧. */
  hidden?: number
  text: string
}

/** The output of `read_note`. */
interface ReadPart {
  path: string
  content: string
  lines?: [number, number]
  total_lines?: number
  parts: number
  size: number
  not_utf8?: true
  hidden?: number
}

/** The tool returns a long note in parts; a user gets all of them. */
export async function readWhole(
  opened: Pick<OpenedSession, 'session'>,
  input: PartOfNote & { path: string },
  signal: AbortSignal,
): Promise<NoteText> {
  const readPart = async (part: number) => {
    const call = { name: 'read_note', input: { ...input, part }, needsApproval: 'Reading this note' }
    return (await callForCommand(opened, call, signal)).output as ReadPart
  }
  const first = await readPart(1)
  const parts = [first]
  while (parts.length < first.parts) parts.push(await readPart(parts.length + 1))
  const { path, lines, total_lines: totalLines, size, not_utf8: notUtf8 } = first
  const last = parts.at(-1)?.lines?.[1]
  const hidden = parts.reduce((sum, part) => sum + (part.hidden ?? 0), 0)
  return {
    path,
    ...(lines !== undefined && last !== undefined && { lines: [lines[0], last] }),
    ...(totalLines !== undefined && { totalLines }),
    size,
    ...(notUtf8 && { notUtf8 }),
    ...(hidden > 0 && { hidden }),
    text: parts.map(({ content }) => content).join(''),
  }
}

/** The properties at the top of a note. */
const properties = /^---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/

export async function printNote(text: string, terminal: Terminal): Promise<void> {
  if (!terminal.isScreen || terminal.style.strong('x') === 'x') {
    return terminal.print(terminalText(text.replace(/\r?\n$/, '').replaceAll('\r\n', '\n')))
  }
  const head = properties.exec(text)?.[0] ?? ''
  for (const line of head.split('\n').slice(0, -1)) terminal.print(terminal.style.faint(visibleLine(line)))
  const { markdownStream } = await import('../agent/markdown.js')
  const drawing = markdownStream(terminal)
  const drawn = drawing.push(text.slice(head.length)) + drawing.end()
  terminal.print(drawn.replace(/^\n+/, '').trimEnd())
}
