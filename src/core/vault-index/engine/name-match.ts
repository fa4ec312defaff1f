import type { Query, QueryName } from './query.js'
import type { Segment } from './segment.js'
import { VarintReader } from './varint.js'

/** Live notes that are called exactly what the query says. */
export function notesCalled(segment: Segment, { names }: Pick<Query, 'names'>): Set<number> {
  const found = new Set<number>()
  for (const name of names) {
    const matches = matcherOf(segment, name)
    for (const note of notesWithKey(segment, name.key)) if (matches(note) === 'whole') found.add(note)
  }
  return found
}

/** Tells whether one of a note's names is the query, or begins with it. */
export function nameMatcher(segment: Segment, { names }: Query): (note: number) => 'whole' | 'start' | undefined {
  // A query that was pasted names one note, and none that begins so.
  return names.length === 0 ? () => undefined : matcherOf(segment, names[0])
}

function notesWithKey(segment: Segment, key: number): number[] {
  const { nameKeys, nameNotes } = segment.arrays
  let low = 0
  let high = nameKeys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (nameKeys[middle] < key) low = middle + 1
    else high = middle
  }
  const notes: number[] = []
  for (; nameKeys[low] === key; low++) if (segment.dead[nameNotes[low]] === 0) notes.push(nameNotes[low])
  return notes
}

function matcherOf(segment: Segment, { words }: QueryName): (note: number) => 'whole' | 'start' | undefined {
  const wanted = words.map((word) => segment.findWord(encoder.encode(word)))
  // A word the segment does not have is in none of its names.
  if (wanted.includes(-1)) return () => undefined
  const { noteUnits, unitStreams, unitLengths } = segment.arrays
  return (note) => {
    const unit = noteUnits[note]
    if (unitLengths[unit] < wanted.length) return undefined
    const reader = new VarintReader(segment.streamOf(unit, unit + 1), unitStreams[unit])
    const end = unitStreams[unit + 1]
    let best: 'start' | undefined
    while (reader.at < end) {
      let place = 0
      let matched = 0
      for (let word = reader.next(); word !== 0; word = reader.next()) {
        if (word === wanted[place] && matched === place) matched++
        place++
        if (reader.at >= end) break
      }
      if (matched < wanted.length) continue
      if (place === wanted.length) return 'whole'
      best = 'start'
    }
    return best
  }
}

const encoder = new TextEncoder()
