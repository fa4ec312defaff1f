import { Failure } from '../../errors.js'
import { charactersFor } from '../../text/index.js'
import type { CallTargets } from '../tool.js'
import type { ToolContext, Web, WebResponse } from '../tool-context.js'

export function requireWeb({ web }: ToolContext): Web {
  if (web === undefined) throw new Failure('network', 'Web access is not available here.')
  return web
}

/** A notice for the user before something is loaded. */
export function webNotices({ web }: ToolContext): Pick<CallTargets, 'notices'> {
  return web?.caution === undefined ? {} : { notices: [{ kind: 'other', text: web.caution }] }
}

/** Returns a successful response, and throws a described failure otherwise. */
export function requireOk(response: WebResponse, hints: Record<number, string> = {}): WebResponse {
  const { status } = response
  if (status >= 200 && status < 300) return response
  const { host } = new URL(response.url)
  const hint = hints[status] ?? usualHints[status]
  throw new Failure(
    status === 404 || status === 410 ? 'not-found' : 'network',
    `${host} answered with status ${status}.`,
    {
      ...(hint !== undefined && { hint }),
    },
  )
}

const usualHints: Record<number, string> = {
  404: 'The page does not exist.',
  410: 'The page was removed.',
  429: 'Too many requests. Try again later.',
}

/** Without characters no one sees but a model reads: tags, direction marks, controls. */
export function withoutInvisible(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // eslint-disable-next-line no-control-regex -- control characters are what it looks for
      .replace(/[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, '')
  )
}

const namedCharacters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The words of a scrap of HTML or XML: tags out, the common character references read. */
export function stripMarkup(markup: string): string {
  return markup
    .replace(/<[^<>]*>/g, '')
    .replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,6}));/gi,
      (whole, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return namedCharacters[name.toLowerCase()] ?? whole
        const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal)
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
      },
    )
}

interface TextPart {
  text: string
  part: number
  parts: number
}

const maxPartLength = 20_000

/** One part of a long text, cut where a paragraph, a line or a word ends. */
export function textPart(text: string, part: number, room?: number): TextPart {
  const longest = room === undefined ? maxPartLength : Math.min(maxPartLength, charactersFor(text, room))
  const parts = partsOf(text, longest)
  if (part > parts.length) {
    throw new Failure('not-found', `There is no part ${part}. The last part is ${parts.length}.`)
  }
  // `!`: parts are numbered from 1, and a number over their count was refused.
  return { text: parts[part - 1]!, part, parts: parts.length }
}

/** Says which part this is, and that there are more. */
export function partNote({ part, parts }: Omit<TextPart, 'text'>): string | undefined {
  if (parts === 1) return undefined
  return part < parts
    ? `(Part ${part} of ${parts}. To continue, ask for part ${part + 1}.)`
    : `(Part ${part} of ${parts}, the last.)`
}

function partsOf(text: string, longest: number): string[] {
  const parts: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + longest >= text.length ? text.length : cutBefore(text, start, longest)
    parts.push(text.slice(start, end).trim())
    start = end
  }
  return parts.length === 0 ? [''] : parts
}

function cutBefore(text: string, start: number, longest: number): number {
  const limit = start + longest
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(mark, limit)
    if (at > start + longest / 2) return at
  }
  // Do not split a surrogate pair.
  return /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit
}
