import type { Query } from './analyze-query.js'
import { type Collection, nameRarity, rarity } from './collection.js'
import type { RankingWeights } from './ranking-weights.js'
import type { Segment } from './segment.js'
import { isUnspaced } from './words.js'

// `!` is used on candidates and marks below their count, on their segments, and on arrays of a segment at its own
// notes, units, words and grams.

/** A note that may be a hit. */
export interface Candidate {
  /** Position of its segment, and its position in the segment. */
  at: number
  note: number
  id: number
  /** The parts of the note's score that come from surface words and from grams. */
  surface: number
  subword: number
}

/**
 * Adds surface words, grams and word proximity to the scores of the best notes and their chunks, by reading the notes'
 * own words. This separates notes that share the same stems.
 */
export function rerank(
  segments: readonly Segment[],
  candidates: readonly Candidate[],
  query: Query,
  collection: Collection,
  ranking: RankingWeights,
): void {
  const features = weighFeatures(segments, query, collection, ranking)
  if (features.weights.length === 0) return
  const end = endWithinLimit(segments, candidates, ranking)
  for (let at = 0; at < segments.length; at++) {
    let state: Rescoring | undefined
    for (let place = 0; place < end; place++) {
      if (candidates[place]!.at !== at) continue
      state ??= startRescoring(segments[at]!, features, collection, ranking)
      rescoreNote(segments[at]!, candidates[place]!, state)
    }
    if (state !== undefined) clearMarks(segments[at]!, state)
  }
}

/** Number of best candidates within the limit of words: very long notes must not make a query slow. */
function endWithinLimit(
  segments: readonly Segment[],
  candidates: readonly Candidate[],
  { reranked, readLimit }: RankingWeights,
): number {
  const most = Math.min(candidates.length, reranked)
  let words = 0
  for (let place = 0; place < most; place++) {
    const { at, note } = candidates[place]!
    words += segments[at]!.arrays.noteLengths[note]!
    if (words > readLimit) return Math.max(place, 1)
  }
  return most
}

/** State for rescoring the notes of one segment. Each marked word leads to a linked list of its features. */
interface Rescoring {
  nextLink: Int32Array
  linkFeature: Int32Array
  marked: Int32Array
  markedCount: number
  weights: Float64Array
  /** Index of the first gram among the features. */
  surfaces: number
  inNote: Counter
  inNames: Counter
  inUnit: Counter
  base: number
  noteSlope: number
  chunkSlope: number
  namesInChunks: boolean
  /** Features after the grams are stems of the query. */
  proximity: Proximity
}

function startRescoring(
  segment: Segment,
  features: Features,
  collection: Collection,
  ranking: RankingWeights,
): Rescoring {
  const { k1, b, namesInChunks } = ranking
  const size = features.weights.length
  const state: Rescoring = {
    nextLink: scratch.nextLink,
    linkFeature: scratch.linkFeature,
    marked: scratch.marked,
    markedCount: 0,
    weights: Float64Array.from(features.weights, (weight) => weight * (k1 + 1)),
    surfaces: features.surfaces.length,
    inNote: counterOf(size),
    inNames: counterOf(size),
    inUnit: counterOf(size),
    base: k1 * (1 - b),
    noteSlope: (k1 * b) / collection.noteLength,
    chunkSlope: (k1 * b) / (collection.chunkLength + (namesInChunks ? collection.nameLength : 0)),
    namesInChunks,
    proximity: new Proximity(features.proximity.weights, features.proximity.areFunction, k1, ranking.proximity),
  }
  markWords(segment, features, state)
  return state
}

/** Scratch memory, reused to avoid garbage per query. */
const scratch: Pick<Rescoring, 'nextLink' | 'linkFeature' | 'marked'> = {
  nextLink: new Int32Array(1 << 12),
  linkFeature: new Int32Array(1 << 12),
  marked: new Int32Array(1 << 12),
}

function markWords(segment: Segment, { surfaces, grams, proximity }: Features, state: Rescoring): void {
  const { gramOffsets, gramWords, wordStems } = segment.arrays
  const firstStem = surfaces.length + grams.length
  const stemFeature = new Map(proximity.stems.map((bytes, at) => [segment.findStem(bytes), firstStem + at]))
  const placed = new Set<number>()
  let links = 1
  const mark = (word: number, feature: number) => markWord(segment.wordMarks, word, feature, links++, state)
  const markPlace = (word: number) => {
    const feature = stemFeature.get(wordStems[word]!)
    if (feature === undefined || placed.has(word)) return
    placed.add(word)
    mark(word, feature)
  }
  for (const [feature, bytes] of surfaces.entries()) {
    const word = segment.findWord(bytes)
    if (word >= 0) mark(word, feature)
  }
  for (const [at, key] of grams.entries()) {
    const gram = segment.findGram(key)
    const end = gram < 0 ? 0 : gramOffsets[gram + 1]!
    const feature = surfaces.length + at
    let word = 0
    for (let place = gram < 0 ? 0 : gramOffsets[gram]!; place < end; ) {
      let byte = gramWords[place++]!
      let distance = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = gramWords[place++]!
        distance |= (byte & 127) << shift
      }
      word += distance
      markWord(segment.wordMarks, word, feature, links++, state)
      // Inflected forms share a gram with the query's word.
      if (stemFeature.size > 0) markPlace(word)
    }
  }
  for (const bytes of proximity.words) {
    const word = segment.findWord(bytes)
    if (word >= 0) markPlace(word)
  }
}

