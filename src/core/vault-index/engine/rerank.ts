import type { Candidate } from './candidate.js'
import { type Collection, rarity } from './collection.js'
import type { Query } from './query.js'
import type { Recipe } from './recipe.js'
import type { Segment } from './segment.js'

/** The surface words and the pieces of words that the query holds and that tell notes apart. */
interface Features {
  surfaces: Uint8Array[]
  grams: number[]
  /** Of the surfaces, then of the grams. */
  weights: number[]
}

/**
 * Adds what surface words and word pieces say of the best notes and their chunks, by reading the notes' own words. The
 * postings of stems have found the notes; these fields only tell apart what the stems have brought together.
 */
export function rerank(
  segments: readonly Segment[],
  candidates: readonly Candidate[],
  query: Query,
  collection: Collection,
  recipe: Recipe,
): void {
  const features = weighFeatures(segments, query, collection, recipe)
  if (features.weights.length === 0) return
  const end = endWithinLimit(segments, candidates, recipe)
  for (let at = 0; at < segments.length; at++) {
    let walk: Walk | undefined
    for (let place = 0; place < end; place++) {
      if (candidates[place].at !== at) continue
      walk ??= startWalk(segments[at], features, collection, recipe)
      readNote(segments[at], candidates[place], walk)
    }
    if (walk !== undefined) endWalk(segments[at], walk)
  }
}

/** How many of the best together have no more words than the limit: very long notes must not make a query slow. */
function endWithinLimit(
  segments: readonly Segment[],
  candidates: readonly Candidate[],
  { reranked, walkLimit }: Recipe,
): number {
  const most = Math.min(candidates.length, reranked)
  let words = 0
  for (let place = 0; place < most; place++) {
    const { at, note } = candidates[place]
    words += segments[at].arrays.noteLengths[note]
    if (words > walkLimit) return Math.max(place, 1)
  }
  return most
}

function weighFeatures(segments: readonly Segment[], query: Query, collection: Collection, recipe: Recipe): Features {
  const features: Features = { surfaces: [], grams: [], weights: [] }
  const repeated = (count: number) => (count * (recipe.k3 + 1)) / (count + recipe.k3)
  for (const { bytes, count } of recipe.surface === 0 ? [] : query.surfaces) {
    let notes = 0
    for (const segment of segments) {
      const word = segment.findWord(bytes)
      if (word >= 0) notes += segment.notesWithWord(word)
    }
    if (notes === 0 || notes * 2 > collection.notes) continue
    features.surfaces.push(bytes)
    features.weights.push(recipe.surface * rarity(collection.notes, notes) * repeated(count))
  }
  for (const { key, count } of recipe.subword === 0 ? [] : query.grams) {
    let holdings = 0
    for (const segment of segments) {
      const gram = segment.findGram(key)
      if (gram >= 0) holdings += segment.holdingsOfGram(gram)
    }
    // As many notes as that many words, dealt out to all notes by chance, would be in.
    const notes = collection.notes * (1 - Math.exp(-holdings / collection.notes))
    if (holdings === 0 || notes * 2 > collection.notes) continue
    features.grams.push(key)
    features.weights.push(recipe.subword * rarity(collection.notes, notes) * repeated(count))
  }
  return features
}

/** What reading the notes of one segment needs. Each marked word leads to a chain of its features. */
interface Walk {
  nextLink: Int32Array
  linkFeature: Int32Array
  marked: Int32Array
  markedCount: number
  weights: Float64Array
  /** Features from here on are word pieces. */
  surfaces: number
  inNote: Counter
  inNames: Counter
  inUnit: Counter
  base: number
  noteSlope: number
  chunkSlope: number
  namesInChunks: boolean
}

function startWalk(segment: Segment, features: Features, collection: Collection, recipe: Recipe): Walk {
  const { k1, b, namesInChunks } = recipe
  const size = features.weights.length
  const walk: Walk = {
    nextLink: kept.nextLink,
    linkFeature: kept.linkFeature,
    marked: kept.marked,
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
  }
  markWords(segment, features, walk)
  return walk
}

/** Scratch, kept so that a query makes little garbage. */
const kept: Pick<Walk, 'nextLink' | 'linkFeature' | 'marked'> = {
  nextLink: new Int32Array(1 << 12),
  linkFeature: new Int32Array(1 << 12),
  marked: new Int32Array(1 << 12),
}

