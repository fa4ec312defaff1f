import { hashBytes } from '../vault/index.js'
import { isOpaque, isSecretName, mask, secretMask } from './secret-text.js'

export interface RedactorOptions {
  /** Keys and tokens that are known: they are masked wherever they stand, also in the middle of a word. */
  secrets?: readonly string[]
  /** Characters of a text that are kept; of a longer one its beginning, its length and its hash. Default 500. */
  maxText?: number
  /** How deep lists and objects are followed. Default 8. */
  maxDepth?: number
  /** Entries of one list or object that are kept. Default 50. */
  maxEntries?: number
  /** Characters of everything together. Default 20,000. */
  maxTotal?: number
  /** SHA-256 as hex, where the host has a faster one. */
  hash?: (bytes: Uint8Array) => string
}

/** Nothing is left out but secrets. */
export const whole = {
  maxText: Number.POSITIVE_INFINITY,
  maxDepth: Number.POSITIVE_INFINITY,
  maxEntries: Number.POSITIVE_INFINITY,
  maxTotal: Number.POSITIVE_INFINITY,
} satisfies RedactorOptions

/** A copy that is safe to keep: plain JSON data, bounded, without secrets. */
export type Redact = (value: unknown) => unknown

/** Makes values fit to be logged. Never throws, calls no getter and no `toJSON`, and says what was left out. */
export function redactor(options: RedactorOptions = {}): Redact {
  const { maxText = 500, maxDepth = 8, maxEntries = 50, maxTotal = 20_000, hash = hashBytes } = options
  const masked = secretMask(options.secrets ?? [])
  // A secret that begins before the cut must be seen whole, or its first half would stay.
  const lookahead = 4096 + Math.max(0, ...(options.secrets ?? []).map(({ length }) => length * 3))

  return (value) => {
    const above = new Set<object>()
    let left = maxTotal

    function text(whole: string): string {
      if (left <= 0) return '[left out: too much to log]'
      const room = Math.min(maxText, left)
      const clean = masked(whole.slice(0, room + lookahead))
      const isCut = whole.length > maxText || clean.length > room
      const kept = isCut ? wholeCharacters(clean.slice(0, room)) : clean
      left -= kept.length
      return isCut ? `${kept}… [${whole.length} characters, sha256 ${hash(new TextEncoder().encode(whole))}]` : kept
    }

    function copy(item: unknown, depth: number): unknown {
      left -= 2
      switch (typeof item) {
        case 'string':
          return text(item)
        case 'number':
          return Number.isFinite(item) ? item : `${item}`
        case 'boolean':
        case 'undefined':
          return item
        case 'bigint':
          return text(`${item}`)
        case 'object':
          return item === null ? null : structure(item, depth)
        default:
          return `[${typeof item}]`
      }
    }

    function structure(item: object, depth: number): unknown {
      if (above.has(item)) return '[circular]'
      if (depth >= maxDepth) return '[left out: too deep]'
      above.add(item)
      try {
        return known(item, depth)
      } catch {
        return '[unreadable]'
      } finally {
        above.delete(item)
      }
    }

    function known(item: object, depth: number): unknown {
      if (Array.isArray(item)) return list(item, item.length, depth)
      if (ArrayBuffer.isView(item)) {
        return `[${item.byteLength} bytes, sha256 ${hash(new Uint8Array(item.buffer, item.byteOffset, item.byteLength))}]`
      }
      if (item instanceof Date) return Number.isNaN(item.getTime()) ? '[no date]' : item.toISOString()
      if (item instanceof Set) return list(firstOf(item), item.size, depth)
      if (item instanceof Map) return entries([...firstOf(item)], item.size, depth)
      if (item instanceof Error) return entries(Object.entries(plainError(item)), 0, depth)
      const names = Object.keys(item)
      return entries(
        names.slice(0, maxEntries).map((name) => [name, ownValue(item, name)]),
        names.length,
        depth,
      )
    }

    function firstOf<T>(items: Iterable<T>): T[] {
      const first: T[] = []
      for (const item of items) {
        if (first.length === maxEntries) break
        first.push(item)
      }
      return first
    }

    function list(items: readonly unknown[], length: number, depth: number): unknown[] {
      const kept: unknown[] = []
      for (let at = 0; at < Math.min(length, maxEntries) && left > 0; at++) {
        const value = ownValue(items, `${at}`)
        kept.push(value === undefined ? null : copy(value, depth + 1))
      }
      if (length > kept.length) kept.push(`[${length - kept.length} more]`)
      return kept
    }

    function entries(pairs: [unknown, unknown][], size: number, depth: number): Record<string, unknown> {
      const kept = new Map<string, unknown>()
      for (const [name, value] of pairs) {
        if (left <= 0) break
        const key = typeof name === 'string' ? name : String(copy(name, maxDepth))
        kept.set(text(key), hidesValue(key, value) ? mask : copy(value, depth + 1))
      }
      if (size > kept.size) kept.set('…', `[${size - kept.size} more]`)
      // Not by assignment: a key may be called __proto__.
      return Object.fromEntries(kept)
    }

    return copy(value, 0)
  }
}

function hidesValue(name: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return false
  return isSecretName(name) || (/key$/i.test(name) && typeof value === 'string' && isOpaque(value))
}

/** The value of a property that is data; a getter is not asked. */
function ownValue(item: object, name: string): unknown {
  const property = Object.getOwnPropertyDescriptor(item, name)
  return property === undefined || 'value' in property ? property?.value : '[getter]'
}

function plainError(error: Error): Record<string, unknown> {
  const read = (name: string) => {
    const value = ownValue(error, name)
    return value === undefined ? {} : { [name]: value }
  }
  return { name: error.constructor.name, ...read('message'), ...read('code'), ...read('cause') }
}

/** Without half of a character at the end. */
function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}
