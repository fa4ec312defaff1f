import type { VectorBlock } from '../semantic/index.js'
import { isAddressWord } from './addresses.js'
import { type Collection, collectionOf, rarity } from './collection.js'
import { scoreStems } from './lexical.js'
import { MeanAndDeviation, standardScore } from './mean-and-deviation.js'
import { type QueryStem, queryStem } from './query.js'
import type { Recipe } from './recipe.js'
import type { Segment } from './segment.js'
import { nameBreak } from './segment-builder.js'
import type { SearchedSegment } from './semantic-scores.js'
import { VarintReader } from './varint.js'

/** Where a note stands: its segment's position, and its own in it. */
export interface NotePlace {
  at: number
  note: number
}

/** How like a note every other one is, by segment and position, in standard deviations above the vault's mean. */
export interface Likeness {
  words: readonly Float32Array[]
  /** Empty where the note has no vector. */
  meaning: readonly Float32Array[]
  /** What the note says that few others say, the most telling first. */
  stems: readonly TellingStem[]
}

export interface TellingStem {
  bytes: Uint8Array
  /** As the note writes it. */
  word: string
}

export function placeOf(segments: readonly SearchedSegment[], id: number): NotePlace | undefined {
  for (const [at, { segment }] of segments.entries()) {
    if (segment.has(id)) return { at, note: segment.noteNumber(id) }
  }
  return undefined
}

/** All of a note's text as a question would ask for no more than its most telling words. */
export function likeNote(
  searched: readonly SearchedSegment[],
  place: NotePlace,
  mostStems: number,
  recipe: Recipe,
): Likeness {
  const segments = searched.map(({ segment }) => segment)
  const collection = collectionOf(segments)
  const stems = tellingStems(segments, place, collection, mostStems)
  scoreStems(segments, { stems: stems.map(({ asked }) => asked) }, collection, recipe)
  const own = meaningOf(searched, place, 'vectors')
  const provided = meaningOf(searched, place, 'embedded')
  return {
    // The segments' own scores are those of the last question; another may come while this one waits for rows.
    words: standardised(
      segments,
      segments.map(({ noteScores }) => noteScores.slice()),
    ),
    meaning:
      own && provided
        ? own.map((scores, at) => scores.map((score, i) => (score + provided[at][i]) / 2))
        : (own ?? provided ?? []),
    stems: stems.map(({ asked: { bytes }, word }) => ({ bytes, word })),
  }
}

interface AskedStem {
  asked: QueryStem
  word: string
}

function tellingStems(
  segments: readonly Segment[],
  place: NotePlace,
  { notes }: Collection,
  most: number,
): AskedStem[] {
  const segment = segments[place.at]
  const { stemBytes, stemOffsets } = segment.arrays
  const bytesOf = (stem: number) => stemBytes.subarray(stemOffsets[stem], stemOffsets[stem + 1])
  const found: { stem: number; count: number; word: number; weight: number }[] = []
  for (const [stem, { count, word }] of stemsIn(segment, place.note)) {
    if (isAddressWord(stemBytes, stemOffsets[stem])) continue
    let holders = 0
    for (const each of segments) {
      const number = each === segment ? stem : each.findStem(bytesOf(stem))
      if (number >= 0) holders += each.notesWithStem(number)
    }
    // What no other note says leads to none.
    if (holders > 1) found.push({ stem, count, word, weight: (1 + Math.log(count)) * rarity(notes, holders) })
  }
  found.sort((a, b) => b.weight - a.weight)
  return found.slice(0, most).map(({ stem, count, word }) => ({
    asked: queryStem({ text: segment.stemText(stem), bytes: bytesOf(stem), count, share: 1, isFunction: false }),
    word: segment.wordText(word),
  }))
}

/** The stems of a note, each with how often it stands there and a word it stands in. */
function stemsIn(segment: Segment, note: number): Map<number, { count: number; word: number }> {
  const { noteUnits, unitStreams, wordStems } = segment.arrays
  const [from, to] = [noteUnits[note], noteUnits[note + 1]]
  const reader = new VarintReader(segment.streamOf(from, to), unitStreams[from])
  const stems = new Map<number, { count: number; word: number }>()
  while (reader.at < unitStreams[to]) {
    const word = reader.next()
    if (word === nameBreak) continue
    const known = stems.get(wordStems[word])
    if (known === undefined) stems.set(wordStems[word], { count: 1, word })
    else known.count++
  }
  return stems
}

function meaningOf(
  searched: readonly SearchedSegment[],
  { at, note }: NotePlace,
  which: 'vectors' | 'embedded',
): Float32Array[] | undefined {
  const own = usable(searched[at], which)
  if (own === undefined || own.scales[note] === 0) return undefined
  const { model, dimension } = own
  const values = own.vectors.subarray(note * dimension, (note + 1) * dimension)
  const vector = { model, dimension, values, scale: own.scales[note] }
  const cosines = searched.map((each) => {
    const scores = new Float32Array(each.segment.noteCount)
    const block = usable(each, which)
    if (block?.model === model) block.dotAll(vector, scores)
    return scores
  })
  return standardised(
    searched.map(({ segment }) => segment),
    cosines,
  )
}

function usable(searched: SearchedSegment, which: 'vectors' | 'embedded'): VectorBlock | undefined {
  const { segment, [which]: block } = searched
  return block?.count === segment.noteCount + segment.chunkTotal ? block : undefined
}

function standardised(segments: readonly Segment[], scores: Float32Array[]): Float32Array[] {
  const spread = new MeanAndDeviation()
  for (const [at, { dead }] of segments.entries()) {
    for (let note = 0; note < dead.length; note++) if (dead[note] === 0) spread.add(scores[at][note])
  }
  const scale = spread.done()
  for (const each of scores)
    for (let note = 0; note < each.length; note++) each[note] = standardScore(each[note], scale)
  return scores
}
