import type { NoteLink, ScannedNote } from '../scanned-note.js'
import type { Edit } from './edits.js'
import { unbroken } from './sentence-ends.js'

/** What is read in place of links, code, formulas, comments and HTML. */
export function inlineEdits(text: string, { links, regions }: ScannedNote): Edit[] {
  const edits: Edit[] = []
  for (const link of links) if (link.kind !== 'frontmatter') edits.push(...linkEdits(text, link))
  for (const { kind, start, end } of regions) {
    const written = text.slice(start, end)
    const [marks] = /^(?:`+|\$+)/.exec(written) ?? ['']
    const inside = written.slice(marks.length, -marks.length || undefined).trim()
    const isSpoken = kind === 'code-span' || (kind === 'math' && !written.includes('\n'))
    edits.push({ start, end, words: isSpoken ? unbroken(inside.replace(/\s+/g, ' ')) : ' ' })
  }
  return edits
}

/** A link is read by what it shows; a picture shows no words. */
function linkEdits(text: string, link: NoteLink): Edit[] {
  const { start, end, syntax, display, raw } = link
  const whole = (words: string): Edit[] => [{ start, end, words }]
  if (syntax === 'wiki') return whole(isPicture(link) ? ' ' : unbroken(shownName(link)))
  if (syntax === 'definition') return whole(' ')
  if (syntax === 'autolink') return whole(raw.replace(/^<(.*)>$/s, '$1'))
  // A number behind a sentence points to a source: it is not part of what is said.
  if (raw.startsWith('!') || display === undefined || /^[\s\d^[\]\\↩*]*$/.test(display)) return whole(' ')
  const from = start + 1
  const to = from + display.length
  const stops = [...text.slice(from, to).matchAll(/[.!?](?=\s)/g)].map(({ 0: stop, index }): Edit => {
    return { start: from + index, end: from + index + 1, words: unbroken(`${stop} `).trimEnd() }
  })
  return [{ start, end: from, words: '' }, ...stops, { start: to, end, words: '' }]
}

function shownName({ display, target, subpath }: NoteLink): string {
  const name = target.slice(target.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  return (display ?? (name || (subpath ?? '').replace(/^#\^?/, ''))).replace(/\s+/g, ' ').trim()
}

const isPicture = ({ kind, target }: NoteLink): boolean =>
  kind === 'embed' && /\.(?:png|jpe?g|gif|svg|webp|bmp|avif|mp[34]|webm|ogg|wav|mov|pdf)$/i.test(target)

/** Marks that stand among the words. `masked` shows none that belong to links or code. */
export function markEdits(masked: string): Edit[] {
  const edits: Edit[] = []
  for (const [pattern, read] of marks) {
    for (const match of masked.matchAll(pattern)) {
      edits.push({ start: match.index, end: match.index + match[0].length, words: read(match) })
    }
  }
  for (const { 0: link, 1: shown, index } of masked.matchAll(/\[([^[\]\n]{1,500})\]\[[^[\]\n]{0,200}\]/g)) {
    const end = index + 1 + shown.length
    edits.push({ start: index, end: index + 1, words: '' }, { start: end, end: index + link.length, words: '' })
  }
  return edits
}

const marks: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  [
    /<\/?[a-z][^<>]{0,2000}>|<![a-z-][^<>]{0,2000}>/gi,
    ([tag]) => (/^<\/?(?:b|i|u|em|a|strong|span|kbd|code|sub|sup|mark|s|font)\b/i.test(tag) ? '' : ' '),
  ],
  [/&(?:#\d{1,6}|[a-z]{2,8});/gi, ([entity]) => entities.get(entity.toLowerCase()) ?? ' '],
  // Footnotes, and what site generators are told.
  [/\[\^[^\]\s]{1,100}\]:?|\{%[^%\n]{0,500}%\}|\{:[^}\n]{0,500}\}/g, () => ''],
  [/\\(?=[!-/:-@[-`{-~])/g, () => ''],
]

const entities = new Map([
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&ndash;', '–'],
  ['&mdash;', '—'],
  ['&hellip;', '…'],
])
