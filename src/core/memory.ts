import { Failure, type FailureDetails } from './errors.js'
import { findFrontmatter } from './markdown/index.js'
import { estimateTokens } from './text/index.js'
import { type ChangeSet, changeSet, isNote, mustBeUtf8, notePath, type Vault } from './vault/index.js'

/** The default for the note that keeps memories. */
export const defaultMemoryNote = 'Notewright memory.md'

/** True if memories can be kept at this path. */
export function canKeepMemories(path: string): boolean {
  try {
    return isNote(notePath(path))
  } catch {
    // `notePath` refuses the path.
    return false
  }
}

/** Maximum length of a memory. */
export const maxMemoryLength = 1000

/** One memory in the memory note. */
export interface MemoryEntry {
  /** Counted from the top of the note, so that it does not change when memories are added. */
  number: number
  text: string
  /** Lines of the note, from 0; `to` is exclusive. */
  from: number
  to: number
}

/** A memory as one line of a list. */
export function memoryLine(text: string): string {
  return `- ${text.replace(/\s+/g, ' ').trim()}`
}

/** All memories in the note: list items with the lines indented below them, and plain lines. */
export function parseMemories(note: string): MemoryEntry[] {
  const lines = note.split('\n')
  const found: MemoryEntry[] = []
  const start = firstBodyLine(note)
  for (const [at, line] of lines.entries()) {
    if (at < start) continue
    const text = line.replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/, '').trim()
    if (text === '' || /^\s{0,3}#{1,6}(?:\s|$)/.test(line)) continue
    const last = found.at(-1)
    if (last?.to === at && /^\s/.test(line)) {
      last.text = `${last.text} ${text}`
      last.to = at + 1
    } else found.push({ number: found.length + 1, text, from: at, to: at + 1 })
  }
  return found
}

/** The note without one of its memories; everything else stays unchanged. */
export function withoutMemory(note: string, { from, to }: MemoryEntry): string {
  const lines = note.split('\n')
  return [...lines.slice(0, from), ...lines.slice(to)].join('\n')
}

function firstBodyLine(note: string): number {
  const frontmatter = findFrontmatter(note)
  return frontmatter === undefined ? 0 : note.slice(0, frontmatter.end).split('\n').length - 1
}

/** The newest memories that fit into `tokens`, newest first. */
export function newestMemories(memories: readonly MemoryEntry[], tokens: number): MemoryEntry[] {
  const kept: MemoryEntry[] = []
  let left = tokens
  for (const memory of [...memories].reverse()) {
    left -= estimateTokens(`- ${memory.text}\n`)
    if (left < 0) return kept
    kept.push(memory)
  }
  return kept
}

type NoteReader = Pick<Vault, 'read'>

/** A memory with its line in the note, for lists. */
export interface ListedMemory {
  number: number
  text: string
  line: number
}

/** All memories of the note, newest first. */
export async function listMemories(vault: NoteReader, note: string): Promise<ListedMemory[]> {
  const file = await vault.read(notePath(note))
  return parseMemories(file?.text ?? '')
    .map(({ number, text, from }) => ({ number, text, line: from + 1 }))
    .reverse()
}

/** Plans the change that removes a memory. Nothing is written. */
export async function planForget(
  vault: NoteReader,
  note: string,
  number: number,
): Promise<{ changes: ChangeSet; forgotten: string }> {
  const file = await vault.read(notePath(note))
  const memories = parseMemories(file?.text ?? '')
  const memory = memories.find((each) => each.number === number)
  if (file === undefined || memory === undefined) throw noSuchMemory(number, memories.length)
  mustBeUtf8(file)
  const after = new TextEncoder().encode(withoutMemory(file.text, memory))
  const changes = changeSet(`Forget "${memory.text}"`, [{ kind: 'edit', path: file.path, before: file.hash, after }])
  return { changes, forgotten: memory.text }
}

function noSuchMemory(number: number, count: number): Failure {
  const advice: FailureDetails =
    count === 0 ? { hint: 'Memory is empty.' } : { hint: `Choose 1 to ${count}.`, command: 'notewright memory list' }
  return new Failure('not-found', `Memory ${number} does not exist.`, advice)
}
