/** What stands behind an `@`, or behind a `/` at the beginning, before the cursor; and where it begins. */
export interface Mention {
  sign: '@' | '/'
  start: number
  wanted: string
}

/** Undefined where no name is being typed. */
export function findMention(text: string, cursor: number): Mention | undefined {
  const before = text.slice(0, cursor)
  const command = /^\/(\S{0,64})$/.exec(before)
  if (command !== null) return { sign: '/', start: 0, wanted: command[1] }
  const found = /(?:^|[\s(])@((?:\[\[)?)([^@[\]\n]{0,100})$/.exec(before)
  if (found === null) return undefined
  return { sign: '@', start: cursor - found[2].length - found[1].length - 1, wanted: found[2] }
}

/** The text with the mention replaced, and where the cursor goes. */
export function takeMention(
  text: string,
  cursor: number,
  { start }: Pick<Mention, 'start'>,
  insert: string,
): { text: string; cursor: number } {
  const words = `${insert} `
  return { text: text.slice(0, start) + words + text.slice(cursor).replace(/^ /, ''), cursor: start + words.length }
}
