import type { Query, QueryName } from './analyze-query.js'
import { rarity } from './collection.js'
import type { Segment } from './segment.js'
import { nameBreak, VarintReader } from './segment-format.js'
import { countSequence, unitsWithStems, wordSequence } from './sequences.js'
import type { NotePosition } from './similar-notes.js'
import { emptyName, hashName, hashWord, wordsOf } from './words.js'

// `!` is used on arrays of a segment at its own notes and units, inside the bounds of a binary search, and on words
// that were read.

/** Live notes one of whose names equals the query. */
export function notesWithName(segment: Segment, { names }: Pick<Query, 'names'>): Set<number> {
  const found = new Set<number>()
  for (const name of names) {
    const matches = matcherFor(segment, name)
    for (const note of notesWithKey(segment, name.key)) if (matches(note) === 'whole') found.add(note)
  }
  return found
}

/** Returns whether one of a note's names equals the query or starts with it. */
export function nameMatcher(segment: Segment, { names }: Query): (note: number) => 'whole' | 'start' | undefined {
  // A pasted path names one note exactly, so only the first name can match a prefix.
  return names.length === 0 ? () => undefined : matcherFor(segment, names[0]!)
}

function notesWithKey(segment: Segment, key: number): number[] {
  const { nameKeys, nameNotes } = segment.arrays
  let low = 0
  let high = nameKeys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (nameKeys[middle]! < key) low = middle + 1
    else high = middle
  }
  const notes: number[] = []
  for (; nameKeys[low] === key; low++) if (segment.dead[nameNotes[low]!] === 0) notes.push(nameNotes[low]!)
  return notes
}

function matcherFor(segment: Segment, { words }: QueryName): (note: number) => 'whole' | 'start' | undefined {
  const wanted = words.map((word) => segment.findWord(encoder.encode(word)))
  // A word that is not in the segment is in none of its names.
  if (wanted.includes(-1)) return () => undefined
  const { noteUnits, unitStreams, unitLengths } = segment.arrays
  return (note) => {
    const unit = noteUnits[note]!
    if (unitLengths[unit]! < wanted.length) return undefined
    const reader = new VarintReader(segment.streamOf(unit, unit + 1), unitStreams[unit]!)
    const end = unitStreams[unit + 1]!
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

/** A note name found in running text, and the note that has or contains it. */
export interface Mention extends NotePosition {
  name: string
  /**
   * Rarity of the name's rarest word among the vault's notes, 0 to 1: many texts say "Index" without meaning a note.
   */
  rarity: number
}

/** Longer names are not searched in running text. */
const longestName = 8
/** At most this many words of a note are searched for names. */
const mostWords = 20_000
/** A name found in more passages is an ordinary word. */
const mostUnits = 3000

/** Notes whose text contains one of these names as a sequence of words. */
export function notesMentioning(segments: readonly Segment[], names: readonly string[]): Mention[] {
  const found = new Map<string, Mention>()
  const total = liveNotes(segments)
  for (const name of names) {
    const words = wordsOf(name).map((word) => encoder.encode(word))
    if (words.length === 0) continue
    const rare = nameRarityOf(segments, words, total)
    for (const [at, segment] of segments.entries()) {
      const sequence = wordSequence(segment, words)
      if (sequence === undefined) continue
      const units = unitsWithStems(segment, sequence)
      if (units.length > mostUnits) continue
      for (const unit of units) {
        const note = segment.arrays.unitNotes[unit]!
        const key = `${at} ${note}`
        if (segment.dead[note] === 1 || (found.get(key)?.rarity ?? -1) >= rare) continue
        if (countSequence(segment, unit, sequence, 1) > 0) found.set(key, { at, note, name, rarity: rare })
      }
    }
  }
  return [...found.values()]
}

/** Notes whose name occurs in the text of this one as a sequence of words. */
export function notesMentionedIn(segments: readonly Segment[], { at, note }: NotePosition): Mention[] {
  const segment = segments[at]!
  const { noteUnits, unitStreams } = segment.arrays
  const [from, to] = [noteUnits[note]! + 1, segment.chunkEnd(note)]
  const numbers: number[] = []
  const reader = new VarintReader(segment.streamOf(from, to), unitStreams[from]!)
  while (reader.at < unitStreams[to]! && numbers.length < mostWords) numbers.push(reader.next())
  const hashes = hashesOf(segment, numbers)
  const total = liveNotes(segments)
  const found = new Map<string, Mention>()
  const tried = new Set<number>()
  for (let start = 0; start < numbers.length; start++) {
    let key = emptyName
    for (let end = start; end < numbers.length && end < start + longestName && numbers[end] !== nameBreak; end++) {
      key = hashName(key, hashes.get(numbers[end]!) as number)
      const whole = key >>> 0
      if (!mayBeName(segments, whole) || tried.has(whole)) continue
      tried.add(whole)
      const words = numbers.slice(start, end + 1).map((number) => segment.wordText(number))
      for (const [other, each] of segments.entries()) {
        for (const called of notesWithName(each, { names: [{ key: whole, words }] })) {
          const rare = nameRarityOf(
            segments,
            words.map((word) => encoder.encode(word)),
            total,
          )
          const known = found.get(`${other} ${called}`)
          if ((known?.rarity ?? -1) < rare)
            found.set(`${other} ${called}`, { at: other, note: called, name: words.join(' '), rarity: rare })
        }
      }
    }
  }
  return [...found.values()]
}

function hashesOf({ arrays: { wordBytes, wordOffsets } }: Segment, numbers: readonly number[]): Map<number, number> {
  const hashes = new Map<number, number>()
  for (const number of numbers) {
    if (!hashes.has(number)) hashes.set(number, hashWord(wordBytes, wordOffsets[number]!, wordOffsets[number + 1]!))
  }
  return hashes
}

function mayBeName(segments: readonly Segment[], key: number): boolean {
  for (const segment of segments) if (segment.mayBeName(key)) return true
  return false
}

function nameRarityOf(segments: readonly Segment[], words: readonly Uint8Array[], total: number): number {
  const holders = words.map((word) =>
    segments.reduce((sum, segment) => {
      const number = segment.findWord(word)
      return number < 0 ? sum : sum + segment.notesWithWord(number)
    }, 0),
  )
  return rarity(total, Math.min(...holders)) / Math.max(1, Math.log(total + 1))
}

const liveNotes = (segments: readonly Segment[]): number =>
  segments.reduce((sum, segment) => sum + segment.liveNotes, 0)
