import { hash } from 'node:crypto'
import type { ContentHash, JournalEntry, JournalRow, RecordedEntry } from '../../../core/vault/index.js'
import { recordRow } from '../../../core/vault/index.js'
import type { FileAccess } from '../files/index.js'
import { makeFolders, writeAll } from '../files/index.js'
import { journalLog } from './journal-log.js'

/** What the host keeps with an intent, beside what the core needs for undo. */
export interface IntentNotes {
  /** Where each before-image stands in the entry's image file: hash, offset, length. */
  images: [ContentHash, number, number][]
  /** Start of the names of this entry's temporary files; nobody can guess it. */
  temporary: string
  /** Permissions of each step's file, by index of the step. */
  modes: number[]
}

type StoredRow = (JournalRow & { row: 'intent'; notes: IntentNotes }) | Exclude<JournalRow, { row: 'intent' }>

export interface Retention {
  /** Default 30 days. */
  days?: number
  /** Default 1 GB. */
  bytes?: number
}

/** What was done to a vault and how to take it back: rows in a log, before-images beside it. Outside the vault. */
export interface Journal {
  readonly entries: Map<number, RecordedEntry>
  notes(sequence: number): IntentNotes | undefined
  /** Reads what other processes have added. */
  refresh(): Promise<void>
  /** False when an intent has no end yet; looks at the end of the log only. */
  isClean(): Promise<boolean>
  /** Keeps the before-images and the intent, both made to last. Only then may a file be touched. */
  begin(
    entry: Omit<JournalEntry, 'sequence'>,
    images: Map<ContentHash, Uint8Array>,
    notes: Pick<IntentNotes, 'temporary' | 'modes'>,
  ): Promise<JournalEntry>
  finish(sequence: number): Promise<void>
  rollBack(sequence: number, reason: string): Promise<void>
  /** A before-image, checked against its hash; undefined when it is gone or damaged. */
  image(sequence: number, hash: ContentHash): Promise<Uint8Array | undefined>
  /** Bytes of before-images kept. */
  size(): number
  /** Drops what is too old or too much, oldest first; never an entry without an end. Answers how many went. */
  prune(now: number): Promise<number>
}

export function journal(files: FileAccess, stateDir: string, retention: Retention = {}): Journal {
  const folder = `${stateDir}/journal`
  const log = journalLog<StoredRow>(files, folder)
  const maxAge = (retention.days ?? 30) * 86_400_000
  const maxBytes = retention.bytes ?? 1_000_000_000
  const entries = new Map<number, RecordedEntry>()
  const notes = new Map<number, IntentNotes>()
  let lastSequence = 0

  function take(row: StoredRow): void {
    const sequence = row.row === 'intent' ? row.entry.sequence : row.sequence
    lastSequence = Math.max(lastSequence, sequence)
    if (row.row === 'intent') notes.set(sequence, row.notes)
    recordRow(entries, row)
  }

  async function add(row: StoredRow, alsoSync?: readonly number[]): Promise<void> {
    await log.add(row, alsoSync)
    take(row)
  }

  const imageFile = (sequence: number) => `${folder}/images/${sequence}`

  /** Writes the before-images and hands over what must be synced; the intent's row is synced in the same go. */
  async function withImages(
    sequence: number,
    images: Map<ContentHash, Uint8Array>,
    work: (places: IntentNotes['images'], toSync: number[]) => Promise<void>,
  ): Promise<void> {
    if (images.size === 0) return work([], [])
    const imageFolder = `${folder}/images`
    await makeFolders(files, imageFolder)
    const path = imageFile(sequence)
    // Left by a process that died before its intent: no row names it.
    if ((await files.stat(path)) !== undefined) await files.remove(path)
    const file = (await files.open(path, 'create', 0o600))!
    try {
      const open = (await files.openFolder(imageFolder))!
      try {
        await writeAll(files, file, Buffer.concat([...images.values()]))
        await work(imagePlaces(images), [file, open.handle])
      } finally {
        await files.closeFolder(open)
      }
    } finally {
      await files.close(file)
    }
  }

  function bytesOf(sequence: number): number {
    return notes.get(sequence)?.images.reduce((sum, [, , length]) => sum + length, 0) ?? 0
  }

  return {
    entries,
    notes: (sequence) => notes.get(sequence),
    async refresh() {
      const { rows, restarted } = await log.newRows()
      if (restarted) {
        entries.clear()
        notes.clear()
      }
      for (const row of rows) take(row)
    },
    isClean: () => log.endsWith((row) => row.row !== 'intent'),
    async begin(entry, images, kept) {
      await makeFolders(files, folder)
      const sequence = lastSequence + 1
      const stored = { row: 'intent' as const, entry: { ...entry, sequence } }
      await withImages(sequence, images, (places, toSync) =>
        add({ ...stored, notes: { ...kept, images: places } }, toSync),
      )
      return stored.entry
    },
    finish: (sequence) => add({ row: 'done', sequence }),
    rollBack: (sequence, reason) => add({ row: 'rolled-back', sequence, reason }),
    async image(sequence, wanted) {
      const place = notes.get(sequence)?.images.find(([hash]) => hash === wanted)
      const file = place && (await files.open(imageFile(sequence), 'read'))
      if (place === undefined || file === undefined) return undefined
      try {
        const bytes = new Uint8Array(place[2])
        const count = await files.read(file, bytes, place[1])
        return count === bytes.length && hash('sha256', bytes) === wanted ? bytes : undefined
      } finally {
        await files.close(file)
      }
    },
    size: () => [...notes.keys()].reduce((sum, sequence) => sum + bytesOf(sequence), 0),
    async prune(now) {
      let left = this.size()
      const dropped = new Set<number>()
      for (const [sequence, { entry, state }] of entries) {
        if (state === 'open' || sequence === lastSequence) continue
        if (entry.time >= now - maxAge && left <= maxBytes) continue
        dropped.add(sequence)
        left -= bytesOf(sequence)
      }
      if (dropped.size === 0) return 0
      const rows = [...entries.values()].filter(({ entry }) => !dropped.has(entry.sequence)).flatMap(rowsOf)
      await log.replace(rows)
      for (const sequence of dropped) {
        entries.delete(sequence)
        notes.delete(sequence)
        const path = imageFile(sequence)
        if ((await files.stat(path)) !== undefined) await files.remove(path)
      }
      return dropped.size
    },
  }

  function rowsOf({ entry, state }: RecordedEntry): StoredRow[] {
    const { sequence } = entry
    const intent: StoredRow = { row: 'intent', entry, notes: notes.get(sequence)! }
    if (state === 'open') return [intent]
    if (state === 'applied') return [intent, { row: 'done', sequence }]
    return [intent, { row: 'rolled-back', sequence, reason: '' }]
  }
}

function imagePlaces(images: Map<ContentHash, Uint8Array>): IntentNotes['images'] {
  let offset = 0
  return [...images].map(([hash, bytes]) => {
    const start = offset
    offset += bytes.length
    return [hash, start, bytes.length]
  })
}
