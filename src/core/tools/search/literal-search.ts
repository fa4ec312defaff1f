import { cutText } from '../answer/index.js'

export interface Found {
  /** Occurrences that do not overlap. */
  count: number
  /** Where the first begins, or -1. */
  first: number
}

/** A text to look for, letter by letter, whatever the case. Not a pattern: no query can be costly. */
export interface Needle {
  countIn(text: string): Found
  /** The same for a text of any length, giving others a turn in between. */
  countInLong(text: string, pause: () => Promise<void> | undefined): Promise<Found>
  /** 100 characters either side of the first occurrence, else the first 200. `...` stands where it was cut. */
  previewOf(text: string, first: number): string
}

export function needle(query: string): Needle {
  const wanted = folded(composed(query))
  const stride = 1 << 20

  const countFrom = (text: string, base: number, end: number, found: Found & { next: number }): void => {
    // A match that begins in this stretch may end in the next.
    const stretch = folded(text.slice(base, end + wanted.length - 1))
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
      if (first < 0) return text.length > around * 2 ? `${cutText(text, around * 2)}...` : text
      const start = wholeCharacter(text, Math.max(0, first - around))
      const end = wholeCharacter(text, Math.min(text.length, first + wanted.length + around))
      return `${start > 0 ? '...' : ''}${text.slice(start, end)}${end < text.length ? '...' : ''}`
    },
  }
}

/** The form in which texts are searched and previewed: é is one character however it was typed. */
export const composed = (text: string): string => text.normalize('NFC')

const around = 100

/** Keeps every character's place: only İ would grow when lower-cased, and Σ depend on its neighbours. */
function folded(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ')
}

function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at
}
