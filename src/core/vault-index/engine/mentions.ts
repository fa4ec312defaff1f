import { rarity } from './collection.js'
import type { NotePlace } from './like-note.js'
import { notesCalled } from './name-match.js'
import { emptyName, hashName } from './names.js'
import type { Segment } from './segment.js'
import { nameBreak } from './segment-builder.js'
import { hashBytes, wordsOf } from './tokens.js'
import { VarintReader } from './varint.js'
import { countRow, unitsWithStemsOf, wordRow } from './word-row.js'

/** A name that stands in a text, and the note that is called so or that holds it. */
export interface Mention extends NotePlace {
  name: string
  /** How rare the rarest word of the name is among the vault's notes, 0 to 1: "Index" is said by many who mean no note. */
  rarity: number
}

/** Longer names are not looked for in running text. */
const longestName = 8
/** So much of a note is looked through. */
const mostWords = 20_000
/** A name in more passages than this is a word like others. */
const mostUnits = 3000

/** Notes that hold one of these names, word beside word. */
export function notesMentioning(segments: readonly Segment[], names: readonly string[]): Mention[] {
  const found = new Map<string, Mention>()
  const total = liveNotes(segments)
  for (const name of names) {
    const words = wordsOf(name).map((word) => encoder.encode(word))
    if (words.length === 0) continue
    const rare = rarityOf(segments, words, total)
    for (const [at, segment] of segments.entries()) {
      const row = wordRow(segment, words)
      if (row === undefined) continue
      const units = unitsWithStemsOf(segment, row)
      if (units.length > mostUnits) continue
      for (const unit of units) {
        const note = segment.arrays.unitNotes[unit]
        const key = `${at} ${note}`
        if (segment.dead[note] === 1 || (found.get(key)?.rarity ?? -1) >= rare) continue
        if (countRow(segment, unit, row, 1) > 0) found.set(key, { at, note, name, rarity: rare })
      }
    }
  }
  return [...found.values()]
}

/** Notes whose name stands in the text of this one, word beside word. */
export function notesMentionedIn(segments: readonly Segment[], { at, note }: NotePlace): Mention[] {
  const segment = segments[at]
  const { noteUnits, unitStreams } = segment.arrays
  const [from, to] = [noteUnits[note] + 1, segment.chunkEnd(note)]
  const numbers: number[] = []
  const reader = new VarintReader(segment.streamOf(from, to), unitStreams[from])
  while (reader.at < unitStreams[to] && numbers.length < mostWords) numbers.push(reader.next())
  const hashes = hashesOf(segment, numbers)
  const total = liveNotes(segments)
  const found = new Map<string, Mention>()
  const tried = new Set<number>()
  for (let start = 0; start < numbers.length; start++) {
    let key = emptyName
    for (let end = start; end < numbers.length && end < start + longestName && numbers[end] !== nameBreak; end++) {
      key = hashName(key, hashes.get(numbers[end]) as number)
      const whole = key >>> 0
      if (!mayBeName(segments, whole) || tried.has(whole)) continue
      tried.add(whole)
      const words = numbers.slice(start, end + 1).map((number) => segment.wordText(number))
      for (const [other, each] of segments.entries()) {
        for (const called of notesCalled(each, { names: [{ key: whole, words }] })) {
          const rare = rarityOf(
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
    if (!hashes.has(number)) hashes.set(number, hashBytes(wordBytes, wordOffsets[number], wordOffsets[number + 1]))
  }
  return hashes
}

function mayBeName(segments: readonly Segment[], key: number): boolean {
  for (const segment of segments) if (segment.mayBeName(key)) return true
  return false
}

function rarityOf(segments: readonly Segment[], words: readonly Uint8Array[], total: number): number {
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

const encoder = new TextEncoder()
