import type { Candidate } from './candidate.js'
import { type Scale, standardScore } from './mean-and-deviation.js'
import type { Recipe } from './recipe.js'
import type { Segment } from './segment.js'
import type { SemanticScores } from './semantic-scores.js'

export interface Scales {
  lexicalWeight: number
  noteScale: Scale
  chunkScale: Scale
  /** What is known of meaning: by the vault's own model, by a provider's, by both or by neither. */
  meanings: readonly Meaning[]
}

export interface Meaning {
  scores: SemanticScores
  weight: number
}

/** What each part adds to a hit's total, in standard deviations above the vault's mean. */
export type Parts = {
  noteWords: number
  passageWords: number
  noteMeaning: number
  passageMeaning: number
  name: number
}

export interface Judged {
  candidate: Candidate
  ordinal: number
  total: number
  parts: Parts
}

/**
 * Adds up what words and meaning say of the whole note and of its best passage: the best passage alone loses the topic,
 * the whole note alone loses the passage. With `each`, every passage is judged on its own.
 */
export function judge(
  segments: readonly Segment[],
  candidate: Candidate,
  scales: Scales,
  recipe: Recipe,
  each: boolean,
  into: Judged[],
): void {
  const { at, note } = candidate
  const segment = segments[at]
  const { meanings, lexicalWeight, chunkScale } = scales
  const first = segment.arrays.noteUnits[note] + 1
  const chunkCount = segment.chunkEnd(note) - first
  const noteWords = lexicalWeight * recipe.noteShare * standardScore(segment.noteScores[note], scales.noteScale)
  let noteMeaning = 0
  for (const { scores, weight } of meanings) {
    noteMeaning += weighed(scores.ofNote(at, note), scores.noteScale, weight * recipe.noteShare)
  }
  if (chunkCount === 0) {
    const passageWords = lexicalWeight * recipe.chunkShare * standardScore(0, chunkScale)
    into.push(judged(candidate, 0, noteWords, noteMeaning, passageWords, 0))
    return
  }
  const already = into.length
  const cosines = meanings.map(({ scores }) => scores.ofChunks(at, note))
  let shown = 0
  let bestWords = Number.NEGATIVE_INFINITY
  let secondWords = 0
  let bestMeaning = Number.NEGATIVE_INFINITY
  let bestBoth = Number.NEGATIVE_INFINITY
  for (let ordinal = 0; ordinal < chunkCount; ordinal++) {
    const score = segment.unitScores[first + ordinal]
    const words = lexicalWeight * recipe.chunkShare * standardScore(score, chunkScale)
    let meaning = 0
    for (let which = 0; which < meanings.length; which++) {
      const { scores, weight } = meanings[which]
      const cosine = cosines[which]?.[ordinal]
      if (!Number.isNaN(cosine)) meaning += weighed(cosine, scores.chunkScale, weight * recipe.chunkShare)
    }
    if (each && (score > 0 || chunkCount === 1 || lexicalWeight === 0)) {
      into.push(judged(candidate, ordinal, noteWords, noteMeaning, words, meaning))
    }
    if (words > bestWords) {
      secondWords = Math.max(secondWords, bestWords)
      bestWords = words
    } else if (words > secondWords) {
      secondWords = words
    }
    if (meaning > bestMeaning) bestMeaning = meaning
    if (words + meaning > bestBoth) {
      bestBoth = words + meaning
      shown = ordinal
    }
  }
  if (into.length === already)
    into.push(
      judged(candidate, shown, noteWords, noteMeaning, bestWords + recipe.secondShare * secondWords, bestMeaning),
    )
}

function judged(
  candidate: Candidate,
  ordinal: number,
  noteWords: number,
  noteMeaning: number,
  passageWords: number,
  passageMeaning: number,
): Judged {
  const total = noteWords + noteMeaning + passageWords + passageMeaning
  return { candidate, ordinal, total, parts: { noteWords, passageWords, noteMeaning, passageMeaning, name: 0 } }
}

function weighed(cosine: number | undefined, scale: Scale, weight: number): number {
  return cosine === undefined ? 0 : weight * standardScore(cosine, scale)
}
