const remarks = new WeakMap<object, readonly string[]>()

/**
 * Keeps sentences with an answer whose shape is fixed by contract, for its text to say: a limit was lowered, there
 * is more. They go with the value itself and are not part of its data.
 */
export function remarked<T extends object>(answer: T, ...sentences: (string | undefined)[]): T {
  const said = sentences.filter((sentence) => sentence !== undefined)
  if (said.length > 0) remarks.set(answer, [...remarksOn(answer), ...said])
  return answer
}

function remarksOn(answer: object): readonly string[] {
  return remarks.get(answer) ?? []
}

/** The answer as JSON, as the contracts show it, and below it what is to be said about it. */
export function jsonText(answer: object): string {
  return [JSON.stringify(answer).replace(tagCharacter, asEscapes), ...remarksOn(answer)].join('\n')
}

// File names can hide text too. In JSON an escape is seen, and still means the same name.
const tagCharacter = /[\u{e0000}-\u{e007f}]/gu

function asEscapes(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}\\u${character.charCodeAt(1).toString(16)}`
}
