import type { Material, Result } from '../prompt/index.js'
import { recordsIn, textOf } from './result-data.js'

/** Text that can be quoted. */
export interface Source {
  /** Undefined for text that is not in the vault: a selection, an attachment. */
  path?: string
  title: string
  /** The heading its first line stands under. */
  heading?: string
  text: string
  /** Before its first line there is nothing else of the note. */
  isStart: boolean
  /** 1 for the best hit, less further down. */
  weight: number
  /** What the search gave it, for a hit. */
  score?: number
  /** Read because a hit links to it; what was asked for did not find it. */
  isFollowed?: true
}

/** What searches found, what was read, and what the person attached. */
export function sourcesIn(results: readonly Result[], attached: readonly Material[] = []): Source[] {
  const hits = results
    .filter(({ name, isError }) => name === 'search_notes' && !isError)
    .flatMap(({ text }) => hitsIn(text))
  const reads = results
    .filter(({ name, isError }) => name === 'read_note' && !isError)
    .flatMap((read) => readIn(read, hits))
  const beside = attached.map(({ label, text }) => ({ title: label, text, isStart: true, weight: 1 }))
  return [...beside, ...reads, ...hits]
}

function hitsIn(text: string): Source[] {
  const top = recordsIn(text).data
  return top.flatMap((hit, rank): Source[] => {
    const path = textOf(hit.path)
    const chunk = textOf(hit.chunk)
    const heading = textOf(hit.heading)
    if (path === '' || chunk === '') return []
    const title = textOf(hit.title) || path
    const score = typeof hit.score === 'number' ? hit.score : 0
    const weight = 1 / (1 + 0.25 * rank)
    return [{ path, title, ...(heading && { heading }), text: chunk, isStart: false, weight, score }]
  })
}

/** A note as `read_note` shows it: one line about it, then its text. */
function readIn({ text, input }: Result, hits: readonly Source[]): Source[] {
  const match =
    /^\[(.+?), (?:empty|lines? [\d,]+(?:-[\d,]+)? of [\d,]+|[\d,]+ bytes?)(?:, part (\d+) of \d+)?\][^\n]*\n/m.exec(
      text,
    )
  if (match === null) return []
  const path = match[1]
  const known = hits.find((hit) => hit.path === path || hit.path === input?.path)
  const title = known?.title ?? path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  const isStart = (match[2] ?? '1') === '1'
  const about = { path, title, text: text.slice(match.index + match[0].length), isStart, weight: known?.weight ?? 1 }
  return [known === undefined && isLink(input?.path) ? { ...about, isFollowed: true } : about]
}

/** As a link is followed. A note that the person names is read by its path. */
const isLink = (path: unknown): boolean => typeof path === 'string' && path.startsWith('[[')
