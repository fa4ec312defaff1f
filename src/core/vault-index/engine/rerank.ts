import type { Candidate } from './candidate.js'
import { type Collection, rarity } from './collection.js'
import type { Query } from './query.js'
import type { Recipe } from './recipe.js'
import type { Segment } from './segment.js'
import { VarintReader } from './varint.js'

/** A surface word or a piece of a word that the query holds. */
interface Feature {
  weight: number
  isSurface: boolean
  /** Its words in each segment. */
  wordsIn: (segment: Segment, visit: (word: number) => void) => void
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
  if (features.length === 0) return
  const affordable = withinLimit(segments, candidates.slice(0, recipe.reranked), recipe.walkLimit)
  for (const [at, segment] of segments.entries()) {
    const own = affordable.filter((candidate) => candidate.at === at)
    if (own.length === 0) continue
    const walk = walker(segment, features, collection, recipe)
    for (const candidate of own) walk.read(candidate)
    walk.end()
  }
}

/** The best candidates that together have no more words than the limit: very long notes must not make a query slow. */
function withinLimit(
  segments: readonly Segment[],
  candidates: readonly Candidate[],
  limit: number,
): readonly Candidate[] {
  let words = 0
  const end = candidates.findIndex(({ at, note }) => (words += segments[at].arrays.noteLengths[note]) > limit)
  return end < 0 ? candidates : candidates.slice(0, Math.max(end, 1))
}

function weighFeatures(segments: readonly Segment[], query: Query, collection: Collection, recipe: Recipe): Feature[] {
  const features: Feature[] = []
  const repeated = (count: number) => (count * (recipe.k3 + 1)) / (count + recipe.k3)
  for (const { bytes, count } of recipe.surface === 0 ? [] : query.surfaces) {
    let notes = 0
    for (const segment of segments) {
      const word = segment.findWord(bytes)
      if (word >= 0) notes += segment.notesWithWord(word)
    }
    if (notes === 0 || notes * 2 > collection.notes) continue
    const weight = recipe.surface * rarity(collection.notes, notes) * repeated(count)
    features.push({
      weight,
      isSurface: true,
      wordsIn(segment, visit) {
        const word = segment.findWord(bytes)
        if (word >= 0) visit(word)
      },
    })
  }
  for (const { key, count } of recipe.subword === 0 ? [] : query.grams) {
    let notes = 0
    for (const segment of segments) {
      const gram = segment.findGram(key)
      if (gram >= 0) notes += segment.notesWithGram(gram)
    }
    if (notes === 0 || notes * 2 > collection.notes) continue
    const weight = recipe.subword * rarity(collection.notes, notes) * repeated(count)
    features.push({
      weight,
      isSurface: false,
      wordsIn(segment, visit) {
        const gram = segment.findGram(key)
        if (gram < 0) return
        const { gramOffsets, gramWords } = segment.arrays
        const reader = new VarintReader(gramWords, gramOffsets[gram])
        let word = 0
        while (reader.at < gramOffsets[gram + 1]) visit((word += reader.next()))
      },
    })
  }
  return features
}

function walker(segment: Segment, features: readonly Feature[], collection: Collection, recipe: Recipe) {
  const { wordMarks } = segment
  const { noteUnits, unitStreams, unitLengths, noteLengths, stream } = segment.arrays
  const { k1, b, namesInChunks } = recipe
  // Each marked word leads to a chain of its features.
  let nextLink = new Int32Array(1 << 10)
  let linkFeature = new Int32Array(1 << 10)
  const marked: number[] = []
  let links = 1
  for (const [number, feature] of features.entries()) {
    feature.wordsIn(segment, (word) => {
      if (links === nextLink.length) {
        nextLink = grown(nextLink)
        linkFeature = grown(linkFeature)
      }
      if (wordMarks[word] === 0) marked.push(word)
      nextLink[links] = wordMarks[word]
      linkFeature[links] = number
      wordMarks[word] = links++
    })
  }
  const weights = Float64Array.from(features, ({ weight }) => weight * (k1 + 1))
  const surfaces = features.filter(({ isSurface }) => isSurface).length
  const inNote = counterOf(features.length)
  const inNames = counterOf(features.length)
  const inUnit = counterOf(features.length)
  const base = k1 * (1 - b)
  const noteSlope = (k1 * b) / collection.noteLength
  const chunkSlope = (k1 * b) / (collection.chunkLength + (namesInChunks ? collection.nameLength : 0))

  function countUnit(unit: number): void {
    const end = unitStreams[unit + 1]
    let at = unitStreams[unit]
    while (at < end) {
      let byte = stream[at++]
      let word = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = stream[at++]
        word |= (byte & 127) << shift
      }
      for (let link = wordMarks[word]; link !== 0; link = nextLink[link]) count(inUnit, linkFeature[link], 1)
    }
  }

  function sum(counter: Counter, norm: number, from: number, to: number): number {
    let total = 0
    for (let at = 0; at < counter.size; at++) {
      const feature = counter.met[at]
      if (feature < from || feature >= to) continue
      const many = counter.counts[feature]
      total += (weights[feature] * many) / (many + norm)
    }
    return total
  }

  function read(candidate: Candidate): void {
    const { note } = candidate
    const first = noteUnits[note]
    const chunkEnd = segment.chunkEnd(note)
    for (let unit = first; unit < noteUnits[note + 1]; unit++) {
      countUnit(unit)
      addAll(inUnit, inNote)
      if (unit === first) {
        if (namesInChunks) addAll(inUnit, inNames)
      } else if (unit < chunkEnd) {
        addAll(inNames, inUnit)
        const length = unitLengths[unit] + (namesInChunks ? unitLengths[first] : 0)
        segment.unitScores[unit] += sum(inUnit, base + chunkSlope * length, 0, features.length)
      }
      clear(inUnit)
    }
    const norm = base + noteSlope * noteLengths[note]
    candidate.surface = sum(inNote, norm, 0, surfaces)
    candidate.subword = sum(inNote, norm, surfaces, features.length)
    segment.noteScores[note] += candidate.surface + candidate.subword
    clear(inNames)
    clear(inNote)
  }

  function end(): void {
    for (const word of marked) wordMarks[word] = 0
  }

  return { read, end }
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
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
