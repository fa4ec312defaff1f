import type { EnclosedText } from '../model/index.js'
import type { CallResult } from './prompt.js'

interface ResultData<T> {
  data?: T
  /** Sentences around the data, e.g. about a corrected word or a list that was cut. */
  remarks: string[]
}

/** The JSON of a result, which is on a line of its own, and the sentences above and below it. */
export function dataIn<T>(text: string): ResultData<T> {
  const lines = text.split('\n')
  for (const [at, line] of lines.entries()) {
    if (!/^\s*[[{]/.test(line)) continue
    try {
      const data = JSON.parse(line) as T
      const remarks = [...lines.slice(0, at), ...lines.slice(at + 1)].map((each) => each.trim())
      return { data, remarks: remarks.filter((each) => each !== '') }
    } catch {
      // A sentence that begins with a bracket: the data is on another line.
    }
  }
  return { remarks: [] }
}

/** The records of a result that is a list; other entries are left out. */
export function parseRecords(text: string): Required<ResultData<Record<string, unknown>[]>> {
  const { data, remarks } = dataIn<unknown>(text)
  const list: unknown[] = Array.isArray(data) ? data : []
  return { data: list.filter(isObject), remarks }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Text that can be quoted. */
export interface QuotableText {
  /** Undefined for text that is not in the vault: a selection, an attachment. */
  path?: string
  title: string
  /** The heading above its first line. */
  heading?: string
  text: string
  /** True if it begins where the note begins. */
  isStart: boolean
  /** 1 for the best hit, less for lower ranks. */
  weight: number
  /** The search score, for a hit. */
  score?: number
  /** Read because a hit links to it; the search itself did not find it. */
  isFollowed?: true
}

/** Everything that can be quoted: attached texts, notes that were read, and search hits. */
export function quotableTexts(results: readonly CallResult[], attached: readonly EnclosedText[] = []): QuotableText[] {
  const hits = results
    .filter(({ name, isError }) => name === 'search_notes' && !isError)
    .flatMap(({ text }) => hitsIn(text))
  const reads = results
    .filter(({ name, isError }) => name === 'read_note' && !isError)
    .flatMap((read) => readNoteIn(read, hits))
  const enclosed = attached.map(({ label, text }) => ({ title: label, text, isStart: true, weight: 1 }))
  return [...enclosed, ...reads, ...hits]
}

function hitsIn(text: string): QuotableText[] {
  const top = parseRecords(text).data
  return top.flatMap((hit, rank): QuotableText[] => {
    const path = textOrEmpty(hit.path)
    const chunk = textOrEmpty(hit.chunk)
    const heading = textOrEmpty(hit.heading)
    if (path === '' || chunk === '') return []
    const title = textOrEmpty(hit.title) || path
    const score = typeof hit.score === 'number' ? hit.score : 0
    const weight = 1 / (1 + 0.25 * rank)
    return [{ path, title, ...(heading && { heading }), text: chunk, isStart: false, weight, score }]
  })
}

/** A note as `read_note` shows it: one line about it, then its text. */
function readNoteIn({ text, input }: CallResult, hits: readonly QuotableText[]): QuotableText[] {
  const match =
    /^\[(.+?), (?:empty|lines? [\d,]+(?:-[\d,]+)? of [\d,]+|[\d,]+ bytes?)(?:, part (\d+) of \d+)?\][^\n]*\n/m.exec(
      text,
    )
  if (match === null) return []
  const [header, path = '', part = '1'] = match
  const known = hits.find((hit) => hit.path === path || hit.path === input?.path)
  const title = known?.title ?? path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  const body = text.slice(match.index + header.length)
  const source = { path, title, text: body, isStart: part === '1', weight: known?.weight ?? 1 }
  return [known === undefined && isLink(input?.path) ? { ...source, isFollowed: true } : source]
}

/** True for a call that follows a link. A note that the user names is read by its path. */
const isLink = (path: unknown): boolean => typeof path === 'string' && path.startsWith('[[')

/** A link that Obsidian and the check of citations resolve: a wikilink where it can hold the name, else Markdown. */
export function citationLink(path: string, heading?: string): string {
  const anchor = heading === undefined || hasMarkup.test(heading) ? '' : headingInLink(heading)
  if (!/[[\]|#^\\\n]/.test(path)) return `[[${path.replace(/\.md$/i, '')}${anchor && `#${anchor}`}]]`
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  const target = encodePath(path) + (anchor && `#${encodePath(anchor)}`)
  return `[${name.replace(/[[\]\\|\n]/g, ' ').trim() || 'note'}](${target})`
}

/** A heading with links or code makes an unreadable link, so it is left out. */
const hasMarkup = /\]\(|\[\[|[`<>*|]|:\/\//

/** Characters that a link cannot hold become spaces: Obsidian compares headings this way. */
function headingInLink(heading: string): string {
  return heading
    .replace(/[#^|[\]\\:\n]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function encodePath(text: string): string {
  const parts = text.split('/').map((part) => {
    // A lone surrogate cannot be encoded, and no file name has one.
    const whole = part.replace(/[\ud800-\udfff]/gu, '\ufffd')
    return encodeURIComponent(whole).replace(/[()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  })
  return parts.join('/')
}
