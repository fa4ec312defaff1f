import type { CallOutcome } from './model-request.js'

/**
 * The structure of a request's text: the open note in a paragraph of its own, then enclosed texts, in order. It is kept
 * with the message, so that nothing depends on the wording. Files that a model does not accept come before the rest.
 */
export type RequestParts = {
  currentNote?: string
  enclosed: EnclosedPart[]
}

export type EnclosedPart =
  | { kind: 'file' | 'instructions' | 'prompt' | 'selection' }
  | { kind: 'attachment'; name: string }
  | ({ kind: 'result'; name: string } & CallOutcome)

export interface EnclosedText {
  /** Undefined if the message has no structure: it is from another program or an earlier version. */
  part?: EnclosedPart
  label: string
  text: string
}

/** The structure of a request; undefined if the message has none. */
export function requestParts({ providerOptions }: { providerOptions?: unknown }): RequestParts | undefined {
  const { notewright } = (providerOptions ?? {}) as { notewright?: { request?: RequestParts } }
  return notewright?.request
}

/**
 * Splits a request into enclosed texts and, at the end, the user's own words. Everything between the marks of an
 * enclosed text belongs to it, even if it looks like a request or like the closing mark.
 */
export function splitRequest(request: string, parts?: RequestParts): { text: string; enclosed: EnclosedText[] } {
  const enclosed: EnclosedText[] = []
  let rest = request
  let hasNote = parts?.currentNote !== undefined
  for (;;) {
    const part = parts?.enclosed[enclosed.length]
    const start = /^<<([0-9a-f]{8}) ([^\n]*)\n/.exec(rest)
    if (start === null) {
      if (!hasNote) return { text: rest.trim(), enclosed }
      hasNote = false
      rest = rest.replace(/^.*\n*/, '')
      continue
    }
    const [head, mark = '', label = ''] = start
    const body = rest.slice(head.length)
    const end = body.startsWith(`${mark}>>`) ? 0 : body.indexOf(`\n${mark}>>`)
    // Never closed: all of the rest is enclosed, and there is no request.
    enclosed.push({ ...(part && { part }), label, text: end === -1 ? body : body.slice(0, end) })
    rest = end === -1 ? '' : body.slice(end).replace(`${mark}>>`, '').replace(/^\n+/, '')
  }
}
