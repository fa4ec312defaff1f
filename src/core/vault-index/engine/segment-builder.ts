import { eachReadWord } from './addresses.js'
import { Interner } from './dictionary.js'
import { buildSegment } from './invert.js'
import { baseName, emptyName, folderNames, hashName } from './names.js'
import type { NoteText } from './note-text.js'
import { eachWord, hashBytes, wordBytes } from './tokens.js'
import { VarintWriter } from './varint.js'

export interface SegmentBuilder {
  add(note: NoteText): void
  /** The finished segment. The builder is empty again; its memory serves the next one. */
  build(): Uint8Array
}

/** The words of many notes as they are met; `buildSegment` turns them round. */
export interface Gathered {
  words: Interner
  /** Words of all units in order, numbered as first met: frequent ones are met early and have small numbers. */
  stream: VarintWriter
  /** Where each unit's words end in the stream. */
  unitEnds: number[]
  noteIds: number[]
  /** Path and title of each note, one after the other. */
  labels: string[]
  /** For each note its first unit and how many of its units are chunks. */
  noteUnits: number[]
  noteChunkCounts: number[]
  nameKeys: number[]
  nameNotes: number[]
  /** Scratch of `buildSegment`. */
  pairs: VarintWriter
}

/** Stands between two names of a note, so that no phrase runs from one into the next. */
export const nameBreak = 0

export function emptyGathered(): Gathered {
  const gathered: Gathered = {
    words: new Interner(),
    stream: new VarintWriter(),
    unitEnds: [],
    noteIds: [],
    labels: [],
    noteUnits: [],
    noteChunkCounts: [],
    nameKeys: [],
    nameNotes: [],
    pairs: new VarintWriter(),
  }
  clear(gathered)
  return gathered
}

function clear(gathered: Gathered): void {
  gathered.words.clear()
  gathered.words.intern(wordBytes, 0, 0, hashBytes(wordBytes, 0, 0))
  gathered.stream.length = 0
  for (const key of [
    'unitEnds',
    'noteIds',
    'labels',
    'noteUnits',
    'noteChunkCounts',
    'nameKeys',
    'nameNotes',
  ] as const) {
    gathered[key].length = 0
  }
}

/** Takes in notes one by one and makes an immutable, searchable segment of them. */
export function segmentBuilder(): SegmentBuilder {
  const gathered = emptyGathered()
  const { words, stream, unitEnds } = gathered
  let nameHash = emptyName

  function takeWord(length: number, hash: number): void {
    stream.push(words.intern(wordBytes, 0, length, hash))
  }

  function takeNameWord(length: number, hash: number): void {
    nameHash = hashName(nameHash, hash)
    takeWord(length, hash)
  }

  function addNames({ title, names, path }: NoteText): void {
    const note = gathered.noteIds.length
    const seen = new Set<string>()
    for (const name of [title, baseName(path), ...names]) {
      const same = name.normalize('NFKC').toLowerCase().trim()
      if (same === '' || seen.has(same)) continue
      if (seen.size > 0) stream.push(nameBreak)
      seen.add(same)
      nameHash = emptyName
      eachWord(name, takeNameWord)
      if (nameHash === emptyName) continue
      gathered.nameKeys.push(nameHash >>> 0)
      gathered.nameNotes.push(note)
    }
    unitEnds.push(stream.length)
  }

  function addUnit(text: string): void {
    eachReadWord(text, takeWord)
    unitEnds.push(stream.length)
  }

  return {
    add(note) {
      gathered.noteUnits.push(unitEnds.length)
      addNames(note)
      for (const chunk of note.chunks) addUnit(chunk)
      const aside = `${note.extra} ${folderNames(note.path)}`.trim()
      if (aside !== '') addUnit(aside)
      gathered.noteIds.push(note.id)
      gathered.labels.push(note.path, note.title)
      gathered.noteChunkCounts.push(note.chunks.length)
    },
    build() {
      const bytes = buildSegment(gathered)
      clear(gathered)
      return bytes
    },
  }
}
