import { type NoteLink, type ScannedNote, scanNote } from '../../markdown/index.js'
import { meantText } from '../../text/index.js'
import { nearest, type Term, wordsIn } from '../words/terms.js'
import type { Passage } from './select-passages.js'
import type { Source } from './sources.js'

/** A note with so many of the words in its name is about what was asked for. */
const leastNamed = 1 / 3

/**
 * The note to which quoted sections say to read on, as their link names it: "for more, see [[Late Blight]]". A line that
 * is nothing but a link is an entry of a list, and lists lead everywhere.
 */
export function onwardNote(
  terms: readonly Term[],
  quoted: readonly Passage[],
  sources: readonly Source[],
): string | undefined {
  let onward: { name: string; share: number } | undefined
  for (const { path, title, text, heading: first } of sources.filter(({ score }) => score !== undefined)) {
    const own = quoted.filter((passage) => passage.path === path).map(({ heading }) => heading ?? title)
    if (own.length === 0) continue
    const shown = meantText(text)
    const note = scanNote(shown)
    for (const link of note.links) {
      if (!own.includes(headingAbove(link, note) ?? first ?? title) || !isInSentence(link, shown, note)) continue
      const name = nameOf(link)
      const share = shareMet(terms, `${name.slice(name.lastIndexOf('/') + 1)} ${link.display ?? ''}`)
      const isKnown = quoted.some((passage) => passage.path !== undefined && isNamed(passage.path, name))
      if (!isKnown && share >= leastNamed && share > (onward?.share ?? 0)) onward = { name, share }
    }
  }
  return onward?.name
}

const shareMet = (terms: readonly Term[], name: string): number =>
  nearest(terms, wordsIn(name)).filter((value) => value > 0).length / terms.length

/** Whether a link that names a note so may lead to this one. */
export function isNamed(path: string, name: string): boolean {
  const bare = (text: string) => `/${text.replace(/\.md$/i, '')}`.toLowerCase()
  return bare(path).endsWith(bare(name))
}

const headingAbove = ({ start }: NoteLink, { headings }: ScannedNote): string | undefined =>
  headings.filter((heading) => heading.start <= start).at(-1)?.text

/** Words stand beside it, and it is no comment, picture or address. */
function isInSentence({ kind, target, start, end, line }: NoteLink, text: string, note: ScannedNote): boolean {
  if (kind === 'external' || target === '' || /[[\]|#^]|\.(?!md$)\w{2,5}$/i.test(target)) return false
  if (note.regions.some((region) => region.start <= start && region.end >= end)) return false
  const links = note.links.filter((other) => other.line === line)
  const written = text.slice(note.lineStarts[line - 1], note.lineStarts[line])
  return /[\p{L}\p{N}]/u.test(links.reduce((words, { raw }) => words.replace(raw, ''), written))
}

/** Without the way there from its own note: the vault knows notes by their names. */
const nameOf = ({ target }: NoteLink): string => target.replace(/^(?:\.{0,2}\/)+/, '')