function markWords(segment: Segment, { surfaces, grams }: Features, walk: Walk): void {
  const { gramOffsets, gramWords } = segment.arrays
  let links = 1
  let feature = 0
  for (const bytes of surfaces) {
    const word = segment.findWord(bytes)
    if (word >= 0) markWord(segment.wordMarks, word, feature, links++, walk)
    feature++
  }
  for (const key of grams) {
    const gram = segment.findGram(key)
    const end = gram < 0 ? 0 : gramOffsets[gram + 1]
    let word = 0
    for (let at = gram < 0 ? 0 : gramOffsets[gram]; at < end; ) {
      let byte = gramWords[at++]
      let distance = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = gramWords[at++]
        distance |= (byte & 127) << shift
      }
      word += distance
      markWord(segment.wordMarks, word, feature, links++, walk)
    }
    feature++
  }
}

function markWord(wordMarks: Int32Array, word: number, feature: number, link: number, walk: Walk): void {
  if (link === walk.nextLink.length) {
    kept.nextLink = walk.nextLink = grown(walk.nextLink)
    kept.linkFeature = walk.linkFeature = grown(walk.linkFeature)
    kept.marked = walk.marked = grown(walk.marked)
  }
  if (wordMarks[word] === 0) walk.marked[walk.markedCount++] = word
  walk.nextLink[link] = wordMarks[word]
  walk.linkFeature[link] = feature
  wordMarks[word] = link
}

function endWalk({ wordMarks }: Segment, { marked, markedCount }: Walk): void {
  for (let at = 0; at < markedCount; at++) wordMarks[marked[at]] = 0
}

function readNote(segment: Segment, candidate: Candidate, walk: Walk): void {
  const { noteUnits, unitLengths, noteLengths } = segment.arrays
  const { inNote, inNames, inUnit, weights, base, namesInChunks } = walk
  const { note } = candidate
  const first = noteUnits[note]
  const chunkEnd = segment.chunkEnd(note)
  const end = noteUnits[note + 1]
  const stream = segment.streamOf(first, end)
  for (let unit = first; unit < end; unit++) {
    countUnit(segment, stream, unit, walk)
    addAll(inUnit, inNote)
    if (unit === first) {
      if (namesInChunks) addAll(inUnit, inNames)
    } else if (unit < chunkEnd) {
      addAll(inNames, inUnit)
      const length = unitLengths[unit] + (namesInChunks ? unitLengths[first] : 0)
      segment.unitScores[unit] += sum(inUnit, weights, base + walk.chunkSlope * length, 0, weights.length)
    }
    clear(inUnit)
  }
  const norm = base + walk.noteSlope * noteLengths[note]
  candidate.surface = sum(inNote, weights, norm, 0, walk.surfaces)
  candidate.subword = sum(inNote, weights, norm, walk.surfaces, weights.length)
  segment.noteScores[note] += candidate.surface + candidate.subword
  clear(inNames)
  clear(inNote)
}

function countUnit(
  { arrays, wordMarks }: Segment,
  stream: Uint8Array,
  unit: number,
  { nextLink, linkFeature, inUnit }: Walk,
): void {
  const { unitStreams } = arrays
  const end = unitStreams[unit + 1]
  let at = unitStreams[unit]
  while (at < end) {
    // Almost all words have one or two bytes, and this loop is most of a query's work.
    let word = stream[at++]
    if (word > 127) {
      let byte = stream[at++]
      word = (word & 127) | ((byte & 127) << 7)
      for (let shift = 14; byte > 127; shift += 7) {
        byte = stream[at++]
        word |= (byte & 127) << shift
      }
    }
    for (let link = wordMarks[word]; link !== 0; link = nextLink[link]) count(inUnit, linkFeature[link], 1)
  }
}

function sum({ met, counts, size }: Counter, weights: Float64Array, norm: number, from: number, to: number): number {
  let total = 0
  for (let at = 0; at < size; at++) {
    const feature = met[at]
    if (feature < from || feature >= to) continue
    const many = counts[feature]
    total += (weights[feature] * many) / (many + norm)
  }
  return total
}

function grown(array: Int32Array): Int32Array {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** How often each feature was met; `met` lists those that were. */
interface Counter {
  counts: Int32Array
  met: Int32Array
  size: number
}

function counterOf(features: number): Counter {
  return { counts: new Int32Array(features), met: new Int32Array(features), size: 0 }
}

function count(counter: Counter, feature: number, many: number): void {
  if (counter.counts[feature] === 0) counter.met[counter.size++] = feature
  counter.counts[feature] += many
}

function addAll(from: Counter, to: Counter): void {
  for (let at = 0; at < from.size; at++) count(to, from.met[at], from.counts[from.met[at]])
}

function clear(counter: Counter): void {
  for (let at = 0; at < counter.size; at++) counter.counts[counter.met[at]] = 0
  counter.size = 0
}
