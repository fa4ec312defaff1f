import { plainText } from '../plain-text.js'

export interface CaptionLine {
  /** From the start of the video. */
  seconds: number
  text: string
}

/** Captions as YouTube sends them: JSON (`fmt=json3`), or XML of either age. Undefined for anything else. */
export function captionLines(body: string): CaptionLine[] | undefined {
  const text = body.trimStart()
  if (text.startsWith('{')) return jsonLines(text)
  if (text.startsWith('<') && /<(?:transcript|timedtext)[\s>]/.test(text.slice(0, 500))) return xmlLines(text)
  return undefined
}

interface Json3 {
  events?: { tStartMs?: number | string; segs?: { utf8?: string }[] }[]
}

function jsonLines(text: string): CaptionLine[] | undefined {
  let parsed: Json3
  try {
    parsed = JSON.parse(text) as Json3
  } catch {
    return undefined
  }
  if (!Array.isArray(parsed.events)) return undefined
  // Events without words set up windows, or move to a new line.
  return parsed.events.flatMap((event) => {
    const words = Array.isArray(event?.segs) ? event.segs.map((segment) => segment?.utf8 ?? '').join('') : ''
    return line(Number(event?.tStartMs ?? 0) / 1000, words)
  })
}

/** `<text start="1.2">` in seconds, or `<p t="1200">` in milliseconds with a tag for every word. */
function xmlLines(text: string): CaptionLine[] {
  const tag = /<text[\s>]/.test(text) ? 'text' : 'p'
  const opening = tag === 'text' ? /<text(\s[^<>]*)?>/ : /<p(\s[^<>]*)?>/
  const pieces = text.split(`</${tag}>`).slice(0, -1)
  return pieces.flatMap((piece) => {
    const open = opening.exec(piece)
    if (open === null) return []
    const start = Number(/\s(?:start|t)="([\d.]+)"/.exec(open[1] ?? '')?.[1] ?? 0)
    // What stands in XML was HTML before: its references are escaped twice.
    const words = plainText(plainText(piece.slice(open.index + open[0].length)))
    return line(tag === 'p' ? start / 1000 : start, words)
  })
}

function line(seconds: number, words: string): CaptionLine[] {
  const text = words.replace(/\s+/g, ' ').trim()
  return text === '' ? [] : [{ seconds: Number.isFinite(seconds) ? seconds : 0, text }]
}
