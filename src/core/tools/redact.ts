import { hashBytes } from '../vault/index.js'

export interface RedactorOptions {
  /** Known keys and tokens. They are masked everywhere, also inside a word. */
  secrets?: readonly string[]
  /** Characters of a text that are kept; of a longer one its beginning, its length and its hash. Default 500. */
  maxText?: number
  /** How deep lists and objects are followed. Default 8. */
  maxDepth?: number
  /** Entries of one list or object that are kept. Default 50. */
  maxEntries?: number
  /** Characters of everything together. Default 20,000. */
  maxTotal?: number
  /** SHA-256 as hex, where the host has a faster one. */
  hash?: (bytes: Uint8Array) => string
}

/** Nothing is left out but secrets. */
export const redactOnlySecrets = {
  maxText: Number.POSITIVE_INFINITY,
  maxDepth: Number.POSITIVE_INFINITY,
  maxEntries: Number.POSITIVE_INFINITY,
  maxTotal: Number.POSITIVE_INFINITY,
} satisfies RedactorOptions

/** A copy that is safe to keep: plain JSON data, bounded, without secrets. */
export type Redact = (value: unknown) => unknown

/** Makes values safe to log. Never throws, calls no getter and no `toJSON`, and marks omissions. */
export function redactor(options: RedactorOptions = {}): Redact {
  const { maxText = 500, maxDepth = 8, maxEntries = 50, maxTotal = 20_000, hash = hashBytes } = options
  const masked = secretMask(options.secrets ?? [])
  // A secret that begins before the cut must be seen whole, or its first half would stay.
  const lookahead = 4096 + Math.max(0, ...(options.secrets ?? []).map(({ length }) => length * 3))

  return (value) => {
    const above = new Set<object>()
    let left = maxTotal

    function text(whole: string): string {
      if (left <= 0) return '[left out: too much to log]'
      const room = Math.min(maxText, left)
      const clean = masked(whole.slice(0, room + lookahead))
      const isCut = whole.length > maxText || clean.length > room
      const kept = isCut ? wholeCharacters(clean.slice(0, room)) : clean
      left -= kept.length
      return isCut ? `${kept}… [${whole.length} characters, sha256 ${hash(new TextEncoder().encode(whole))}]` : kept
    }

    function copy(item: unknown, depth: number): unknown {
      left -= 2
      switch (typeof item) {
        case 'string':
          return text(item)
        case 'number':
          return Number.isFinite(item) ? item : `${item}`
        case 'boolean':
        case 'undefined':
          return item
        case 'bigint':
          return text(`${item}`)
        case 'object':
          return item === null ? null : structure(item, depth)
        default:
          return `[${typeof item}]`
      }
    }

    function structure(item: object, depth: number): unknown {
      if (above.has(item)) return '[circular]'
      if (depth >= maxDepth) return '[left out: too deep]'
      above.add(item)
      try {
        return known(item, depth)
      } catch {
        return '[unreadable]'
      } finally {
        above.delete(item)
      }
    }

    function known(item: object, depth: number): unknown {
      if (Array.isArray(item)) return list(item, item.length, depth)
      if (ArrayBuffer.isView(item)) {
        return `[${item.byteLength} bytes, sha256 ${hash(new Uint8Array(item.buffer, item.byteOffset, item.byteLength))}]`
      }
      if (item instanceof Date) return Number.isNaN(item.getTime()) ? '[no date]' : item.toISOString()
      if (item instanceof Set) return list(firstOf(item), item.size, depth)
      if (item instanceof Map) return entries([...firstOf(item)], item.size, depth)
      if (item instanceof Error) return entries(Object.entries(plainError(item)), 0, depth)
      const names = Object.keys(item)
      return entries(
        names.slice(0, maxEntries).map((name) => [name, ownValue(item, name)]),
        names.length,
        depth,
      )
    }

    function firstOf<T>(items: Iterable<T>): T[] {
      const first: T[] = []
      for (const item of items) {
        if (first.length === maxEntries) break
        first.push(item)
      }
      return first
    }

    function list(items: readonly unknown[], length: number, depth: number): unknown[] {
      const kept: unknown[] = []
      for (let at = 0; at < Math.min(length, maxEntries) && left > 0; at++) {
        const value = ownValue(items, `${at}`)
        kept.push(value === undefined ? null : copy(value, depth + 1))
      }
      if (length > kept.length) kept.push(`[${length - kept.length} more]`)
      return kept
    }

    function entries(pairs: [unknown, unknown][], size: number, depth: number): Record<string, unknown> {
      const kept = new Map<string, unknown>()
      for (const [name, value] of pairs) {
        if (left <= 0) break
        const key = typeof name === 'string' ? name : String(copy(name, maxDepth))
        kept.set(text(key), hidesValue(key, value) ? mask : copy(value, depth + 1))
      }
      if (size > kept.size) kept.set('…', `[${size - kept.size} more]`)
      // Not by assignment: a key may be `__proto__`.
      return Object.fromEntries(kept)
    }

    return copy(value, 0)
  }
}

function hidesValue(name: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return false
  return isSecretName(name) || (/key$/i.test(name) && typeof value === 'string' && isOpaque(value))
}

/** The value of a property that is data; a getter is not asked. */
function ownValue(item: object, name: string): unknown {
  const property = Object.getOwnPropertyDescriptor(item, name)
  return property === undefined || 'value' in property ? property?.value : '[getter]'
}

function plainError(error: Error): Record<string, unknown> {
  const read = (name: string) => {
    const value = ownValue(error, name)
    return value === undefined ? {} : { [name]: value }
  }
  return { name: error.constructor.name, ...read('message'), ...read('code'), ...read('cause') }
}

/** Without half of a character at the end. */
function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}

