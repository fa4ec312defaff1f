import { hash } from 'node:crypto'
import type { ContentHash, DamagedRow, JournalEntry, JournalRow, RecordedEntry } from '../../../core/vault/index.js'
import { outlived, type Retention, recordRow, unsettledSteps } from '../../../core/vault/index.js'
import type { FileAccess, OpenFolder } from '../files/index.js'
import { makeFolders, writeAll } from '../files/index.js'
import { type AfterImage, rebuilt } from './after-image.js'
import { journalLog } from './journal-log.js'
import type { LineDamage, LogLine } from './log-lines.js'

/** What the host keeps with an intent, beside what the core needs for undo. */
export interface IntentNotes {
  /** Where each before-image stands in the entry's image file: hash, offset, length. */
  images: [ContentHash, number, number][]
  /** The same for what the entry made of texts: hash, offset, length, and how it is put together with its base. */
  afters?: [ContentHash, number, number, { base: ContentHash; start: number; end: number }][]
  /** Start of the names of this entry's temporary files; nobody can guess it. */
  temporary: string
  /** Permissions of each step's file, by index of the step. */
  modes: number[]
}

type StoredRow = (JournalRow & { row: 'intent'; notes: IntentNotes }) | Exclude<JournalRow, { row: 'intent' }>

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
  /** Keeps the before-images and the intent, both made to last. Only then may a file be touched. */
  begin(
    entry: Omit<JournalEntry, 'sequence'>,
    images: Map<ContentHash, Uint8Array>,
    notes: Pick<IntentNotes, 'temporary' | 'modes'>,
    afters?: readonly AfterImage[],
  ): Promise<JournalEntry>
  /** An entry that another process wrote: it may have died before the row and the images were made to last. */
  makeLast(sequence: number): Promise<void>
  finish(sequence: number): Promise<void>
  /** Says that the entry will be taken back. Only then may anything of it be. */
  goBack(sequence: number): Promise<void>
  rollBack(sequence: number, reason: string): Promise<void>
  /** Ends an entry of which some steps went neither way. It is kept until they are settled. */
  leaveUndecided(sequence: number, went: 'finished' | 'taken-back', steps: number[]): Promise<void>
  /** A before-image, or what the entry made of one, checked against its hash; undefined when it is gone or damaged. */
  image(sequence: number, hash: ContentHash): Promise<Uint8Array | undefined>
  /** Whether the file of an entry's images is as long as it was meant to be. */
  hasAllImages(sequence: number): Promise<boolean>
  /** Whether a row that cannot be read, and was once written in full, stands behind those of the newest entry. */
  isEndDamaged(sequence: number): boolean
  /** Whether the log ends in the middle of a row: it was cut off, or another process is writing it just now. */
  endsInRow(): boolean
  /** Rows that cannot be read, in the order of the log. */
  damagedRows(): Promise<DamagedRow[]>
  /** Bytes of before-images kept. */
  size(): number
  /** Drops what is too old or too much, oldest first; never an entry without an end or to be settled. Answers how many went. */
  prune(): Promise<number>
}

