import { Failure } from '../errors.js'
import { isRecord } from '../is-record.js'
import type { ProposedCall, Provenance, ReadableVault } from '../tools/index.js'
import type { NotePath } from '../vault/index.js'

/** Content of a call that would be sent and that the model could have chosen: an address, or text. */
interface OutboundContent {
  address?: string
  words?: string | undefined
}

export function outboundContent({ tool, foreign, effects, input, sends }: ProposedCall): OutboundContent[] {
  if (sends.length === 0 && !effects.includes('reaches-network')) return []
  // The address of an MCP server was configured by the user, so only the arguments count.
  if (foreign !== undefined || sends.length === 0)
    return [{ words: textValues(input, declaredNames(tool.input)).join(' ') }]
  return sends.map(({ url, payload, chosen }) =>
    chosen === undefined ? { address: url, words: payload } : { words: chosen },
  )
}

/** True if the user typed all of it. */
export function isAllTyped(leaving: readonly OutboundContent[], typed: TypedText): boolean {
  return leaving.every(
    ({ address, words }) =>
      (address === undefined || typed.hasAddress(address)) &&
      (words === undefined || typed.missing(words).length === 0),
  )
}

/** Argument names from the tool's schema; the model could have made up any other. */
function declaredNames(schema: ProposedCall['tool']['input']): ReadonlySet<string> | 'all' {
  if (!('jsonSchema' in schema)) return 'all'
  const { properties } = schema.jsonSchema
  return new Set(isRecord(properties) ? Object.keys(properties) : [])
}

function textValues(value: unknown, known: ReadonlySet<string> | 'all' = new Set()): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'bigint') return [`${value}`]
  if (Array.isArray(value)) return value.flatMap((each) => textValues(each))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, own]) => [
    ...(known === 'all' || known.has(name) ? [] : [name]),
    ...textValues(own),
  ])
}

/** The text the user typed in a conversation; outbound content is compared with it. */
export interface TypedText {
  add(text: string): void
  /** True if the user typed this complete address. */
  hasAddress(url: string): boolean
  hasWord(word: string): boolean
  /** The words and signs of a text that the user typed less often, or not at all. */
  missing(text: string): string[]
  /** Saved with the session. */
  texts(): string[]
}

export function typedText(before: readonly string[] = []): TypedText {
  const texts = [...before]
  /** Computed on demand, and again after more was typed. */
  let known: { words: Map<string, TypedWord>; addresses: Set<string>; of: number } | undefined

  function looked() {
    if (known?.of !== texts.length) {
      known = { words: countWords(texts), addresses: new Set(texts.flatMap(typedAddresses)), of: texts.length }
    }
    return known
  }

  return {
    add(text) {
      if (text !== '') texts.push(text)
    },
    hasAddress(url) {
      const wanted = webUrl(url)
      return wanted !== undefined && looked().addresses.has(withoutScheme(wanted))
    },
    hasWord: (word) => looked().words.has(foldWord(word)),
    missing(text) {
      const { words } = looked()
      const used = new Map<string, number>()
      return splitWords(text).filter((word) => {
        const key = foldWord(word)
        const typed = words.get(key)
        const count = (used.get(key) ?? 0) + 1
        used.set(key, count)
        // Repetitions and unusual capitals could encode something.
        return typed === undefined || count > typed.count || !isUsualSpelling(word, typed)
      })
    },
    texts: () => [...texts],
  }
}

interface TypedWord {
  count: number
  spellings: Set<string>
}

/** Splits into runs of letters and digits, and single other characters. Single blanks are dropped. */
export function splitWords(text: string): string[] {
  const found = text.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu) ?? []
  return found.filter((each, at) => each !== ' ' || found[at - 1] === ' ')
}

const foldWord = (text: string): string => text.normalize('NFC').toLowerCase()

