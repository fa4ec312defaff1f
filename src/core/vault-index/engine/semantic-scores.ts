import { type LsaModel, projectQuery, type QueryVector, type VectorBlock } from '../semantic/index.js'
import { MeanAndDeviation, type Scale } from './mean-and-deviation.js'
import type { Query } from './query.js'
import type { Segment } from './segment.js'
import { vectorSample } from './vector-sample.js'

export interface SearchedSegment {
  segment: Segment
  /** One vector per note, then one per chunk; undefined until they are made. */
  vectors?: VectorBlock
  /** The same of a provider's model, when one is configured. */
  embedded?: VectorBlock
}

/** How near the query is to notes and chunks by meaning. */
export interface SemanticScores {
  noteScale: Scale
  chunkScale: Scale
  /** Cosine of a note; undefined when it has no vector. */
  ofNote(at: number, note: number): number | undefined
  /** Cosines of a note's chunks, NaN where one has no vector. */
  ofChunks(at: number, note: number): Float32Array | undefined
  /** Cosines of all notes of a segment. */
  ofNotes(at: number): Float32Array | undefined
}

/** Rows that mean and deviation are taken from: enough to know both within a few hundredths. */
const sampled = 500

/** By the vault's own model. undefined when there is none, or it knows no word of the query. */
export function semanticScores(
  segments: readonly SearchedSegment[],
  model: LsaModel | undefined,
  query: Query,
): SemanticScores | undefined {
  if (model === undefined) return undefined
  const { vector, empty } = projectQuery(model, query.stems)
  return empty ? undefined : vectorScores(segments, 'vectors', vector)
}

/** By vectors of the model that the query's own vector is of. undefined where no segment has any. */
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
      const { noteCount, arrays } = segments[at].segment
      const first = noteCount + arrays.noteChunks[note]
      const out = new Float32Array(arrays.noteChunks[note + 1] - arrays.noteChunks[note])
      vectors.dotAll(vector, out, first)
      for (let ordinal = 0; ordinal < out.length; ordinal++) {
        if (vectors.scales[first + ordinal] === 0) out[ordinal] = Number.NaN
      }
      return out
    },
    ofNotes(at) {
      const vectors = usable[at]
      if (vectors === undefined) return undefined
      const out = new Float32Array(segments[at].segment.noteCount)
      vectors.dotAll(vector, out)
      return out
    },
  }
}

// Scratch for the scores of samples.
let cosines = new Float32Array(1024)

/** Mean and deviation over evenly spaced rows. */
function scaleOf(
  blocks: readonly (VectorBlock | undefined)[],
  vector: QueryVector,
  ranges: readonly (readonly number[])[],
): Scale {
  const spread = new MeanAndDeviation()
  let total = 0
  for (const [at, [from, to]] of ranges.entries()) if (blocks[at] !== undefined) total += to - from
  const step = Math.max(1, total / sampled)
  for (const [range, [from, to]] of ranges.entries()) {
    const block = blocks[range]
    if (block === undefined) continue
    if (to === from) continue
    const sample = vectorSample(block, from, to, step)
    if (cosines.length !== sample.count) cosines = new Float32Array(sample.count)
    sample.dotAll(vector, cosines)
    for (let at = 0; at < sample.count; at++) spread.add(cosines[at])
  }
  return spread.done()
}
