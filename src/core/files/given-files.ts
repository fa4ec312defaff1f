import { Failure } from '../errors.js'
import { bytes as size } from '../text/index.js'
import { decodeRules } from '../vault/index.js'
import { type FileFacts, fileFacts, takenKinds } from './file-facts.js'

/** A file as a person hands it over: dropped on a page, or named at the terminal. */
export interface GivenFile {
  name: string
  bytes: Uint8Array
}

export interface ReadFiles {
  texts: { name: string; text: string }[]
  /** Pictures and PDFs. */
  seen: { name: string; facts: FileFacts; bytes: Uint8Array }[]
}

/** About 60,000 words: more does not fit into a conversation with most models. */
export const mostText = 400_000

/** Of all that goes with one request. */
export const mostTogether = 20_000_000

/** What a person hands over with a request, told apart by the bytes. Fails with the first that cannot go along. */
export function readGivenFiles(files: readonly GivenFile[]): ReadFiles {
  const read: ReadFiles = { texts: [], seen: [] }
  let textSize = 0
  let allSize = 0
  for (const { name, bytes } of files) {
    if (bytes.length === 0) throw new Failure('invalid-input', `${name} is empty.`)
    allSize += bytes.length
    const facts = fileFacts(name, bytes)
    if (allSize > mostTogether) throw tooMuch(name, allSize, mostTogether, 'Take fewer along, or smaller ones.')
    if (facts !== undefined) {
      read.seen.push({ name, facts, bytes })
      continue
    }
    textSize += bytes.length
    if (textSize > mostText) {
      const hint = 'Attach the part it is about, or save it as a note and ask about the note.'
      throw tooMuch(name, textSize, mostText, hint)
    }
    const text = decodeRules(bytes)
    if (text === undefined) {
      throw new Failure('not-utf8', `${name} is neither text nor ${takenKinds}, so it cannot be attached.`)
    }
    read.texts.push({ name, text })
  }
  return read
}

function tooMuch(name: string, together: number, most: number, hint: string): Failure {
  const what = most === mostText ? 'attached texts' : 'attached files'
  return new Failure(
    'too-large',
    `With ${name} the ${what} have ${size(together)}; together they may have ${size(most)}.`,
    { hint },
  )
}