function countWords(texts: readonly string[]): Map<string, TypedWord> {
  const words = new Map<string, TypedWord>()
  for (const text of texts) {
    const decoded = percentDecoded(text)
    for (const word of splitWords(text)) add(word)
    // Percent-encoded words, as in a pasted address, count as typed.
    if (decoded !== text) for (const word of splitWords(decoded)) if (!words.has(foldWord(word))) add(word)
  }
  return words

  function add(word: string): void {
    const known = words.get(foldWord(word))
    if (known === undefined) words.set(foldWord(word), { count: 1, spellings: new Set([word]) })
    else {
      known.count++
      known.spellings.add(word)
    }
  }
}

function isUsualSpelling(word: string, { spellings }: TypedWord): boolean {
  const plain = foldWord(word)
  return spellings.has(word) || word === plain || word === capitalized(plain)
}

function capitalized(word: string): string {
  const [first = '', ...rest] = word
  return first.toUpperCase() + rest.join('')
}

/** All addresses in a typed text, each in its equivalent spellings. */
function typedAddresses(text: string): string[] {
  const found: string[] = []
  for (const piece of text.normalize('NFC').split(/[\s<>"'`“”„«»]+/)) {
    const inside = /https?:\/\/.*/i.exec(piece)?.[0] ?? (hostPattern.test(piece) ? `https://${piece}` : undefined)
    // Trailing punctuation may or may not be part of the address: accept both.
    for (let rest = inside; rest !== undefined; rest = /[.,;:!?)\]}*_…]$/.test(rest) ? rest.slice(0, -1) : undefined) {
      const url = webUrl(rest)
      if (url !== undefined) found.push(...spellingsOf(url))
    }
  }
  return found
}

const hostPattern = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#.,;:!)].*)?$/u

function spellingsOf(url: URL): string[] {
  const { search } = url
  const whole = withoutScheme(url)
  const path = whole.slice(0, whole.length - search.length)
  return [whole, path + search.replaceAll('+', '%20'), path + search.replaceAll('%20', '+')]
}

const withoutScheme = ({ href }: URL): string => href.replace(/^https?:/, '')

/** As a request would send it, without the fragment. */
function webUrl(text: string): URL | undefined {
  const address = text.startsWith('//') ? `https:${text}` : text
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  url.hash = ''
  return url
}

/** Decodes percent-encoding as far as it is valid, and `+` as a blank. */
function percentDecoded(text: string): string {
  return text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes
    }
  })
}

/** An outbound word and where it comes from. */
export interface WordOrigin {
  word: string
  from: 'person' | 'note' | 'unknown'
  /** With `note`: the notes that contain it, the latest read first. */
  notes?: HoldingNote[]
}

interface HoldingNote {
  path: string
  /** The encoding of the note's text in the word. */
  as?: 'reversed' | 'base64' | 'hex'
}

const mostWordsShown = 200
const mostNotesRead = 100
const mostNotesNamed = 5

/** Shown to the user as a hint; never used for decisions. */
export async function wordOrigins(
  leaving: readonly OutboundContent[],
  typed: TypedText,
  read: readonly NotePath[],
  vault: Pick<ReadableVault, 'read'>,
): Promise<WordOrigin[]> {
  const words = new Set(leaving.flatMap(outboundWords))
  const notes = await readNotes(read.slice(-mostNotesRead), vault)
  return [...words].slice(0, mostWordsShown).map((word): WordOrigin => {
    if (
      // `!`: isInAddress is true only with an address.
      typed.hasWord(word) ||
      leaving.some(({ address }) => isInAddress(word, address) && typed.hasAddress(address!))
    ) {
      return { word, from: 'person' }
    }
    const spelled = [...possibleReadings(word)]
    const holding = notes.flatMap((note): HoldingNote[] => {
      const found = spelled.find(({ text }) => noteHolds(note, text))
      return found ? [{ path: note.path, ...(found.as && { as: found.as }) }] : []
    })
    return holding.length > 0
      ? { word, from: 'note', notes: holding.slice(0, mostNotesNamed) }
      : { word, from: 'unknown' }
  })
}

