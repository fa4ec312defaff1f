import type { Reader } from '../open-reader.js'

/**
 * Reads a reply that was asked for as JSON and may call nothing: once a JSON value has begun, every character belongs to
 * it, also what looks like a call or a thought inside a string. A reply that begins otherwise is read as any other.
 */
export function jsonAnswer(reader: Reader): Reader {
  let kind: 'json' | 'other' | undefined
  let held = ''
  return {
    push(text) {
      held += text
      const [first] = held.trimStart()
      if (kind === undefined && first !== undefined) kind = /[{["\d-]/.test(first) ? 'json' : 'other'
      if (kind === undefined) return []
      const known = held
      held = ''
      return kind === 'json' ? [{ type: 'text', text: known }] : reader.push(known)
    },
    end() {
      return kind === 'json' ? [] : [...(held === '' ? [] : reader.push(held)), ...reader.end()]
    },
  }
}
