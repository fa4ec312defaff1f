import { type Collection, nameRarity, rarity } from './collection.js'
import type { Query } from './query.js'
import type { Recipe } from './recipe.js'
import type { Segment } from './segment.js'
import { countRow, unitsWithStemsOf, wordRow } from './word-row.js'

/**
 * Scores rows of words that are one thing, as the parts of an identifier, a version or a date, where they are found as
 * they stand. A row counts as a word that as many notes hold: parts may be common where the whole is rare.
 */
export function scoreRows(segments: readonly Segment[], query: Query, collection: Collection, recipe: Recipe): void {
  for (const { words, share } of query.rows) {
    const found = segments.map((segment) => findRow(segment, words, recipe.walkLimit))
    let notes = 0
    let names = 0
    for (const places of found) {
      notes += places.notes
      names += places.names
    }
    if (notes === 0) continue
    const weight = recipe.rows * share * rarity(collection.notes, notes)
    const nameWeight = names === 0 ? 0 : recipe.rows * share * recipe.names * nameRarity(collection.notes, names)
    for (const [at, segment] of segments.entries()) addRow(segment, found[at], weight, nameWeight, collection, recipe)
  }
}

/** More in one passage say no more. */
const mostCounted = 100

interface RowPlaces {
  /** Unit and how often the row stands there, one after the other, in order. */
  units: number[]
  notes: number
  names: number
}

function findRow(segment: Segment, words: readonly Uint8Array[], walkLimit: number): RowPlaces {
  const places: RowPlaces = { units: [], notes: 0, names: 0 }
  const row = wordRow(segment, words)
  if (row === undefined) return places
  const { unitNotes, unitLengths, noteUnits } = segment.arrays
  let walked = 0
  let last = -1
  for (const unit of unitsWithStemsOf(segment, row)) {
    const note = unitNotes[unit]
    if (segment.dead[note] === 1) continue
    if (walked > walkLimit) break
    walked += unitLengths[unit]
    const count = countRow(segment, unit, row, mostCounted)
    if (count === 0) continue
    places.units.push(unit, count)
    if (unit === noteUnits[note]) places.names++
    if (note !== last) places.notes++
    last = note
  }
  return places
}

function addRow(
  segment: Segment,
  { units }: RowPlaces,
  weight: number,
  nameWeight: number,
  collection: Collection,
  { k1, b, nameB, namesInChunks }: Recipe,
): void {
  const { unitNotes, noteUnits, unitLengths, noteLengths } = segment.arrays
  const { noteScores, unitScores } = segment
  const gain = (count: number, length: number, average: number, share: number) =>
    (count * (k1 + 1)) / (count + k1 * (1 - share + (share * length) / average))
  const passageLength = collection.chunkLength + (namesInChunks ? collection.nameLength : 0)
  for (let at = 0; at < units.length; ) {
    const note = unitNotes[units[at]]
    const names = noteUnits[note]
    let total = 0
    let inNames = 0
    let nameScore = 0
    const from = at
    for (; at < units.length && unitNotes[units[at]] === note; at += 2) total += units[at + 1]
    if (units[from] === names) {
      inNames = units[from + 1]
      nameScore = nameWeight * gain(inNames, unitLengths[names], collection.nameLength, nameB)
    }
    noteScores[note] += nameScore + weight * gain(total, noteLengths[note], collection.noteLength, b)
    const counts = new Map<number, number>()
    for (let place = from; place < at; place += 2) counts.set(units[place], units[place + 1])
    for (let unit = names + 1; unit < segment.chunkEnd(note); unit++) {
      const count = (counts.get(unit) ?? 0) + (namesInChunks ? inNames : 0)
      if (count === 0) continue
      const length = unitLengths[unit] + (namesInChunks ? unitLengths[names] : 0)
      unitScores[unit] += nameScore + weight * gain(count, length, passageLength, b)
    }
  }
}
