import { type Collection, nameRarity, rarity } from './collection.js'
import { isUnspaced } from './folding.js'
import type { Query } from './query.js'
import type { Recipe } from './recipe.js'
import type { Segment } from './segment.js'

/** What the query holds that tells its best notes apart. */
export interface Features {
  /** Surface words and pieces of words. */
  surfaces: Uint8Array[]
  grams: number[]
  /** Of the surfaces, then of the grams. */
  weights: number[]
  /** Stems whose nearness to each other counts, and the words that the query has them in. */
  near: { stems: Uint8Array[]; weights: Float64Array; areFunction: boolean[]; words: Uint8Array[] }
}

export function weighFeatures(
  segments: readonly Segment[],
  query: Query,
  collection: Collection,
  recipe: Recipe,
): Features {
  const features: Features = { surfaces: [], grams: [], weights: [], near: nearStems(segments, query, collection) }
  const repeated = (count: number) => (count * (recipe.k3 + 1)) / (count + recipe.k3)
  for (const { bytes, count, share } of recipe.surface === 0 ? [] : query.surfaces) {
    let notes = 0
    for (const segment of segments) {
      const word = segment.findWord(bytes)
      if (word >= 0) notes += segment.notesWithWord(word)
    }
    if (notes === 0 || notes * 2 > collection.notes) continue
    features.surfaces.push(bytes)
    features.weights.push(recipe.surface * rarity(collection.notes, notes) * repeated(count) * share)
  }
  for (const { key, count, share } of recipe.subword === 0 ? [] : query.grams) {
    let holdings = 0
    for (const segment of segments) {
      const gram = segment.findGram(key)
      if (gram >= 0) holdings += segment.holdingsOfGram(gram)
    }
    // As many notes as that many words, dealt out to all notes by chance, would be in.
    const notes = collection.notes * (1 - Math.exp(-holdings / collection.notes))
    if (holdings === 0 || notes * 2 > collection.notes) continue
    features.grams.push(key)
    features.weights.push(recipe.subword * rarity(collection.notes, notes) * repeated(count) * share)
  }
  return features
}

/** Pairs of an unspaced script tell by themselves what stands side by side. */
function nearStems(segments: readonly Segment[], query: Query, collection: Collection): Features['near'] {
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
  // One alone is near to nothing.
  if (stems.length < 2) return { stems: [], weights: new Float64Array(0), areFunction: [], words: [] }
  return { stems, weights: Float64Array.from(weights), areFunction, words: query.surfaces.map(({ bytes }) => bytes) }
}
