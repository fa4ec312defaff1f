import type { LsaModel } from '../semantic/lsa-model.js'
import { projectQuery } from '../semantic/project-into-model.js'
import { openVectors, packVectors, type QueryVector, type VectorBlock } from '../semantic/vector-block.js'
import type { Query } from './analyze-query.js'
import { MeanAndDeviation, type Scale } from './collection.js'
import type { Segment } from './segment.js'

// `!` is used on arrays with one entry for each segment, note or row of a block, at numbers of those.

export interface SearchedSegment {
  segment: Segment
  /** One vector per note, then one per chunk; undefined until computed. */
  vectors?: VectorBlock | undefined
  /** The same of a provider's model, if one is configured. */
  embedded?: VectorBlock | undefined
}

/** Cosines of the query with notes and chunks. */
export interface SemanticScores {
  noteScale: Scale
  chunkScale: Scale
  /** Cosine of a note; undefined if it has no vector. */
  ofNote(at: number, note: number): number | undefined
  /** Cosines of a note's chunks, NaN for those without a vector. */
  ofChunks(at: number, note: number): Float32Array | undefined
  /** Cosines of all notes of a segment. */
  ofNotes(at: number): Float32Array | undefined
}

/** Rows sampled for mean and deviation: enough to know both within a few hundredths. */
const sampleRows = 500

/** Scores by the vault's own model. undefined if there is none, or it knows no word of the query. */
export function semanticScores(
  segments: readonly SearchedSegment[],
  model: LsaModel | undefined,
  query: Query,
): SemanticScores | undefined {
  if (model === undefined) return undefined
  const { vector, empty } = projectQuery(model, query.stems)
  return empty ? undefined : vectorScores(segments, 'vectors', vector)
}

/** Scores by the vectors of the model that made the query's vector. undefined if no segment has any. */
export function vectorScores(
  segments: readonly SearchedSegment[],
  which: 'vectors' | 'embedded',
  vector: QueryVector,
): SemanticScores | undefined {
  const usable = segments.map((searched) => {
    const { [which]: vectors, segment } = searched
    return vectors?.model === vector.model && vectors.count === segment.noteCount + segment.chunkTotal
      ? vectors
      : undefined
  })
  if (usable.every((vectors) => vectors === undefined)) return undefined
  return {
    noteScale: scaleOf(
      usable,
      vector,
      segments.map(({ segment }) => [0, segment.noteCount]),
    ),
    chunkScale: scaleOf(
      usable,
      vector,
      segments.map(({ segment }) => [segment.noteCount, segment.noteCount + segment.chunkTotal]),
    ),
    ofNote(at, note) {
      const vectors = usable[at]
      return vectors === undefined || vectors.scales[note] === 0 ? undefined : vectors.dotAt(vector, note)
    },
    ofChunks(at, note) {
      const vectors = usable[at]
      if (vectors === undefined) return undefined
      const { noteCount, arrays } = segments[at]!.segment
      const first = noteCount + arrays.noteChunks[note]!
      const out = new Float32Array(arrays.noteChunks[note + 1]! - arrays.noteChunks[note]!)
      vectors.dotAll(vector, out, first)
      for (let ordinal = 0; ordinal < out.length; ordinal++) {
        if (vectors.scales[first + ordinal] === 0) out[ordinal] = Number.NaN
      }
      return out
    },
    ofNotes(at) {
      const vectors = usable[at]
      if (vectors === undefined) return undefined
      const out = new Float32Array(segments[at]!.segment.noteCount)
      vectors.dotAll(vector, out)
      return out
    },
  }
}

// Scratch memory for the scores of samples.
let cosines = new Float32Array(1024)

/** Mean and deviation over evenly spaced rows. */
function scaleOf(
  blocks: readonly (VectorBlock | undefined)[],
  vector: QueryVector,
  ranges: readonly (readonly [from: number, to: number])[],
): Scale {
  const spread = new MeanAndDeviation()
  let total = 0
  for (const [at, [from, to]] of ranges.entries()) if (blocks[at] !== undefined) total += to - from
  const step = Math.max(1, total / sampleRows)
  let before = 0
  for (const [range, [from, to]] of ranges.entries()) {
    const block = blocks[range]
    if (block === undefined) continue
    const sample = vectorSample(block, from, to, before, step)
    before += to - from
    if (cosines.length !== sample.count) cosines = new Float32Array(sample.count)
    sample.dotAll(vector, cosines)
    for (let at = 0; at < sample.count; at++) spread.add(cosines[at]!)
  }
  return spread.done()
}

/**
 * Evenly spaced rows of a block copied side by side, so that one scan scores them all: reading them in place would
 * cost more than the rest of a short query. Cached per block, which never changes. The rows are counted over all
 * segments (`before` of them come first), so the same notes are sampled however the index is divided into segments.
 */
function vectorSample(block: VectorBlock, from: number, to: number, before: number, step: number): VectorBlock {
  const known = samples
    .get(block)
    ?.find((kept) => kept.from === from && kept.to === to && kept.before === before && kept.step === step)
  if (known !== undefined) return known.sample
  const { dimension, model } = block
  const first = Math.ceil(before / step)
  const count = Math.max(0, Math.ceil((before + to - from) / step) - first)
  const vectors = new Int8Array(count * dimension)
  const scales = new Float32Array(count)
  for (let at = 0; at < count; at++) {
    const row = from + Math.floor((first + at) * step) - before
    vectors.set(block.vectors.subarray(row * dimension, (row + 1) * dimension), at * dimension)
    scales[at] = block.scales[row]!
  }
  const sample = openVectors(packVectors({ model, dimension, vectors, scales }))
  // Each block uses two samples: notes and chunks.
  samples.set(block, [...(samples.get(block) ?? []).slice(-3), { from, to, before, step, sample }])
  return sample
}

interface CachedSample {
  from: number
  to: number
  before: number
  step: number
  sample: VectorBlock
}

const samples = new WeakMap<VectorBlock, CachedSample[]>()
