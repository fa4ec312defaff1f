import { hash } from 'node:crypto'
import type {
  ChangeJournal,
  ContentHash,
  DamagedRow,
  JournalEntry,
  JournalRow,
  RecordedEntry,
  Retention,
  StagedStep,
} from '../../../core/vault/index.js'
import { expiredEntries, recordRow, undecidedSteps } from '../../../core/vault/index.js'
import type { FileAccess, OpenFolder } from '../files/file-access.js'
import { makeFolders, writeAll } from '../files/file-access.js'
import type { LineDamage, LogLine } from './journal-log.js'
import { journalLog } from './journal-log.js'

/** The Node host's part of an intent, beside the entry. */
export interface IntentNotes {
  /** Each whole image in the entry's image file: hash, offset, length. */
  images: [ContentHash, number, number][]
  /** The same for texts after the entry: hash, offset, length, and how each is built from its base. */
  afters?: [ContentHash, number, number, { base: ContentHash; start: number; end: number }][]
  /** Prefix of this entry's temporary files; unpredictable. */
  temporary: string
  /** Permissions of each step's file, by index of the step. */
  modes: number[]
}

type StoredRow = (JournalRow & { row: 'intent'; notes: IntentNotes }) | Exclude<JournalRow, { row: 'intent' }>

/**
 * The changes of a vault, with all that undo and recovery need: rows in a log, and beside it the bytes of every
 * note before and after. Outside the vault.
 */
export interface FileJournal extends ChangeJournal {
  notes(sequence: number): IntentNotes | undefined
  /** Reads rows of other processes. */
  refresh(): Promise<void>
  /** False if an intent has no end yet; checks the end of the log only. */
  isClean(): Promise<boolean>
  /** Writes images and intent, and syncs both. Only then may a file be touched. */
  begin(
    entry: Omit<JournalEntry, 'sequence'>,
    steps: readonly StagedStep[],
    notes: Pick<IntentNotes, 'temporary' | 'modes'>,
  ): Promise<JournalEntry>
  /** True if the log ends in an incomplete row: it was cut off, or another process is writing it. */
  endsInRow(): boolean
  /** Rows that cannot be read, in the order of the log. */
  damagedRows(): Promise<DamagedRow[]>
  /** Bytes of images kept. */
  size(): number
  /** Drops entries past the retention, oldest first; never an entry that is open or undecided. Returns how many. */
  prune(): Promise<number>
}

export function journal(files: FileAccess, stateDir: string, retention: Retention = {}): FileJournal {
  const folder = `${stateDir}/journal`
  const log = journalLog<StoredRow>(files, folder)
  const entries = new Map<number, RecordedEntry>()
  const notes = new Map<number, IntentNotes>()
  const damaged: DamagedRow[] = []
  let lastSequence = 0
  /** The newest change in the log as far as it was read. */
  let lastRead = 0
  const imageFolder = `${folder}/images`
  /** True if this process last created the folder of images. Another process may have failed before syncing it. */
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

  /** Writes the before-images and passes on the files to sync; the intent's row is synced together with them. */
  async function withImages(
    sequence: number,
    parts: readonly Uint8Array[],
    work: (toSync: number[]) => Promise<void>,
  ): Promise<void> {
    if (parts.length === 0) return work([])
    await makeFolders(files, imageFolder)
    const path = imageFile(sequence)
    // `!`: a file opened to create it is there, or open throws.
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
      // `!`: these folders were made before.
      for (const path of paths) open.push((await files.openFolder(path))!)
      await work(open.map(({ handle }) => handle))
    } finally {
      for (const each of open) await quietly(() => files.closeFolder(each))
    }
  }

  /** Nothing has begun, so they are unused; left behind, they would look like those of a lost row. */
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
    async begin(entry, steps, kept) {
      const [images, after] = [wholeImages(steps), afterImages(steps)]
      await makeFolders(files, folder)
      const sequence = await freeSequence()
      const stored = { row: 'intent' as const, entry: { ...entry, sequence } }
      const parts = [...images.values(), ...after.map(({ bytes }) => bytes)]
      // In the order of `parts`.
      const offsetOf = nextOffset()
      const places = [...images].map(([hash, bytes]): Place => [hash, offsetOf(bytes), bytes.length])
      const afters = after.map(({ hash, bytes, base, start, end }): AfterPlace => {
        return [hash, offsetOf(bytes), bytes.length, { base, start, end }]
      })
      await withImages(sequence, parts, (toSync) =>
        add({ ...stored, notes: { ...kept, images: places, ...(afters.length > 0 && { afters }) } }, toSync),
      )
      return stored.entry
    },
    async syncEntry(sequence) {
      // A deleted file must not be created again.
      const isThere = (await files.stat(imageFile(sequence))) !== undefined
      const file = isThere ? await files.open(imageFile(sequence), 'append') : undefined
      if (file === undefined) return log.makeLast()
      try {
        await withFolders([imageFolder, folder], (handles) => log.makeLast([file, ...handles]))
      } finally {
        await quietly(() => files.close(file))
      }
    },
    add: (row) => add(row),
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
          isOpen: recorded.state === 'open' || undecidedSteps(entries, recorded).length > 0,
          bytes: bytesOf(sequence),
        }
      })
      const dropped = expiredEntries(kept, retention)
      if (dropped.size === 0) return 0
      const lines = await log.drop((row) => dropped.has(row.row === 'intent' ? row.entry.sequence : row.sequence))
      forget()
      for (const line of lines) takeLine(line)
      await removeImages(dropped)
      return dropped.size
    },
  }

  /** Images of dropped entries, and of older lost rows. */
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