export function journal(files: FileAccess, stateDir: string, retention: Retention = {}): Journal {
  const folder = `${stateDir}/journal`
  const log = journalLog<StoredRow>(files, folder)
  const entries = new Map<number, RecordedEntry>()
  const notes = new Map<number, IntentNotes>()
  const damaged: DamagedRow[] = []
  let lastSequence = 0
  /** The newest change that stands in the log as far as it was read. */
  let lastRead = 0
  const imageFolder = `${folder}/images`
  /** Whether this process has made the folder of images last. Whoever made it may have failed before that. */
  let isFolderKept = false

  function forget(): void {
    entries.clear()
    notes.clear()
    damaged.length = 0
    lastRead = 0
  }

  function takeLine(line: LogLine<StoredRow>): void {
    if ('row' in line) take(line.row)
    else damaged.push(damagedRow(line.damage))
  }

  const damagedRow = (damage: LineDamage): DamagedRow => ({ ...damage, after: lastRead })

  function take(row: StoredRow): void {
    const sequence = row.row === 'intent' ? row.entry.sequence : row.sequence
    lastSequence = Math.max(lastSequence, sequence)
    lastRead = Math.max(lastRead, sequence)
    if (row.row === 'intent') notes.set(sequence, row.notes)
    recordRow(entries, row)
  }

  async function add(row: StoredRow, alsoSync?: readonly number[]): Promise<void> {
    await log.add(row, alsoSync)
    take(row)
  }

  const imageFile = (sequence: number) => `${imageFolder}/${sequence}`

  // Images that no row names may be all that is left of a change whose row is lost, so they are not written over.
  async function freeSequence(): Promise<number> {
    let sequence = lastSequence + 1
    while ((await files.stat(imageFile(sequence))) !== undefined) sequence++
    return sequence
  }

  /** Writes the before-images and hands over what must be synced; the intent's row is synced in the same go. */
  async function withImages(
    sequence: number,
    parts: readonly Uint8Array[],
    work: (toSync: number[]) => Promise<void>,
  ): Promise<void> {
    if (parts.length === 0) return work([])
    await makeFolders(files, imageFolder)
    const path = imageFile(sequence)
    const file = (await files.open(path, 'create', 0o600))!
    let isKept = false
    try {
      await withFolders(isFolderKept ? [imageFolder] : [imageFolder, folder], async (handles) => {
        await writeAll(files, file, Buffer.concat(parts))
        await work([file, ...handles])
        isKept = true
        isFolderKept = true
      })
    } finally {
      await quietly(() => files.close(file))
      if (!isKept) await quietly(() => removeUnnamed(path))
    }
  }

  async function withFolders(paths: readonly string[], work: (handles: number[]) => Promise<void>): Promise<void> {
    const open: OpenFolder[] = []
    try {
      for (const path of paths) open.push((await files.openFolder(path))!)
      await work(open.map(({ handle }) => handle))
    } finally {
      for (const each of open) await quietly(() => files.closeFolder(each))
    }
  }

  /** Nothing has begun, so nothing needs them; left behind, they would look like those of a lost row. */
  async function removeUnnamed(path: string): Promise<void> {
    // A disk that fails may have kept the row all the same.
    if (await log.isAsKnown()) await files.remove(path)
  }

  async function readPart(sequence: number, [, offset, length]: Place | AfterPlace): Promise<Uint8Array | undefined> {
    const file = await files.open(imageFile(sequence), 'read')
    if (file === undefined) return undefined
    try {
      const bytes = new Uint8Array(length)
      return (await files.read(file, bytes, offset)) === length ? bytes : undefined
    } finally {
      await files.close(file)
    }
  }

  function bytesOf(sequence: number): number {
    const { images = [], afters = [] } = notes.get(sequence) ?? {}
    return [...images, ...afters].reduce((sum, [, , length]) => sum + length, 0)
  }

  return {
    entries,
    notes: (sequence) => notes.get(sequence),
    async refresh() {
      const { lines, restarted } = await log.newLines()
      if (restarted) forget()
      for (const line of lines) takeLine(line)
    },
    isClean: () => log.endsWith(({ row }) => row !== 'intent' && row !== 'rolling-back'),
    async begin(entry, images, kept, after = []) {
      await makeFolders(files, folder)
      const sequence = await freeSequence()
      const stored = { row: 'intent' as const, entry: { ...entry, sequence } }
      const parts = [...images.values(), ...after.map(({ bytes }) => bytes)]
      const offsets = offsetsOf(parts)
      const places = [...images].map(([hash, { length }], at): Place => [hash, offsets[at], length])
      const afters = after.map(({ hash, bytes, base, start, end }, at): AfterPlace => {
        return [hash, offsets[images.size + at], bytes.length, { base, start, end }]
      })
      await withImages(sequence, parts, (toSync) =>
        add({ ...stored, notes: { ...kept, images: places, ...(afters.length > 0 && { afters }) } }, toSync),
      )
      return stored.entry
    },
    async makeLast(sequence) {
      // A file that is gone can no longer be kept, and must not be made anew.
      const isThere = (await files.stat(imageFile(sequence))) !== undefined
      const file = isThere ? await files.open(imageFile(sequence), 'append') : undefined
      if (file === undefined) return log.makeLast()
      try {
        await withFolders([imageFolder, folder], (handles) => log.makeLast([file, ...handles]))
      } finally {
        await quietly(() => files.close(file))
      }
    },
    finish: (sequence) => add({ row: 'done', sequence }),
    goBack: (sequence) => add({ row: 'rolling-back', sequence }),
    leaveUndecided: (sequence, went, steps) => add({ row: 'undecided', sequence, went, steps }),
    rollBack: (sequence, reason) => add({ row: 'rolled-back', sequence, reason }),
    async image(sequence, wanted) {
      const { images = [], afters = [] } = notes.get(sequence) ?? {}
      const whole = images.find(([hash]) => hash === wanted)
      if (whole !== undefined) return checked(await readPart(sequence, whole), wanted)
      const after = afters.find(([hash]) => hash === wanted)
      const base = images.find(([hash]) => hash === after?.[3].base)
      if (after === undefined || base === undefined) return undefined
      const [bytes, before] = [await readPart(sequence, after), await readPart(sequence, base)]
      return bytes && before && checked(rebuilt(before, { ...after[3], bytes }), wanted)
    },
    async hasAllImages(sequence) {
      const stat = await files.stat(imageFile(sequence))
      return (stat?.size ?? 0) >= bytesOf(sequence)
    },
    isEndDamaged: (sequence) => damaged.some(({ after, isCut }) => after >= sequence && !isCut),
    endsInRow: () => log.unended() !== undefined,
    async damagedRows() {
      const unended = log.unended()
      const all = unended === undefined ? damaged : [...damaged, damagedRow(unended)]
      const found: DamagedRow[] = []
      for (const row of all) {
        const lost = row.remains.row === 'end' ? undefined : (row.remains.sequence ?? row.after + 1)
        const hasTexts = lost !== undefined && !entries.has(lost) && (await files.stat(imageFile(lost))) !== undefined
        found.push(hasTexts ? { ...row, earlierTexts: imageFile(lost) } : row)
      }
      return found
    },
    size: () => [...notes.keys()].reduce((sum, sequence) => sum + bytesOf(sequence), 0),
    async prune() {
      const kept = [...entries].map(([sequence, recorded]) => {
        return {
          sequence,
          time: recorded.entry.time,
          isOpen: recorded.state === 'open' || unsettledSteps(entries, recorded).length > 0,
          bytes: bytesOf(sequence),
        }
      })
      const dropped = outlived(kept, retention)
      if (dropped.size === 0) return 0
      const lines = await log.drop((row) => dropped.has(row.row === 'intent' ? row.entry.sequence : row.sequence))
      forget()
      for (const line of lines) takeLine(line)
      await removeImages(dropped)
      return dropped.size
    },
  }

  /** Those of dropped entries, and those of lost rows that were older. */
  async function removeImages(dropped: ReadonlySet<number>): Promise<void> {
    const oldest: number = entries.keys().next().value ?? lastSequence
    const open = await files.openFolder(imageFolder)
    if (open === undefined) return
    try {
      for (const { name } of await files.listFolder(open)) {
        const sequence = Number(name)
        if (dropped.has(sequence) || sequence < oldest) await files.remove(open.at(name))
      }
    } finally {
      await files.closeFolder(open)
    }
  }
}

type Place = IntentNotes['images'][number]
type AfterPlace = NonNullable<IntentNotes['afters']>[number]

function offsetsOf(parts: readonly Uint8Array[]): number[] {
  let offset = 0
  return parts.map(({ length }) => {
    offset += length
    return offset - length
  })
}

function checked(bytes: Uint8Array | undefined, wanted: ContentHash): Uint8Array | undefined {
  return bytes !== undefined && hash('sha256', bytes) === wanted ? bytes : undefined
}

/**
 * For what comes after the bytes were made to last, or after an error that is already on its way: closing a file says
 * nothing about its bytes any more, and images that no row names are noticed and named by the next start.
 */
async function quietly(work: () => Promise<void> | void): Promise<void> {
  try {
    await work()
  } catch {}
}
