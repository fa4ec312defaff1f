import { Failure } from '../../errors.js'

/** Arguments beyond this are a mistake or an attack; the longest note one can write is shorter. */
const mostCharacters = 16_000_000
const deepest = 64

/**
 * A copy of a call's arguments as plain JSON: nobody who kept the original can change it later, and it has no
 * getters, cycles or prototypes. Text is taken for JSON that has not been read yet.
 */
export function plainJson(input: unknown): unknown {
  if (input === undefined || input === null || input === '') return {}
  const text = typeof input === 'string' ? input : written(input)
  if (text.length > mostCharacters) {
    throw new Failure('too-large', `input: longer than ${mostCharacters.toLocaleString('en')} characters`)
  }
  if (isTooDeep(text)) throw new Failure('invalid-input', `input: nested deeper than ${deepest} levels`)
  try {
    return JSON.parse(text) ?? {}
  } catch (error) {
    throw new Failure('invalid-input', `input: not valid JSON (${(error as Error).message})`)
  }
}

function written(input: unknown): string {
  try {
    return JSON.stringify(input) ?? ''
  } catch {
    throw new Failure('invalid-input', 'input: cannot be written as JSON')
  }
}

/** Looks before `JSON.parse` builds anything. Brackets inside strings do not count. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === backslash) at++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === openBrace || code === openBracket) {
      if (++depth > deepest) return true
    } else if (code === closeBrace || code === closeBracket) depth--
  }
  return false
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93]
