/** An `@`, or a `/` at the beginning, before the cursor, with the text after it and its position. */
export interface InputMention {
  sign: '@' | '/'
  start: number
  wanted: string
}

/** Undefined where no name is being typed. */
export function findMention(text: string, cursor: number): InputMention | undefined {
  const before = text.slice(0, cursor)
  const command = /^\/(\S{0,64})$/.exec(before)?.[1]
  if (command !== undefined) return { sign: '/', start: 0, wanted: command }
  const [, brackets = '', wanted] = /(?:^|[\s(])@((?:\[\[)?)([^@[\]\n]{0,100})$/.exec(before) ?? []
  if (wanted === undefined) return undefined
  return { sign: '@', start: cursor - wanted.length - brackets.length - 1, wanted }
}

/** The text with the mention replaced, and where the cursor goes. */
export function takeMention(
  text: string,
  cursor: number,
  { start }: Pick<InputMention, 'start'>,
  insert: string,
): { text: string; cursor: number } {
  const words = `${insert} `
  return { text: text.slice(0, start) + words + text.slice(cursor).replace(/^ /, ''), cursor: start + words.length }
}