/** The words of an address (without its scheme) and of a text. */
function outboundWords({ address = '', words = '' }: OutboundContent): string[] {
  const text = `${percentDecoded(address.replace(/^\w+:\/\//, ''))} ${words}`
  // Base64-like text stays one token.
  return text.match(/[A-Za-z0-9+/_-]{8,}={1,2}|[\p{L}\p{M}\p{N}]+/gu) ?? []
}

const isInAddress = (word: string, address: string | undefined): boolean =>
  address !== undefined && percentDecoded(address).includes(word)

interface NoteText {
  path: NotePath
  /** Lower case, NFC. */
  text: string
  words: ReadonlySet<string>
}

async function readNotes(paths: readonly NotePath[], vault: Pick<ReadableVault, 'read'>): Promise<NoteText[]> {
  const texts: NoteText[] = []
  for (const path of [...paths].reverse()) {
    const text = foldWord(`${path}\n${await readText(path, vault)}`)
    texts.push({ path, text, words: new Set(text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) })
  }
  return texts
}

async function readText(path: NotePath, vault: Pick<ReadableVault, 'read'>): Promise<string> {
  try {
    return (await vault.read(path))?.text ?? ''
  } catch (error) {
    if (error instanceof Failure) return ''
    throw error
  }
}

/** True if a note contains a word, or (from four letters) a part of one. */
function noteHolds({ text, words }: NoteText, wanted: string): boolean {
  const word = foldWord(wanted)
  return words.has(word) || (word.length >= 4 && text.includes(word))
}

function* possibleReadings(word: string): Generator<{ as?: HoldingNote['as']; text: string }> {
  yield { text: word }
  yield { as: 'reversed', text: [...word].reverse().join('') }
  const hidden = [
    ['hex', /^(?:[0-9a-f]{2}){3,}$/i.test(word) ? hexDecoded(word) : ''],
    ['base64', /^[A-Za-z0-9+/_-]{4,}=*$/.test(word) ? base64Decoded(word) : ''],
  ] as const
  for (const [as, text] of hidden) {
    // The first and last word may be cut, so only the longest is used.
    const [longest = ''] = (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).sort((one, other) => other.length - one.length)
    if (longest.length >= 3) yield { as, text: longest }
  }
}

function hexDecoded(word: string): string {
  // `!`: the word has at least two characters, as its pattern demands.
  return decodeUtf8(Uint8Array.from(word.match(/../g)!, (pair) => Number.parseInt(pair, 16)))
}

function base64Decoded(word: string): string {
  try {
    const binary = atob(word.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''))
    return decodeUtf8(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
  } catch {
    return ''
  }
}

const decodeUtf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The sources of the text in a conversation. They are never removed. */
export interface ConversationSources {
  observe(provenance: Iterable<Provenance>, notes: Iterable<NotePath>): void
  /** Both the user's notes and text from elsewhere are present, so injected text could leak notes. */
  isTainted(): boolean
  /** At least one note was read, own or clipped. */
  hasNotes(): boolean
  /** Only the user's own messages are present. */
  isEmpty(): boolean
  /** Saved with the session. */
  seen(): Provenance[]
  /** The notes that were read, the latest last. */
  notes(): NotePath[]
}

/** How many note paths are remembered, for `wordOrigins`. */
const mostNotesRemembered = 500

export function conversationSources(
  before: Iterable<Provenance> = [],
  read: Iterable<NotePath> = [],
): ConversationSources {
  const seen = new Set<Provenance>(before)
  const notes = new Set<NotePath>(read)
  return {
    observe(provenance, paths) {
      for (const origin of provenance) seen.add(origin)
      for (const path of paths) {
        notes.delete(path)
        notes.add(path)
      }
      for (const oldest of notes) {
        if (notes.size <= mostNotesRemembered) break
        notes.delete(oldest)
      }
    },
    isTainted: () => seen.has('own-note') && (['clipped', 'web', 'mcp'] as const).some((origin) => seen.has(origin)),
    hasNotes: () => seen.has('own-note') || seen.has('clipped'),
    isEmpty: () => seen.size === 0,
    seen: () => [...seen],
    notes: () => [...notes],
  }
}