/** Returns the offset of each part in a file that has them one after another. */
function nextOffset(): (part: Uint8Array) => number {
  let offset = 0
  return ({ length }) => {
    offset += length
    return offset - length
  }
}

function checked(bytes: Uint8Array | undefined, wanted: ContentHash): Uint8Array | undefined {
  return bytes !== undefined && hash('sha256', bytes) === wanted ? bytes : undefined
}

/** For work after the bytes are durable, or after an error that will be thrown. */
async function quietly(work: () => Promise<void> | void): Promise<void> {
  try {
    await work()
  } catch {
    // Closing a file no longer affects its bytes, and images without a row are reported by the next start.
  }
}

/** A changed text as its difference from the text before: the bytes between a common start and a common end. */
interface AfterImage {
  hash: ContentHash
  /** The before-image it differs from, and how many bytes both begin and end with. */
  base: ContentHash
  start: number
  end: number
  bytes: Uint8Array
}

/** The bytes of every note before, and of created notes; `afterImages` has the results of the others. */
function wholeImages(steps: readonly StagedStep[]): Map<ContentHash, Uint8Array> {
  const images = new Map<ContentHash, Uint8Array>()
  for (const step of steps) {
    // A moved note keeps its bytes; a note in the trash may be gone when it is to be restored.
    if (step.kind !== 'rename' && step.before !== null) images.set(step.before.hash, step.before.bytes)
    else if (step.kind === 'write') images.set(step.hash, step.after)
  }
  return images
}

/**
 * The texts after a change, which undo needs to distinguish later edits from the change. Created notes are removed as a
 * whole, so they need no text.
 */
function afterImages(steps: readonly StagedStep[]): AfterImage[] {
  const removed = new Map(steps.flatMap((step) => (step.kind === 'remove' ? [[step.path, step.before]] : [])))
  return steps.flatMap((step) => {
    if (step.kind !== 'write') return []
    const base = step.before ?? (step.origin === undefined ? undefined : removed.get(step.origin))
    if (base === undefined) return []
    const { start, end } = commonEnds(base.bytes, step.after)
    const bytes = step.after.subarray(start, step.after.length - end)
    return [{ hash: step.hash, base: base.hash, start, end, bytes }]
  })
}

function rebuilt(base: Uint8Array, { start, end, bytes }: Pick<AfterImage, 'start' | 'end' | 'bytes'>): Buffer {
  return Buffer.concat([base.subarray(0, start), bytes, base.subarray(base.length - end)])
}

function commonEnds(one: Uint8Array, other: Uint8Array): { start: number; end: number } {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start++
  let end = 0
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  return { start, end }
}
