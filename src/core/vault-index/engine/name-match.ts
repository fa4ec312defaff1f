import type { Query } from './query.js'
import type { Segment } from './segment.js'
import { VarintReader } from './varint.js'

/** Live notes that are called exactly what the query says. */
export function notesCalled(segment: Segment, query: Query): number[] {
  if (query.words.length === 0) return []
  const { nameKeys, nameNotes } = segment.arrays
  let low = 0
  let high = nameKeys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (nameKeys[middle] < query.nameKey) low = middle + 1
    else high = middle
  }
  const found = new Set<number>()
  for (; nameKeys[low] === query.nameKey; low++) {
    const note = nameNotes[low]
    if (segment.dead[note] === 0 && matchName(segment, note, query) === 'whole') found.add(note)
  }
  return [...found]
}

/** Whether one of the note's names is the query, or begins with it. */
export function matchName(segment: Segment, note: number, query: Query): 'whole' | 'start' | undefined {
  const { noteUnits, unitStreams, stream } = segment.arrays
  const unit = noteUnits[note]
  const reader = new VarintReader(stream, unitStreams[unit])
  const end = unitStreams[unit + 1]
  let best: 'start' | undefined
  while (reader.at < end) {
    let matched = 0
    let isSame = true
    let word = -1
    while (reader.at < end && (word = reader.next()) !== 0) {
      if (matched < query.words.length && (!isSame || segment.wordText(word) !== query.words[matched])) isSame = false
      matched++
    }
    if (!isSame || matched < query.words.length) continue
    if (matched === query.words.length) return 'whole'
    best = 'start'
  }
  return best
}
