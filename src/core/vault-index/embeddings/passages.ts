import { hashBytes } from '../../vault/index.js'
import type { Segment } from '../engine/index.js'
import type { IndexStore, StoredChunk, StoredNote } from '../index-store.js'

/** A passage of a note as a provider's model is shown it. */
export interface Passage {
  note: StoredNote
  /** Its place in the vectors of its segment. */
  row: number
  text: string
  /** Names the text: what says the same is made once. */
  key: string
}

/** Notes whose passages are looked up together. */
const notesAtOnce = 64

/** The passages of all notes of a segment that are still there, note by note. */
export async function* passagesOf(
  store: IndexStore,
  segment: Segment,
): AsyncGenerator<{ note: StoredNote; passages: Passage[] }> {
  const alive = [...segment.arrays.noteIds].filter((id) => segment.has(id))
  for (let from = 0; from < alive.length; from += notesAtOnce) {
    const ids = alive.slice(from, from + notesAtOnce)
    const wanted = ids.flatMap((note) =>
      Array.from({ length: segment.chunkCount(note) }, (_, ordinal) => ({ note, ordinal })),
    )
    const [notes, chunks] = [await store.notes(ids), await store.chunks(wanted)]
    const passages = new Map<number, Passage[]>()
    for (const [at, { note: id, ordinal }] of wanted.entries()) {
      const [note, chunk] = [notes.get(id), chunks[at]]
      if (note === undefined || chunk === undefined) continue
      const row = segment.noteCount + segment.arrays.noteChunks[segment.noteNumber(id)] + ordinal
      const text = passageText(note, chunk)
      const known = passages.get(id) ?? []
      known.push({ note, row, text, key: keyOf(text) })
      passages.set(id, known)
    }
    for (const [id, note] of notes) yield { note, passages: passages.get(id) ?? [] }
  }
}

/** A passage alone often does not say what it is about: its note's title and its heading do. */
function passageText({ title }: StoredNote, { heading, content }: StoredChunk): string {
  const place = heading === '' || heading === title ? title : `${title} › ${heading}`
  return `${place}\n\n${content}`
}

const encoder = new TextEncoder()

const keyOf = (text: string): string => hashBytes(encoder.encode(text)).slice(0, 16)

export const keyNumbers = (key: string): [number, number] => [
  Number.parseInt(key.slice(0, 8), 16),
  Number.parseInt(key.slice(8), 16),
]

export const keyFrom = (high: number, low: number): string =>
  `${high.toString(16).padStart(8, '0')}${low.toString(16).padStart(8, '0')}`