function markWord(wordMarks: Int32Array, word: number, feature: number, link: number, state: Rescoring): void {
  if (link === state.nextLink.length) {
    scratch.nextLink = state.nextLink = grown(state.nextLink)
    scratch.linkFeature = state.linkFeature = grown(state.linkFeature)
    scratch.marked = state.marked = grown(state.marked)
  }
  if (wordMarks[word] === 0) state.marked[state.markedCount++] = word
  state.nextLink[link] = wordMarks[word]!
  state.linkFeature[link] = feature
  wordMarks[word] = link
}

function clearMarks({ wordMarks }: Segment, { marked, markedCount }: Rescoring): void {
  for (let at = 0; at < markedCount; at++) wordMarks[marked[at]!] = 0
}

function rescoreNote(segment: Segment, candidate: Candidate, state: Rescoring): void {
  const { noteUnits, unitLengths, noteLengths } = segment.arrays
  const { inNote, inNames, inUnit, weights, base, namesInChunks } = state
  const { note } = candidate
  const first = noteUnits[note]!
  const chunkEnd = segment.chunkEnd(note)
  const end = noteUnits[note + 1]!
  const stream = segment.streamOf(first, end)
  let nearest = 0
  let nearInNames = 0
  for (let unit = first; unit < end; unit++) {
    countUnit(segment, stream, unit, state)
    addCounts(inUnit, inNote)
    const length = unitLengths[unit]! + (namesInChunks && unit > first ? unitLengths[first]! : 0)
    const norm = base + state.chunkSlope * length
    const near = state.proximity.finishPassage(norm)
    if (unit === first) {
      if (namesInChunks) addCounts(inUnit, inNames)
      nearInNames = near
    } else if (unit < chunkEnd) {
      addCounts(inNames, inUnit)
      segment.unitScores[unit]! += near + nearInNames + sumFeatures(inUnit, weights, norm, 0, weights.length)
      nearest = Math.max(nearest, near)
    }
    clearCounts(inUnit)
  }
  const norm = base + state.noteSlope * noteLengths[note]!
  candidate.surface = sumFeatures(inNote, weights, norm, 0, state.surfaces)
  candidate.subword = sumFeatures(inNote, weights, norm, state.surfaces, weights.length)
  segment.noteScores[note]! += candidate.surface + candidate.subword + nearest + nearInNames
  clearCounts(inNames)
  clearCounts(inNote)
}

function countUnit(
  { arrays, wordMarks }: Segment,
  stream: Uint8Array,
  unit: number,
  { nextLink, linkFeature, inUnit, weights, proximity }: Rescoring,
): void {
  const { unitStreams } = arrays
  const end = unitStreams[unit + 1]!
  let at = unitStreams[unit]!
  let place = 0
  while (at < end) {
    place++
    // Almost all words have one or two bytes, and this loop is most of a query's work.
    let word = stream[at++]!
    if (word > 127) {
      let byte = stream[at++]!
      word = (word & 127) | ((byte & 127) << 7)
      for (let shift = 14; byte > 127; shift += 7) {
        byte = stream[at++]!
        word |= (byte & 127) << shift
      }
    }
    for (let link = wordMarks[word]!; link !== 0; link = nextLink[link]!) {
      const feature = linkFeature[link]!
      if (feature < weights.length) countFeature(inUnit, feature, 1)
      else proximity.addWord(feature - weights.length, place)
    }
  }
}

function sumFeatures(
  { met, counts, size }: Counter,
  weights: Float64Array,
  norm: number,
  from: number,
  to: number,
): number {
  let total = 0
  for (let at = 0; at < size; at++) {
    const feature = met[at]!
    if (feature < from || feature >= to) continue
    const many = counts[feature]!
    total += (weights[feature]! * many) / (many + norm)
  }
  return total
}

