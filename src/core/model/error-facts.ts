import { Failure } from '../errors.js'

/** What an error from a provider package tells, whatever its class: the packages bring several copies of each. */
export interface ErrorFacts {
  /** One of ours, from further down. */
  failure?: Failure
  status?: number
  /** The provider's own words, one bounded line. */
  said?: string
  /** The provider's own name for it: `overloaded_error`. */
  code?: string
  /** The system's name for it: `ECONNREFUSED`. */
  systemCode?: string
  retryAfterMs?: number
  isHtml?: boolean
  /** The reply came but is not what the protocol says. */
  isUnreadable?: boolean
  /** The reply ended before its end. */
  isCut?: boolean
  /** The host's fetch got nowhere and does not say why. */
  isNowhere?: boolean
}

/** `redact` sees every text whole, before it is cut to a line. */
export function readError(error: unknown, redact: (text: string) => string = (text) => text): ErrorFacts {
  const facts: ErrorFacts = {}
  let current: unknown = error
  // Errors are wrapped in errors; the first to know a fact is believed.
  for (let depth = 0; depth < 6 && current !== undefined && current !== null; depth++) {
    if (current instanceof Failure) return { failure: current }
    if (typeof current === 'string') {
      learnFromText(facts, redact(current))
      break
    }
    if (typeof current !== 'object') break
    learnFromObject(facts, current as Record<string, unknown>, redact)
    const { cause, lastError, errors } = current as { cause?: unknown; lastError?: unknown; errors?: unknown }
    current = cause ?? lastError ?? (Array.isArray(errors) ? errors[0] : undefined)
  }
  return facts
}

function learnFromObject(facts: ErrorFacts, error: Record<string, unknown>, redact: (text: string) => string): void {
  const { name, message, code, statusCode, responseBody, responseHeaders, type } = error
  if (typeof statusCode === 'number') facts.status ??= statusCode
  if (typeof responseBody === 'string') learnFromText(facts, redact(responseBody))
  if (typeof responseHeaders === 'object' && responseHeaders !== null) {
    facts.retryAfterMs ??= retryAfter(responseHeaders as Record<string, string>)
  }
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) && error instanceof Error) facts.systemCode ??= code
  else if (typeof code === 'string') facts.code ??= code
  // In a stream that began with 200, an error event can still carry the status it would have had.
  else if (typeof code === 'number' && code >= 400 && code < 600) facts.status ??= code
  if (typeof type === 'string') facts.code ??= type
  if (/JSONParse|TypeValidation|InvalidResponseData|SyntaxError/.test(String(name))) facts.isUnreadable = true
  if (typeof message !== 'string') return
  if (/ended without a finish reason|terminated|premature close|socket hang up|other side closed/i.test(message)) {
    facts.isCut = true
    facts.isUnreadable = false
  }
  if (/^(fetch failed|failed to fetch|load failed|network ?error\b.*)$/i.test(message)) {
    facts.isNowhere = true
    return
  }
  // An unreadable reply is quoted by the message; it can be long and say anything.
  if (!facts.isUnreadable && !facts.isCut) learnFromText(facts, redact(message))
}

function learnFromText(facts: ErrorFacts, text: string): void {
  const trimmed = text.trim()
  if (/^<(!doctype|html|\?xml|head|body)/i.test(trimmed)) {
    facts.isHtml = true
    return
  }
  const parsed = jsonOf(trimmed)
  if (typeof parsed !== 'object' || parsed === null) {
    if (trimmed !== '') facts.said ??= oneLine(trimmed)
    return
  }
  const body = (Array.isArray(parsed) ? parsed[0] : parsed) as Record<string, unknown>
  const inner = body?.error ?? body
  if (typeof inner === 'string') facts.said ??= oneLine(inner)
  if (typeof inner !== 'object' || inner === null) return
  const { message, detail, code, type, status } = inner as Record<string, unknown>
  const words = [message, detail].find((value) => typeof value === 'string' && value.trim() !== '')
  if (typeof words === 'string') facts.said ??= oneLine(words)
  const names = [code, type, status].filter((value) => typeof value === 'string')
  if (names.length > 0) facts.code ??= names.join(' ')
  if (typeof code === 'number' && code >= 400 && code < 600) facts.status ??= code
}

function jsonOf(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function retryAfter(headers: Record<string, string>): number | undefined {
  const value = (name: string) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const milliseconds = Number(value('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds
  const text = value('retry-after')
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** Long enough for a provider's sentence, too short for a page. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
