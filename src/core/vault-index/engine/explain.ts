import type { Candidate } from './candidate.js'
import type { Parts } from './fusion.js'
import type { Query } from './query.js'
import type { Segment } from './segment.js'
import { VarintReader } from './varint.js'

/** Why a note is where it is: the parts add up to its standing; the rest says what they were made of. */
export type Why = Parts & Substance

type Substance = {
  /** BM25 of stems and names, of surface words, of word pieces, for the whole note. Unspaced scripts have stems alone. */
  stems: number
  surface: number
  subword: number
  /** Stems of the query that the note holds, with their number; those in its names. */
  terms: Record<string, number>
  inNames: string[]
}

export function explainTerms(segment: Segment, candidate: Candidate, query: Query): Substance {
  const { noteUnits, unitStreams, wordStems } = segment.arrays
  const { note, surface, subword } = candidate
  const wanted = new Map(query.stems.map(({ text, bytes }) => [segment.findStem(bytes), text]))
  const terms = Object.create(null) as Record<string, number>
  const inNames = new Set<string>()
  for (let unit = noteUnits[note]; unit < noteUnits[note + 1]; unit++) {
    const reader = new VarintReader(segment.streamOf(unit, unit + 1), unitStreams[unit])
    while (reader.at < unitStreams[unit + 1]) {
      const word = reader.next()
      const stem = word === 0 ? undefined : wanted.get(wordStems[word])
      if (stem === undefined) continue
      terms[stem] = (terms[stem] ?? 0) + 1
      if (unit === noteUnits[note]) inNames.add(stem)
    }
  }
  return { stems: segment.noteScores[note] - surface - subword, surface, subword, terms, inNames: [...inNames] }
}
