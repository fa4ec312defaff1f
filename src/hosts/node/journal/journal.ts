import { hash } from 'node:crypto'
import type { ContentHash, JournalEntry, JournalRow, RecordedEntry } from '../../../core/vault/index.js'
import { recordRow, unsettledSteps } from '../../../core/vault/index.js'
import type { FileAccess } from '../files/index.js'
import { makeFolders, writeAll } from '../files/index.js'
import { journalLog } from './journal-log.js'
import { type ImagePlace, joinImage, type KeptImage, placeImages } from './kept-images.js'

/** What the host keeps with an intent, beside what the core needs for undo. */
export interface IntentNotes {
  /** Where each image stands in the entry's file of them. */
  images: ImagePlace[]
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

/**
 * What was done to a vault and how to take it back or do it again: rows in a log, and beside it the bytes of every
 * note before and after. Outside the vault.
 */
export interface Journal {
  readonly entries: Map<number, RecordedEntry>
  notes(sequence: number): IntentNotes | undefined
  /** Reads what other processes have added. */
  refresh(): Promise<void>
  /** False when an intent has no end yet; looks at the end of the log only. */
  isClean(): Promise<boolean>
  /** Keeps the images and the intent, both made to last. Only then may a file be touched. */
  begin(
    entry: Omit<JournalEntry, 'sequence'>,
    images: ReadonlyMap<ContentHash, KeptImage>,
    notes: Pick<IntentNotes, 'temporary' | 'modes'>,
  ): Promise<JournalEntry>
  finish(sequence: number): Promise<void>
  /** Says that the entry will be taken back. Only then may anything of it be. */
  goBack(sequence: number): Promise<void>
  rollBack(sequence: number, reason: string): Promise<void>
  /** Ends an entry of which some steps went neither way. It is kept until they are settled. */
  leaveUndecided(sequence: number, went: 'finished' | 'taken-back', steps: number[]): Promise<void>
  /** A note's bytes before or after an entry, checked against their hash; undefined when they are gone or damaged. */
  image(sequence: number, hash: ContentHash): Promise<Uint8Array | undefined>
  /** Bytes of images kept. */
  size(): number
  /**
   * Drops what is too old or too much, oldest first; never an entry without an end or one to be
   * settled. Answers how many went.
   */
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

  /** Writes the images and hands over what must be synced; the intent's row is synced in the same go. */
  async function withImages(
    sequence: number,
    images: ReadonlyMap<ContentHash, KeptImage>,
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
        const { places, parts } = placeImages(images)
        await writeAll(files, file, Buffer.concat(parts))
        await work(places, [file, open.handle])
      } finally {
        await files.closeFolder(open)
      }
    } finally {
      await files.close(file)
    }
  }

  async function readImage(
    file: number,
    places: readonly ImagePlace[],
    wanted: ContentHash,
  ): Promise<Uint8Array | undefined> {
    const place = places.find(([hash]) => hash === wanted)
    if (place === undefined) return undefined
    const [, offset, length, rest] = place
    const bytes = new Uint8Array(length)
    if ((await files.read(file, bytes, offset)) < length) return undefined
    if (rest === undefined) return bytes
    const [like, start, end] = rest
    const base = await readImage(file, places, like)
    return base && joinImage(bytes, base, start, end)
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
    isClean: () => log.endsWith(({ row }) => row !== 'intent' && row !== 'rolling-back'),
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
    goBack: (sequence) => add({ row: 'rolling-back', sequence }),
    leaveUndecided: (sequence, went, steps) => add({ row: 'undecided', sequence, went, steps }),
    rollBack: (sequence, reason) => add({ row: 'rolled-back', sequence, reason }),
    async image(sequence, wanted) {
      const places = notes.get(sequence)?.images ?? []
      if (!places.some(([hash]) => hash === wanted)) return undefined
      const file = await files.open(imageFile(sequence), 'read')
      if (file === undefined) return undefined
      try {
        const bytes = await readImage(file, places, wanted)
        return bytes !== undefined && hash('sha256', bytes) === wanted ? bytes : undefined
      } finally {
        await files.close(file)
      }
    },
    size: () => [...notes.keys()].reduce((sum, sequence) => sum + bytesOf(sequence), 0),
    async prune(now) {
      let left = this.size()
      const dropped = new Set<number>()
      for (const [sequence, recorded] of entries) {
        const { entry, state } = recorded
        if (state === 'open' || sequence === lastSequence) continue
        if (unsettledSteps(entries, recorded).length > 0) continue
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

  function rowsOf({ entry, state, isGoingBack, undecided }: RecordedEntry): StoredRow[] {
    const { sequence } = entry
    const intent: StoredRow = { row: 'intent', entry, notes: notes.get(sequence)! }
    if (state === 'open') return isGoingBack ? [intent, { row: 'rolling-back', sequence }] : [intent]
    if (undecided.size > 0) {
      const went = state === 'applied' ? 'finished' : 'taken-back'
      return [intent, { row: 'undecided', sequence, went, steps: [...undecided] }]
    }
    if (state === 'applied') return [intent, { row: 'done', sequence }]
    return [intent, { row: 'rolled-back', sequence, reason: '' }]
  }
}
