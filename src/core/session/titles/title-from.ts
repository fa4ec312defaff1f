import { cutText } from '../../tools/index.js'

const longest = 60

/** A title made of a text: one line of at most 60 characters that could also name a file. */
export function titleFrom(text: string): string {
  const line = text
    .normalize('NFC')
    // Control characters, what turns the direction of writing, and what no file or link can be called by.
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029<>:"|?*\\/#^[\]`]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.'’_*-]+|[\s.,;'’_*-]+$/g, '')
  const cut = line.length <= longest ? line : atWord(cutText(line, longest))
  if (cut === '') return 'Untitled'
  return /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(cut) ? `${cut} (session)` : cut
}

function atWord(text: string): string {
  const at = text.lastIndexOf(' ')
  return (at > longest / 2 ? text.slice(0, at) : text).replace(/[\s.,;-]+$/, '')
}