function grown(array: Int32Array): Int32Array {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** Count of each feature; `met` lists those with a count. */
interface Counter {
  counts: Int32Array
  met: Int32Array
  size: number
}

function counterOf(features: number): Counter {
  return { counts: new Int32Array(features), met: new Int32Array(features), size: 0 }
}

function countFeature(counter: Counter, feature: number, many: number): void {
  if (counter.counts[feature] === 0) counter.met[counter.size++] = feature
  counter.counts[feature]! += many
}

function addCounts(from: Counter, to: Counter): void {
  for (let at = 0; at < from.size; at++) countFeature(to, from.met[at]!, from.counts[from.met[at]!]!)
}

function clearCounts(counter: Counter): void {
  for (let at = 0; at < counter.size; at++) counter.counts[counter.met[at]!] = 0
  counter.size = 0
}

/** The weighted features of a query that rescoring counts in notes. */
interface Features {
  /** Surface words and grams. */
  surfaces: Uint8Array[]
  grams: number[]
  /** Weights of the surfaces, then of the grams. */
  weights: number[]
  /** Stems whose proximity counts, and the query's words with them. */
  proximity: { stems: Uint8Array[]; weights: Float64Array; areFunction: boolean[]; words: Uint8Array[] }
}

function weighFeatures(
  segments: readonly Segment[],
  query: Query,
  collection: Collection,
  ranking: RankingWeights,
): Features {
  const features: Features = {
    surfaces: [],
    grams: [],
    weights: [],
    proximity: proximityStems(segments, query, collection),
  }
  const repeated = (count: number) => (count * (ranking.k3 + 1)) / (count + ranking.k3)
  for (const { bytes, count, share } of ranking.surface === 0 ? [] : query.surfaces) {
    let notes = 0
    for (const segment of segments) {
      const word = segment.findWord(bytes)
      if (word >= 0) notes += segment.notesWithWord(word)
    }
    if (notes === 0 || notes * 2 > collection.notes) continue
    features.surfaces.push(bytes)
    features.weights.push(ranking.surface * rarity(collection.notes, notes) * repeated(count) * share)
  }
  for (const { key, count, share } of ranking.subword === 0 ? [] : query.grams) {
    let holdings = 0
    for (const segment of segments) {
      const gram = segment.findGram(key)
      if (gram >= 0) holdings += segment.holdingsOfGram(gram)
    }
    // Expected number of notes if that many words were distributed at random.
    const notes = collection.notes * (1 - Math.exp(-holdings / collection.notes))
    if (holdings === 0 || notes * 2 > collection.notes) continue
    features.grams.push(key)
    features.weights.push(ranking.subword * rarity(collection.notes, notes) * repeated(count) * share)
  }
  return features
}

/** Unspaced scripts are left out: their overlapping pairs already encode adjacency. */
function proximityStems(segments: readonly Segment[], query: Query, collection: Collection): Features['proximity'] {
  const stems: Uint8Array[] = []
  const weights: number[] = []
  const areFunction: boolean[] = []
  for (const { bytes, share, text, isFunction } of query.stems) {
    if (isUnspaced(text.codePointAt(0) as number)) continue
    let notes = 0
    for (const segment of segments) {
      const stem = segment.findStem(bytes)
      if (stem >= 0) notes += segment.notesWithStem(stem)
    }
    if (notes === 0) continue
    stems.push(bytes)
    areFunction.push(isFunction)
    weights.push(share * nameRarity(collection.notes, notes))
  }
  // Proximity needs two stems.
  if (stems.length < 2) return { stems: [], weights: new Float64Array(0), areFunction: [], words: [] }
  return { stems, weights: Float64Array.from(weights), areFunction, words: query.surfaces.map(({ bytes }) => bytes) }
}

/** Largest distance in words that counts. */
const longestDistance = 8

/**
 * Proximity of the query's words in one passage (Büttcher, Clarke and Lushman 2006): each word gains the weight of its
 * nearest neighbour divided by the squared distance. Words arrive in the order of the text.
 */
class Proximity {
  private readonly gains: Float64Array
  private last = -1
  private lastPlace = 0
  private isAny = false

  constructor(
    private readonly weights: Float64Array,
    private readonly areFunction: readonly boolean[],
    private readonly k1: number,
    private readonly share: number,
  ) {
    this.gains = new Float64Array(weights.length)
  }

  addWord(word: number, place: number): void {
    const { last, gains, weights } = this
    const distance = place - this.lastPlace
    const isAsking = this.areFunction[word] && this.areFunction[last]
    if (last >= 0 && last !== word && distance <= longestDistance && !isAsking) {
      const nearness = 1 / (distance * distance)
      gains[word]! += weights[last]! * nearness
      gains[last]! += weights[word]! * nearness
      this.isAny = true
    }
    this.last = word
    this.lastPlace = place
  }

  /** Returns the gain of the passage, damped by `norm` for long ones, and starts the next. */
  finishPassage(norm: number): number {
    this.last = -1
    if (!this.isAny) return 0
    this.isAny = false
    const { gains, weights, k1 } = this
    let sum = 0
    for (let word = 0; word < gains.length; word++) {
      if (gains[word] === 0) continue
      sum += (Math.min(1, weights[word]!) * gains[word]! * (k1 + 1)) / (gains[word]! + norm)
      gains[word] = 0
    }
    return this.share * sum
  }
}
