import { Failure } from '../../errors.js'
import { type ChangeSet, decodeNote, type NotePath } from '../../vault/index.js'

/** Longer texts are refused: no model means to write such a note. */
const mostCharacters = 4_000_000

/** Text to be written unchanged. Text that UTF-8 cannot represent is refused, since writing would change it. */
export function checkText(field: string, text: string): string {
  if (text.length > mostCharacters) {
    throw new Failure(
      'too-large',
      `${field} is too long: ${text.length} characters, and the limit is ${mostCharacters}.`,
      {
        hint: 'Split it into several notes.',
      },
    )
  }
  if (text.includes('\0'))
    throw new Failure('invalid-input', `${field} contains NUL characters, which notes cannot contain.`)
  if (/\p{Surrogate}/u.test(text)) {
    throw new Failure('invalid-input', `${field} is not valid Unicode: it contains half of a surrogate pair.`)
  }
  return text
}

/** The line break a text uses most; `\n` where it has none. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  let all = 0
  let paired = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all++
    if (text.charCodeAt(at - 1) === 13) paired++
  }
  return paired * 2 > all ? '\r\n' : '\n'
}

export function withLineBreaks(text: string, lineBreak: '\n' | '\r\n'): string {
  const plain = text.replaceAll('\r\n', '\n')
  return lineBreak === '\n' ? plain : plain.replaceAll('\n', lineBreak)
}

/** New text for the place of an old one, in its manner: the same line breaks, and its byte order mark. */
export function withFormatOf(old: string, text: string): string {
  const body = withLineBreaks(text.startsWith('\ufeff') ? text.slice(1) : text, lineBreakOf(old))
  return old.startsWith('\ufeff') ? `\ufeff${body}` : body
}

/** The text to append to a note so that `content` begins on its own line and ends with a line break. */
export function textToAppend(note: string, content: string): string {
  const lineBreak = lineBreakOf(note)
  const begins = note === '' || note === '\ufeff' || note.endsWith('\n') ? '' : lineBreak
  const text = withLineBreaks(content, lineBreak)
  return begins + text + (text.endsWith('\n') ? '' : lineBreak)
}

/** The text that a change set leaves in a note it edits; undefined when it does not edit it. */
export function textAfterChanges({ changes }: ChangeSet, path: NotePath): string | undefined {
  for (const change of [...changes].reverse()) {
    if (change.kind === 'edit' && change.path === path) return decodeNote(change.after).text
  }
  return undefined
}
