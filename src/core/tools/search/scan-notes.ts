import { Failure } from '../../errors.js'
import { yieldToHost } from '../../index/index.js'
import { isNote, type NotePath } from '../../vault/index.js'
import { cutText, shortText } from '../result-format.js'
import type { ReadableVault, ToolContext } from '../tool-context.js'

/** Reading is mostly waiting; more at once would only hold more large notes in memory. */
const readAtOnce = 4

/** A note as a search of all texts sees it. */
export interface ScannedNote {
  path: NotePath
  /** Undefined for a note that is not searched, because it is too large or cannot be read. */
  text?: string
  isTooLarge?: true
}

/** The notes that a tool may read, in the order of the vault. */
export async function notesToScan({ vault, signal }: Pick<ToolContext, 'vault' | 'signal'>): Promise<NotePath[]> {
  return (await vault.files(signal)).map(({ path }) => path).filter(isNote)
}

/** Reads notes one after the other, a few in advance. Its texts are in NFC. */
export async function* scanNotes(
  paths: readonly NotePath[],
  { vault, signal }: Pick<ToolContext, 'vault' | 'signal'>,
): AsyncGenerator<ScannedNote> {
  const pause = yieldToHost()
  for (let at = 0; at < paths.length; at += readAtOnce) {
    signal.throwIfAborted()
    yield* await Promise.all(paths.slice(at, at + readAtOnce).map((path) => readNote(path, vault)))
    await pause()
  }
}

async function readNote(path: NotePath, vault: ReadableVault): Promise<ScannedNote> {
  try {
    const file = await vault.read(path)
    return file === undefined ? { path } : { path, text: toNfc(file.text) }
  } catch (error) {
    if (error instanceof Failure && error.code === 'too-large') return { path, isTooLarge: true }
    // A note that cannot be read does not keep the others from being found.
    return { path }
  }
}

export function tooLongRemark(paths: readonly NotePath[]): string | undefined {
  if (paths.length === 0) return undefined
  const named = paths.slice(0, 5).map((path) => shortText(path))
  const rest = paths.length > named.length ? ` and ${paths.length - named.length} more` : ''
  return `Too large to search: ${named.join(', ')}${rest}. Read them in parts.`
}

interface Matches {
  /** Occurrences that do not overlap. */
  count: number
  /** Offset of the first occurrence, or -1. */
  first: number
}

/** A literal text to find. Not a pattern: no query can be slow. */
interface LiteralMatcher {
  countIn(text: string): Matches
  /** The same for a text of any length, giving others a turn in between. */
  countInLong(text: string, pause: () => Promise<void> | undefined): Promise<Matches>
  /** 100 characters on either side of the first occurrence, else the first 200. `...` marks a cut. */
  previewOf(text: string, first: number): string
}

export function literalMatcher(query: string, { isCaseSensitive = false } = {}): LiteralMatcher {
  const fold = isCaseSensitive ? (text: string) => text : foldLetters
  const wanted = fold(toNfc(query))
  const stride = 1 << 20

  const countFrom = (text: string, base: number, end: number, found: Matches & { next: number }): void => {
    // A match that begins in this stretch may end in the next.
    const stretch = fold(text.slice(base, end + wanted.length - 1))
    let at = stretch.indexOf(wanted, Math.max(0, found.next - base))
    while (at !== -1) {
      if (found.count++ === 0) found.first = base + at
      found.next = base + at + wanted.length
      at = stretch.indexOf(wanted, at + wanted.length)
    }
  }

  return {
    countIn(text) {
      const found = { count: 0, first: -1, next: 0 }
      countFrom(text, 0, text.length, found)
      return found
    },
    async countInLong(text, pause) {
      const found = { count: 0, first: -1, next: 0 }
      for (let base = 0; base < text.length; base += stride) {
        countFrom(text, base, Math.min(base + stride, text.length), found)
        await pause()
      }
      return found
    },
    previewOf(text, first) {
      if (first < 0) return text.length > previewRadius * 2 ? `${cutText(text, previewRadius * 2)}...` : text
      const start = wholeCharacter(text, Math.max(0, first - previewRadius))
      const end = wholeCharacter(text, Math.min(text.length, first + wanted.length + previewRadius))
      return `${start > 0 ? '...' : ''}${text.slice(start, end)}${end < text.length ? '...' : ''}`
    },
  }
}

/** The form in which texts are searched and previewed: é is one character however it was typed. */
export const toNfc = (text: string): string => text.normalize('NFC')

const previewRadius = 100

/** Keeps every character's place: only İ would grow when lower-cased, and Σ depend on its neighbours. */
function foldLetters(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ')
}

function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at
}
