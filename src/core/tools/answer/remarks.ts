import * as z from 'zod'

/** The field of an answer for sentences about it: a limit was lowered, there is more. */
export const remarksField = z.array(z.string()).optional()

export function remarks(...sentences: (string | undefined)[]): { remarks?: string[] } {
  const said = sentences.filter((sentence) => sentence !== undefined)
  return said.length === 0 ? {} : { remarks: said }
}

/** What was found as JSON, as the contracts show it, and below it what is to be said about it. */
export function jsonText(found: object, said: readonly string[] = []): string {
  return [JSON.stringify(found).replace(tagCharacter, asEscapes), ...said].join('\n')
}

// File names can hide text too. In JSON an escape is seen, and still means the same name.
const tagCharacter = /[\u{e0000}-\u{e007f}]/gu

function asEscapes(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}\\u${character.charCodeAt(1).toString(16)}`
}
