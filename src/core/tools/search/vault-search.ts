import * as z from 'zod'
import { Failure } from '../../errors.js'
import { yieldToHost } from '../../index/index.js'
import { visibleText } from '../../text/index.js'
import type { NotePath } from '../../vault/index.js'
import { decodeNote, isNote, notePath } from '../../vault/index.js'
import { boundedLimit, counted, cutText, jsonText, remarks, remarksField, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import type { ReadableVault } from '../tool-context.js'
import { validationFailure } from '../tool-input.js'

/** Reading is mostly waiting; more at once would only hold more large notes in memory. */
const readAtOnce = 4

export const vaultSearch = defineTool({
  name: 'vault_search',
  title: 'Search names and text',
  description:
    'Find notes whose name or content contains a text exactly as written, ignoring case. Use it for names, phrases and identifiers; use search_notes for topics. Returns path, basename, number of matches and a preview, matches in names first.',
  activity: 'Searching the vault',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  input: z.object({
    query: z.string().max(500),
    limit: z.number().min(1).optional().describe('Default 10, at most 50'),
  }),
  example: { query: 'compost', limit: 5 },
  output: z.object({
    results: z.array(
      z.object({
        path: z.string(),
        basename: z.string(),
        matches: z.number().describe('Occurrences in the name and content'),
        preview: z.string(),
      }),
    ),
    remarks: remarksField,
  }),

  async run({ query, limit: asked }, { vault, signal }) {
    if (query.trim() === '') throw validationFailure('vault_search', 'query: empty')
    const { limit, remark } = boundedLimit('limit', asked, { usual: 10, most: 50 })
    const wanted = literalMatcher(query.trim())
    const notes = (await vault.files(signal))
      .filter(({ path }) => isNote(path))
      .map(({ path }) => candidate(path, wanted))
    const inOrder = [...notes.filter(({ inName }) => inName > 0), ...notes.filter(({ inName }) => inName === 0)]
    const pause = yieldToHost()
    const hits: Hit[] = []
    const unsearched: NotePath[] = []
    let looked = 0
    while (looked < inOrder.length && hits.length < limit) {
      signal.throwIfAborted()
      const few = inOrder.slice(looked, looked + readAtOnce)
      const found = await Promise.all(few.map((note) => lookInto(note, vault, wanted, pause)))
      for (const { hit, isUnsearched, path } of found) {
        if (isUnsearched) unsearched.push(path)
        if (hit !== undefined && hits.length < limit) hits.push(hit)
      }
      looked += few.length
      await pause()
    }
    const isCut = hits.length === limit && looked < inOrder.length
    const left = unsearched.length > 0 ? tooLong(unsearched) : undefined
    return { results: hits, ...remarks(remark, isCut ? more(limit) : undefined, left) }
  },

  render: (found) => jsonText(found.results, found.remarks),
  notesIn: ({ results }) => results.map(({ path }) => notePath(path)),
  summary: ({ results }) => counted(results.length, 'note'),
})

interface Candidate {
  path: NotePath
  basename: string
  /** Occurrences in the name. */
  inName: number
}

interface Hit {
  path: string
  basename: string
  matches: number
  preview: string
}

interface SearchLook {
  path: NotePath
  hit?: Hit | undefined
  isUnsearched?: boolean
}

function candidate(path: NotePath, wanted: LiteralMatcher): Candidate {
  const basename = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  return { path, basename, inName: wanted.countIn(toNfc(basename)).count }
}

/** Privacy is known only after reading, so a note found by its name is also read before it is named. */
async function lookInto(
  note: Candidate,
  vault: ReadableVault,
  wanted: LiteralMatcher,
  pause: () => Promise<void> | undefined,
): Promise<SearchLook> {
  const { path } = note
  let text: string
  try {
    const file = await vault.read(path)
    if (file === undefined) return { path }
    text = toNfc(file.text)
  } catch (error) {
    if (error instanceof Failure && error.code === 'too-large') return lookAtStart(note, vault, wanted)
    // A note that cannot be read does not keep the others from being found.
    return { path }
  }
  const { count, first } = await wanted.countInLong(text, pause)
  return { path, hit: hitFor(note, count, wanted.previewOf(text, first)) }
}

async function lookAtStart(note: Candidate, vault: ReadableVault, wanted: LiteralMatcher): Promise<SearchLook> {
  const { path } = note
  const part = note.inName === 0 ? undefined : await vault.readPart(path, { from: 0, bytes: 1000 })
  const start = part === undefined ? '' : `${wanted.previewOf(toNfc(decodeNote(part.bytes).text), -1)}`
  return { path, isUnsearched: true, hit: part && hitFor(note, 0, start) }
}

function hitFor({ path, basename, inName }: Candidate, inText: number, preview: string): Hit | undefined {
  const matches = inName + inText
  return matches === 0
    ? undefined
    : { path, basename: shortText(basename), matches, preview: visibleText(preview).text }
}

const more = (limit: number): string =>
  `Stopped at ${limit}; there may be more. ${limit < 50 ? 'Raise limit or use' : 'Use'} a longer query.`

function tooLong(paths: readonly NotePath[]): string {
  const named = paths.slice(0, 5).map((path) => shortText(path))
  const rest = paths.length > named.length ? ` and ${paths.length - named.length} more` : ''
  return `Too large to search: ${named.join(', ')}${rest}. Read them in parts.`
}

interface Matches {
  /** Occurrences that do not overlap. */
  count: number
  /** Offset of the first occurrence, or -1. */
  first: number
}

/** A literal text to find, ignoring case. Not a pattern: no query can be slow. */
interface LiteralMatcher {
  countIn(text: string): Matches
  /** The same for a text of any length, giving others a turn in between. */
  countInLong(text: string, pause: () => Promise<void> | undefined): Promise<Matches>
  /** 100 characters on either side of the first occurrence, else the first 200. `...` marks a cut. */
  previewOf(text: string, first: number): string
}

export function literalMatcher(query: string): LiteralMatcher {
  const wanted = foldLetters(toNfc(query))
  const stride = 1 << 20

  const countFrom = (text: string, base: number, end: number, found: Matches & { next: number }): void => {
    // A match that begins in this stretch may end in the next.
    const stretch = foldLetters(text.slice(base, end + wanted.length - 1))
    let at = stretch.indexOf(wanted, Math.max(0, found.next - base))
    while (at !== -1) {
      if (found.count++ === 0) found.first = base + at
      found.next = base + at + wanted.length
      at = stretch.indexOf(wanted, at + wanted.length)
    }
  }

  return {
    countIn(text) {
      const found = { count: 0, first: -1, next: 0 }
      countFrom(text, 0, text.length, found)
      return found
    },
    async countInLong(text, pause) {
      const found = { count: 0, first: -1, next: 0 }
      for (let base = 0; base < text.length; base += stride) {
        countFrom(text, base, Math.min(base + stride, text.length), found)
        await pause()
      }
      return found
    },
    previewOf(text, first) {
      if (first < 0) return text.length > previewRadius * 2 ? `${cutText(text, previewRadius * 2)}...` : text
      const start = wholeCharacter(text, Math.max(0, first - previewRadius))
      const end = wholeCharacter(text, Math.min(text.length, first + wanted.length + previewRadius))
      return `${start > 0 ? '...' : ''}${text.slice(start, end)}${end < text.length ? '...' : ''}`
    },
  }
}

/** The form in which texts are searched and previewed: é is one character however it was typed. */
export const toNfc = (text: string): string => text.normalize('NFC')

const previewRadius = 100

/** Keeps every character's place: only İ would grow when lower-cased, and Σ depend on its neighbours. */
function foldLetters(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ')
}

function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at
}
