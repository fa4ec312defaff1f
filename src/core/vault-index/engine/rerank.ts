import type { Candidate } from './candidate.js'
import type { Collection } from './collection.js'
import { type Features, weighFeatures } from './features.js'
import { Nearness } from './nearness.js'
import type { Query } from './query.js'
import type { Recipe } from './recipe.js'
import type { Segment } from './segment.js'

/**
 * Adds what surface words, word pieces and the nearness of the query's words say of the best notes and their chunks, by
 * reading the notes' own words. The postings of stems have found the notes; this tells apart what they brought together.
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
  /** Features behind the word pieces are places of the query's stems. */
  near: Nearness
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
    near: new Nearness(features.near.weights, features.near.areFunction, k1, recipe.nearness),
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

function markWords(segment: Segment, { surfaces, grams, near }: Features, walk: Walk): void {
  const { gramOffsets, gramWords, wordStems } = segment.arrays
  const nearFrom = surfaces.length + grams.length
  const nearFeature = new Map(near.stems.map((bytes, at) => [segment.findStem(bytes), nearFrom + at]))
  const placed = new Set<number>()
  let links = 1
  const mark = (word: number, feature: number) => markWord(segment.wordMarks, word, feature, links++, walk)
  const markPlace = (word: number) => {
    const feature = nearFeature.get(wordStems[word])
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
    const end = gram < 0 ? 0 : gramOffsets[gram + 1]
    const feature = surfaces.length + at
    let word = 0
    for (let place = gram < 0 ? 0 : gramOffsets[gram]; place < end; ) {
      let byte = gramWords[place++]
      let distance = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = gramWords[place++]
        distance |= (byte & 127) << shift
      }
      word += distance
      markWord(segment.wordMarks, word, feature, links++, walk)
      // Other forms of a word of the query share a piece with it.
      if (nearFeature.size > 0) markPlace(word)
    }
  }
  for (const bytes of near.words) {
    const word = segment.findWord(bytes)
    if (word >= 0) markPlace(word)
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
  let nearest = 0
  let nearInNames = 0
  for (let unit = first; unit < end; unit++) {
    countUnit(segment, stream, unit, walk)
    addAll(inUnit, inNote)
    const length = unitLengths[unit] + (namesInChunks && unit > first ? unitLengths[first] : 0)
    const norm = base + walk.chunkSlope * length
    const near = walk.near.take(norm)
    if (unit === first) {
      if (namesInChunks) addAll(inUnit, inNames)
      nearInNames = near
    } else if (unit < chunkEnd) {
      addAll(inNames, inUnit)
      segment.unitScores[unit] += near + nearInNames + sum(inUnit, weights, norm, 0, weights.length)
      nearest = Math.max(nearest, near)
    }
    clear(inUnit)
  }
  const norm = base + walk.noteSlope * noteLengths[note]
  candidate.surface = sum(inNote, weights, norm, 0, walk.surfaces)
  candidate.subword = sum(inNote, weights, norm, walk.surfaces, weights.length)
  segment.noteScores[note] += candidate.surface + candidate.subword + nearest + nearInNames
  clear(inNames)
  clear(inNote)
}

function countUnit(
  { arrays, wordMarks }: Segment,
  stream: Uint8Array,
  unit: number,
  { nextLink, linkFeature, inUnit, weights, near }: Walk,
): void {
  const { unitStreams } = arrays
  const end = unitStreams[unit + 1]
  let at = unitStreams[unit]
  let place = 0
  while (at < end) {
    place++
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
    for (let link = wordMarks[word]; link !== 0; link = nextLink[link]) {
      const feature = linkFeature[link]
      if (feature < weights.length) count(inUnit, feature, 1)
      else near.meet(feature - weights.length, place)
    }
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