const mask = '[redacted]'

/** True for the name of a secret: `api_key`, `X-Auth-Token`, `clientSecret`; not `max_tokens`. */
function isSecretName(name: string): boolean {
  return secretName.test(
    name
      .slice(0, 200)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  )
}

const secretName =
  /(?:authorization|apikey|accesskey|privatekey|signingkey|encryptionkey|secret|secretkey|token|password|passwd|passphrase|passcode|pwd|cookie|cookies|credential|credentials|connectionstring)$|^(?:auth|bearer|jwt|pass|setcookie|secret|password)$|^(?:secret|password|apikey|credential)/

/** True for text that looks generated: one long word with digits. */
function isOpaque(text: string): boolean {
  return /^[\w+/=.-]{20,500}$/.test(text) && /\d/.test(text)
}

/** Masks secrets in a text: the known ones exactly, others by how they look or by the word before them. */
function secretMask(secrets: readonly string[]): (text: string) => string {
  const known = knownSecrets(secrets)
  return (text) => {
    let clean = text
    for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, mask)
    if (!suspiciousText.test(clean)) return clean
    for (const [pattern, replacement] of secretPatterns) clean = clean.replace(pattern, replacement)
    return clean
  }
}

/** Each as it is and as it looks in a URL or in JSON; the longest first, since one may be part of another. */
function knownSecrets(secrets: readonly string[]): string[] {
  const spellings = secrets
    .map((secret) => secret.trim())
    .filter(({ length }) => length >= 4)
    .flatMap((secret) => [secret, secretInUrl(secret), JSON.stringify(secret).slice(1, -1)])
  return [...new Set(spellings)].sort((a, b) => b.length - a.length)
}

function secretInUrl(secret: string): string {
  try {
    return encodeURIComponent(secret)
  } catch {
    return secret
  }
}

const secretWord =
  'api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|client[-_ ]?secret|secret|auth[-_ ]?token|access[-_ ]?token|refresh[-_ ]?token|id[-_ ]?token|token|password|passwd|passphrase|pwd|authorization|cookie|credential|session[-_ ]?id'

/** Most texts contain no secret; this quick test skips them. */
const suspiciousText = new RegExp(
  `${secretWord}|bearer|basic |-----BEGIN|://[^/\\s]*@|[?&#;][\\w.-]*(?:key|sig|signature)=|eyJ|AIza|AKIA|ASIA|ya29|sk[-_]|rk_|pk_|gh[pousr]_|github_pat|glpat|xox|xapp|hf_|gsk_|xai-|pplx-|npm_|r8_|SG\\.|AGE-SECRET`,
  'i',
)

/** True if unfinished text may contain the beginning of a secret. */
export const maySpellSecret = (text: string): boolean => suspiciousText.test(text)

/** Letters, digits and characters used in keys; not inside a longer word. */
const prefixedSecret = [
  '(?:sk|rk|pk)[-_][\\w-]{10,}',
  'AIza[\\w-]{10,}',
  'A[KS]IA[A-Z0-9]{12,}',
  'ya29\\.[\\w.-]{10,}',
  'gh[pousr]_\\w{10,}',
  'github_pat_\\w{10,}',
  'glpat-[\\w-]{10,}',
  'xox[a-z]-[\\w-]{8,}',
  'xapp-[\\w-]{8,}',
  'hf_\\w{10,}',
  'gsk_\\w{10,}',
  'xai-[\\w-]{10,}',
  'pplx-[\\w-]{10,}',
  'npm_\\w{10,}',
  'r8_\\w{10,}',
  'SG\\.[\\w-]{10,}\\.[\\w-]{10,}',
  'AGE-SECRET-KEY-1\\w{10,}',
  'eyJ[\\w-]{8,}\\.[\\w-]{4,}(?:\\.[\\w-]*)?',
].join('|')

const secretPatterns: [RegExp, string][] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}-----|$)/g, mask],
  // The whole of a header that carries a secret, up to the end of the line or the closing quote.
  [
    /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key)(["']?\s{0,4}[:=]\s{0,4}["']?)(?!\[redacted\])[^"'\r\n]+/gi,
    `$1$2${mask}`,
  ],
  [/\b(bearer\s{1,4})[\w.~+/=-]{8,}/gi, `$1${mask}`],
  [/\b(basic\s{1,4})(?=[A-Za-z0-9+/]*[0-9=])[A-Za-z0-9+/]{8,}={0,2}/gi, `$1${mask}`],
  [/([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@"']{1,500}@/gi, `$1${mask}@`],
  [new RegExp(`([?&#;](?:[\\w.-]{0,40}[-_.])?(?:key|sig|signature|${secretWord})=)[^&#\\s"']+`, 'gi'), `$1${mask}`],
  [new RegExp(`(^|[^A-Za-z0-9])(?:${prefixedSecret})`, 'g'), `$1${mask}`],
  // password=hunter2, "token": "abc123…"; after a colon in prose only machine-made values.
  [new RegExp(`((?:${secretWord})s?["']?\\s{0,4}=\\s{0,4}["']?)(?!\\[redacted\\])[^\\s"'&,;]{4,}`, 'gi'), `$1${mask}`],
  [
    new RegExp(`((?:${secretWord})s?["']?\\s{0,4}:\\s{0,4}["']?)(?=[^\\s"',;]*[0-9])[^\\s"',;\\[]{6,}`, 'gi'),
    `$1${mask}`,
  ],
  [
    new RegExp(
      `((?:${secretWord})s?["']?(?:\\s{1,4}(?:is|was|provided|of))?[\\s:"']{1,4})(?=[A-Za-z+/=_.-]*[0-9])[A-Za-z0-9+/=_.-]{20,}`,
      'gi',
    ),
    `$1${mask}`,
  ],
]
