import type { Candidate } from './candidate.js'
import { MeanAndDeviation, type Scale } from './mean-and-deviation.js'
import type { Recipe } from './recipe.js'
import type { Segment } from './segment.js'
import type { SemanticScores } from './semantic-scores.js'
import { TopScores } from './top-scores.js'

export interface LexicalCandidates {
  /** Best first. */
  candidates: Candidate[]
  /** Mean and deviation of the scores of all live notes and of all their chunks. */
  noteScale: Scale
  chunkScale: Scale
}

/** Less than one rare word in one of a hundred thousand notes makes. */
const leastDeviation = 0.02

/** The best notes by the scores that `scoreStems` left in the segments. */
export function lexicalCandidates(
  segments: readonly Segment[],
  isEligible: (at: number, note: number) => boolean,
  limit: number,
  { noteShare, chunkShare }: Recipe,
): LexicalCandidates {
  const notes = new MeanAndDeviation()
  const chunks = new MeanAndDeviation()
  for (const segment of segments) measure(segment, notes, chunks)
  const noteScale = notes.done(leastDeviation)
  const chunkScale = chunks.done(leastDeviation)
  const best = new TopScores(limit)
  const noteFactor = noteShare / noteScale.deviation
  const chunkFactor = chunkShare / chunkScale.deviation
  for (const [at, segment] of segments.entries()) {
    const { noteScores, unitScores, noteCount } = segment
    const { noteIds, noteUnits } = segment.arrays
    let threshold = best.threshold
    for (let note = 0; note < noteCount; note++) {
      const noteScore = noteScores[note]
      if (noteScore === 0) continue
      const score = noteFactor * noteScore + chunkFactor * unitScores[noteUnits[note]]
      if (score < threshold || !isEligible(at, note)) continue
      best.offer(score, noteIds[note], at * 2 ** 32 + note)
      threshold = best.threshold
    }
  }
  const candidates: Candidate[] = []
  for (const key of best.sorted()) candidates.push(toCandidate(segments, key))
  return { candidates, noteScale, chunkScale }
}

/** Adds the notes nearest by meaning, each as a whole, to those already there. */
export function semanticCandidates(
  segments: readonly Segment[],
  semantic: SemanticScores,
  isEligible: (at: number, note: number) => boolean,
  limit: number,
  into: Candidate[],
): void {
  const best = new TopScores(limit)
  for (const [at, { noteCount, arrays }] of segments.entries()) {
    const cosines = semantic.ofNotes(at)
    if (cosines === undefined) continue
    for (let note = 0; note < noteCount; note++) {
      if (cosines[note] < best.threshold || !isEligible(at, note)) continue
      best.offer(cosines[note], arrays.noteIds[note], at * 2 ** 32 + note)
    }
  }
  const known = new Set(into.map(({ at, note }) => at * 2 ** 32 + note))
  for (const key of best.sorted()) if (!known.has(key)) into.push(toCandidate(segments, key))
}

/** Leaves each note's best chunk score in the place of its names, which have none of their own. */
function measure(segment: Segment, notes: MeanAndDeviation, chunks: MeanAndDeviation): void {
  const { noteScores, unitScores, dead, noteCount } = segment
  const { noteUnits, noteChunks } = segment.arrays
  let noteSum = 0
  let noteSquares = 0
  let chunkSum = 0
  let chunkSquares = 0
  for (let note = 0; note < noteCount; note++) {
    const noteScore = noteScores[note]
    if (noteScore === 0 || dead[note] === 1) continue
    noteSum += noteScore
    noteSquares += noteScore * noteScore
    let best = 0
    const names = noteUnits[note]
    const end = names + noteChunks[note + 1] - noteChunks[note]
    for (let unit = names + 1; unit <= end; unit++) {
      const score = unitScores[unit]
      chunkSum += score
      chunkSquares += score * score
      if (score > best) best = score
    }
    unitScores[names] = best
  }
  // Notes and chunks that were not hit count as zeros.
  notes.addMany(noteSum, noteSquares, segment.liveNotes)
  chunks.addMany(chunkSum, chunkSquares, segment.liveChunks)
}

function toCandidate(segments: readonly Segment[], key: number): Candidate {
  const at = Math.floor(key / 2 ** 32)
  const note = key % 2 ** 32
  return { at, note, id: segments[at].arrays.noteIds[note], surface: 0, subword: 0 }
}
