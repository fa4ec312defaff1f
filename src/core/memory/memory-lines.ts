import { findFrontmatter } from '../markdown/index.js'
import { isNote, notePath } from '../vault/index.js'

/** Where memories are kept, unless the settings name another note. */
export const defaultMemoryNote = 'Notewright memory.md'

/** Whether memories can be kept there. */
export function canKeepMemories(path: string): boolean {
  try {
    return isNote(notePath(path))
  } catch {
    return false
  }
}

/** A memory is a sentence or two, not a document. */
export const mostCharacters = 1000

/** One thing to remember, as it stands in the memory note. */
export interface Remembered {
  /** Counted from the top of the note, so that it stays the same when more is remembered. */
  number: number
  text: string
  /** Lines of the note, from 0; `to` is the one behind it. */
  from: number
  to: number
}

/** What a person asks to remember, as one line of a list. */
export function memoryLine(text: string): string {
  return `- ${text.replace(/\s+/g, ' ').trim()}`
}

/** Everything the memory note holds: list items with what is indented below them, and lines a person wrote plainly. */
export function rememberedIn(note: string): Remembered[] {
  const lines = note.split('\n')
  const found: Remembered[] = []
  for (let at = firstLine(note); at < lines.length; at++) {
    const text = lines[at].replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/, '').trim()
    if (text === '' || /^\s{0,3}#{1,6}(?:\s|$)/.test(lines[at])) continue
    const last = found.at(-1)
    if (last?.to === at && /^\s/.test(lines[at])) {
      last.text = `${last.text} ${text}`
      last.to = at + 1
    } else found.push({ number: found.length + 1, text, from: at, to: at + 1 })
  }
  return found
}

/** The note without one of its memories; all other bytes stay. */
export function withoutMemory(note: string, { from, to }: Remembered): string {
  const lines = note.split('\n')
  return [...lines.slice(0, from), ...lines.slice(to)].join('\n')
}

function firstLine(note: string): number {
  const frontmatter = findFrontmatter(note)
  return frontmatter === undefined ? 0 : note.slice(0, frontmatter.end).split('\n').length - 1
}
