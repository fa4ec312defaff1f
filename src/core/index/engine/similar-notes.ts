import type { VectorBlock } from '../semantic/vector-block.js'
import { type QueryStem, queryStem } from './analyze-query.js'
import { type Collection, collectionOf, MeanAndDeviation, rarity, standardScore } from './collection.js'
import { scoreStems } from './lexical.js'
import type { RankingWeights } from './ranking-weights.js'
import type { Segment } from './segment.js'
import { nameBreak, VarintReader } from './segment-format.js'
import type { SearchedSegment } from './semantic-scores.js'
import { isAddressWord } from './words.js'

// `!` is used on arrays of a segment at its own notes and stems, and on arrays with one entry for each searched
// segment.

/** Position of a note: its segment, and its position in the segment. */
export interface NotePosition {
  at: number
  note: number
}

/** Similarity of every note to one note, by segment and position, in standard deviations above the vault's mean. */
interface NoteSimilarity {
  words: readonly Float32Array[]
  /** Empty if the note has no vector. */
  meaning: readonly Float32Array[]
  /** The note's most distinctive stems, best first. */
  stems: readonly DistinctiveStem[]
}

export interface DistinctiveStem {
  bytes: Uint8Array
  /** A form of the stem that occurs in the note. */
  word: string
}

export function positionOf(segments: readonly SearchedSegment[], id: number): NotePosition | undefined {
  for (const [at, { segment }] of segments.entries()) {
    if (segment.has(id)) return { at, note: segment.noteNumber(id) }
  }
  return undefined
}

/** Compares a note with all others by its most distinctive stems and by vectors. */
export function similarNotes(
  searched: readonly SearchedSegment[],
  position: NotePosition,
  mostStems: number,
  ranking: RankingWeights,
): NoteSimilarity {
  const segments = searched.map(({ segment }) => segment)
  const collection = collectionOf(segments)
  const stems = distinctiveStems(segments, position, collection, mostStems)
  scoreStems(segments, { stems: stems.map(({ query }) => query) }, collection, ranking)
  const own = vectorSimilarity(searched, position, 'vectors')
  const provided = vectorSimilarity(searched, position, 'embedded')
  return {
    // Copied, because another query may overwrite the segments' score arrays while this one awaits rows.
    words: standardised(
      segments,
      segments.map(({ noteScores }) => noteScores.slice()),
    ),
    meaning:
      own && provided
        ? own.map((scores, at) => scores.map((score, i) => (score + provided[at]![i]!) / 2))
        : (own ?? provided ?? []),
    stems: stems.map(({ query: { bytes }, word }) => ({ bytes, word })),
  }
}

interface WeightedStem {
  query: QueryStem
  word: string
}

function distinctiveStems(
  segments: readonly Segment[],
  position: NotePosition,
  { notes }: Collection,
  most: number,
): WeightedStem[] {
  const segment = segments[position.at]!
  const { stemBytes, stemOffsets } = segment.arrays
  const bytesOf = (stem: number) => stemBytes.subarray(stemOffsets[stem], stemOffsets[stem + 1])
  const found: { stem: number; count: number; word: number; weight: number }[] = []
  for (const [stem, { count, word }] of countStems(segment, position.note)) {
    if (isAddressWord(stemBytes, stemOffsets[stem]!)) continue
    let holders = 0
    for (const each of segments) {
      const number = each === segment ? stem : each.findStem(bytesOf(stem))
      if (number >= 0) holders += each.notesWithStem(number)
    }
    // A stem that occurs in no other note finds none.
    if (holders > 1) found.push({ stem, count, word, weight: (1 + Math.log(count)) * rarity(notes, holders) })
  }
  found.sort((a, b) => b.weight - a.weight)
  return found.slice(0, most).map(({ stem, count, word }) => ({
    query: queryStem({ text: segment.stemText(stem), bytes: bytesOf(stem), count, share: 1, isFunction: false }),
    word: segment.wordText(word),
  }))
}

/** The stems of a note, each with its count and one of its words. */
function countStems(segment: Segment, note: number): Map<number, { count: number; word: number }> {
  const { noteUnits, unitStreams, wordStems } = segment.arrays
  const [from, to] = [noteUnits[note]!, noteUnits[note + 1]!]
  const reader = new VarintReader(segment.streamOf(from, to), unitStreams[from]!)
  const stems = new Map<number, { count: number; word: number }>()
  while (reader.at < unitStreams[to]!) {
    const word = reader.next()
    if (word === nameBreak) continue
    const known = stems.get(wordStems[word]!)
    if (known === undefined) stems.set(wordStems[word]!, { count: 1, word })
    else known.count++
  }
  return stems
}

function vectorSimilarity(
  searched: readonly SearchedSegment[],
  { at, note }: NotePosition,
  which: 'vectors' | 'embedded',
): Float32Array[] | undefined {
  const own = completeVectors(searched[at]!, which)
  if (own === undefined || own.scales[note] === 0) return undefined
  const { model, dimension } = own
  const values = own.vectors.subarray(note * dimension, (note + 1) * dimension)
  const vector = { model, dimension, values, scale: own.scales[note]! }
  const cosines = searched.map((each) => {
    const scores = new Float32Array(each.segment.noteCount)
    const block = completeVectors(each, which)
    if (block?.model === model) block.dotAll(vector, scores)
    return scores
  })
  return standardised(
    searched.map(({ segment }) => segment),
    cosines,
  )
}

function completeVectors(searched: SearchedSegment, which: 'vectors' | 'embedded'): VectorBlock | undefined {
  const { segment, [which]: block } = searched
  return block?.count === segment.noteCount + segment.chunkTotal ? block : undefined
}

function standardised(segments: readonly Segment[], scores: Float32Array[]): Float32Array[] {
  const spread = new MeanAndDeviation()
  for (const [at, { dead }] of segments.entries()) {
    for (let note = 0; note < dead.length; note++) if (dead[note] === 0) spread.add(scores[at]![note]!)
  }
  const scale = spread.done()
  for (const each of scores)
    for (let note = 0; note < each.length; note++) each[note] = standardScore(each[note]!, scale)
  return scores
}
