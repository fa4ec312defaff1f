import { Failure } from '../../errors.js'

/** More than this is no note that a model means to write. */
const mostCharacters = 4_000_000

/** Text that is to be written as it is. What UTF-8 cannot hold would be changed on the way, so it is refused. */
export function writtenText(field: string, text: string): string {
  if (text.length > mostCharacters) {
    throw new Failure(
      'too-large',
      `${field} has ${text.length} characters, more than the limit of ${mostCharacters}.`,
      {
        hint: 'Write it in several notes.',
      },
    )
  }
  if (text.includes('\0')) throw new Failure('invalid-input', `${field} has NUL characters, which no note can hold.`)
  if (/\p{Surrogate}/u.test(text)) {
    throw new Failure('invalid-input', `${field} is not valid Unicode: it has half of a surrogate pair.`)
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
export function inMannerOf(old: string, text: string): string {
  const body = withLineBreaks(text.startsWith('\ufeff') ? text.slice(1) : text, lineBreakOf(old))
  return old.startsWith('\ufeff') ? `\ufeff${body}` : body
}

/** What to put at the end of a note so that `content` begins on a line of its own and ends with a line break. */
export function addition(note: string, content: string): string {
  const lineBreak = lineBreakOf(note)
  const begins = note === '' || note === '\ufeff' || note.endsWith('\n') ? '' : lineBreak
  const text = withLineBreaks(content, lineBreak)
  return begins + text + (text.endsWith('\n') ? '' : lineBreak)
}
