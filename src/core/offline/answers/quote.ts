import { scanNote } from '../../markdown/index.js'

const longest = 400
const pairs: readonly [string, string][] = [
  ['"', '"'],
  ['“', '”'],
  ['«', '»'],
]

/**
 * A sentence with its own words in quotation marks. A link inside it would be taken for the source, so only the longest
 * stretch without one is quoted, and the rest of the sentence is told around it. Undefined when nothing can be quoted.
 */
export function quote(sentence: string): string | undefined {
  const links = linksIn(sentence)
  const edges = [0, ...links.flatMap(({ start, end }) => [start, end]), sentence.length]
  const stretches: { start: number; end: number }[] = []
  for (let at = 0; at < edges.length; at += 2) stretches.push(trimmed(sentence, edges[at], edges[at + 1]))
  const whole = stretches.reduce((best, each) => (each.end - each.start > best.end - best.start ? each : best))
  const { start, end, isCut } = shortened(sentence, whole)
  const words = sentence.slice(start, end)
  const marks = pairs.find((pair) => !pair.some((mark) => words.includes(mark)))
  if (words.length < 3 || marks === undefined) return undefined
  const before = isLong(start) ? '…' : told(sentence.slice(0, start))
  const after = isCut || isLong(sentence.length - end) ? '…' : told(sentence.slice(end))
  const isTight = /^[.,;:!?)…]/.test(after)
  return `${before && `${before} `}${marks[0]}${words}${marks[1]}${after && (isTight ? after : ` ${after}`)}`
}

/** The words of a sentence apart from those its links show, which speak of other notes. */
export function wordsAndLinks(text: string): { words: string; links: string } {
  const links = linksIn(text)
  let words = ''
  let from = 0
  for (const { start, end } of links) {
    words += `${text.slice(from, start)} `
    from = end
  }
  return { words: words + text.slice(from), links: links.map(({ shown }) => shown).join(' ') }
}

/** As it would be read: links by what they show. */
function plainText(text: string): string {
  let plain = ''
  let from = 0
  for (const { start, end, shown } of linksIn(text)) {
    plain += text.slice(from, start) + shown
    from = end
  }
  return plain + text.slice(from)
}

interface Shown {
  start: number
  end: number
  shown: string
}

function linksIn(text: string): Shown[] {
  const links: Shown[] = []
  for (const { start, end, kind, display, target, subpath } of scanNote(text).links) {
    if (kind === 'external' || start < (links.at(-1)?.end ?? 0)) continue
    const name = target.slice(target.lastIndexOf('/') + 1).replace(/\.md$/i, '')
    links.push({ start, end, shown: display ?? (name || (subpath ?? '').replace(/^#\^?/, '')) })
  }
  return links
}

/** Without spaces and loose punctuation at its ends. */
function trimmed(text: string, from: number, to: number): { start: number; end: number } {
  const stretch = text.slice(from, to)
  const lead = from === 0 ? /^\s*/.exec(stretch)! : /^[\s,;:.)|\\–—-]*/.exec(stretch)!
  const rest = stretch.slice(lead[0].length)
  const tail = to === text.length ? /\s*$/.exec(rest)! : /[\s(|\\–—-]*$/.exec(rest)!
  const start = from + lead[0].length
  return { start, end: start + rest.length - tail[0].length }
}

function shortened(text: string, { start, end }: { start: number; end: number }) {
  if (end - start <= longest) return { start, end, isCut: false }
  const cut = text.slice(start, start + longest)
  const space = cut.lastIndexOf(' ')
  const length = space > longest / 2 ? space : longest - (/[\ud800-\udbff]$/.test(cut) ? 1 : 0)
  return { start, end: start + length, isCut: true }
}

const isLong = (length: number): boolean => length > longest

/** Quotation marks of its own would be taken for the quotation. */
const told = (text: string): string =>
  plainText(text)
    .replace(/["“”„«»`$]|%%|\[\[|\]\]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
