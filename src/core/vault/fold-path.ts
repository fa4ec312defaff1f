/**
 * The form in which two paths are compared: NFC, full case folding, no dots or spaces at the end of a name.
 * `Café.md` in either normalisation, `CAFÉ.MD` and `café.md.` are the same note.
 */
export function foldPath(path: string): string {
  const folded = ascii.test(path) ? path.toLowerCase() : foldCase(path)
  return trailing.test(folded) ? folded.replace(trailingAll, '') : folded
}

const ascii = /^\p{ASCII}*$/u
const trailing = /[. ](?:\/|$)/
const trailingAll = /[. ]+(?=\/|$)/g

/** Letters without their case. */
// Lower, upper, lower reaches what Unicode calls full folding: ſ and S, ß and ẞ and SS, µ and Μ meet.
// Dotless ı would wrongly meet i on that way, so it is kept apart.
export function foldCase(text: string): string {
  const folded = text
    .normalize('NFC')
    .split('ı')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join('ı')
  return folded.replaceAll('ς', 'σ').normalize('NFC')
}
