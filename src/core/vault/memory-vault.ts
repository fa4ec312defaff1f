import { applyChanges, type ChangeHost, type EntryFiles, recoverEntries, type TrashPlan } from './change-engine.js'
import { type AppliedChangeSet, type ChangeSet, type ContentHash, isRestoring } from './change-set.js'
import { decodeRules, type Exclusions, exclusions } from './exclusions.js'
import { historyOf, type JournalRow, type RecordedEntry, recordRow } from './journal.js'
import { addStamp, emptyListing } from './listing-sum.js'
import { folderOf, foldPath, freeNames, isNote, type NotePath, notePath } from './note-path.js'
import { decodeNote, hashBytes } from './note-text.js'
import { linkSettings, plainMarkdown, trashOption } from './obsidian-settings.js'
import { planUndo, type UndoSource } from './plan-undo.js'
import { isPrivateNote } from './private-note.js'
import { planResolution } from './resolve-interrupted.js'
import { type FoundFile, imagesOf, removal, type StagedStep } from './stage-changes.js'
import type { FileStamp, JournaledVault, NoteFile } from './vault.js'
import { changedConflict, pathTakenConflict, rulesUnreadable, tooLarge } from './vault-failures.js'

/** Options of `memoryVault`. */
export interface MemoryVaultOptions {
  files?: Record<string, string | Uint8Array>
  exclude?: string[]
  maxReadBytes?: number
  now?: () => number
  /** Storage of files and journal. A second vault on the same disk sees the first one's data, as after a restart. */
  disk?: MemoryDisk
}

/** Files and journal rows in memory. Each call that changes something does so at once or throws. */
export interface MemoryDisk {
  /** By folded path. */
  readonly files: ReadonlyMap<string, MemoryFile>
  readonly rows: readonly JournalRow[]
  readonly images: ReadonlyMap<ContentHash, Uint8Array>
  set(file: MemoryFile): void
  remove(path: string): void
  rename(path: string, to: NotePath): void
  addRow(row: JournalRow, images: ReadonlyMap<ContentHash, Uint8Array>): void
}

/** A vault in memory, for tests and programs without files. */
export interface MemoryVault extends JournaledVault {
  /** Plays an external editor: writes past change sets, as another program would. */
  write(path: string, content: string | Uint8Array): void
  remove(path: string): void
  /** All bytes by path, including `.trash`. */
  snapshot(): Map<string, Uint8Array>
}

export interface MemoryFile {
  path: NotePath
  bytes: Uint8Array
  mtimeMs: number
  ctimeMs: number
}

/** The reference implementation of the vault, in memory; unit tests use it instead of a disk. */
export function memoryVault(options: MemoryVaultOptions = {}): MemoryVault {
  const now = options.now ?? Date.now
  const maxReadBytes = options.maxReadBytes ?? 32 << 20
  const disk = options.disk ?? memoryDisk()
  const { files } = disk
  const entries = new Map<number, RecordedEntry>()
  for (const row of disk.rows) recordRow(entries, row)
  let queue: Promise<unknown> = Promise.resolve()
  const watchers = new Set<(path: NotePath | undefined) => void>()

  function rules(): Exclusions {
    const file = files.get('.notewrightignore')
    const text = file === undefined ? '' : decodeRules(file.bytes)
    if (text === undefined) throw rulesUnreadable('.notewrightignore', 'it is not UTF-8 or UTF-16 text')
    return exclusions(text, options.exclude)
  }

  function put(path: string, bytes: Uint8Array): void {
    const time = now()
    const before = files.get(foldPath(path))
    disk.set({ path: path as NotePath, bytes, mtimeMs: time, ctimeMs: before?.ctimeMs ?? time })
  }

  function tell(path: string): void {
    if (path.split('/').some((segment) => segment.startsWith('.'))) return
    for (const watcher of watchers) watcher(path as NotePath)
  }

  function lookup(path: string): MemoryFile | undefined {
    return rules().hides(path) ? undefined : files.get(foldPath(path))
  }

  async function read(path: NotePath): Promise<NoteFile | undefined> {
    const file = lookup(path)
    if (file === undefined) return undefined
    if (isNote(file.path) && isPrivateNote(decodeNote(file.bytes).text)) return undefined
    if (file.bytes.length > maxReadBytes) throw tooLarge(file.path, file.bytes.length, maxReadBytes)
    return noteFileOf(file)
  }

  function noteFileOf(file: MemoryFile): NoteFile {
    const { text, encoding } = decodeNote(file.bytes)
    return { ...stampOf(file), bytes: file.bytes, text, hash: hashBytes(file.bytes), encoding }
  }

  async function find(path: NotePath, isUndo: boolean): Promise<FoundFile> {
    const file = files.get(foldPath(path))
    // `!`: a file is loaded only if it was found.
    const found = { path: file?.path ?? (isUndo ? path : spelled(path)), load: async () => loaded(file!) }
    if (!isUndo && rules().hides(path)) return { ...found, state: 'excluded' }
    if (file === undefined) return { ...found, state: 'absent' }
    const isHidden = !isUndo && isNote(path) && isPrivateNote(decodeNote(file.bytes).text)
    return { ...found, state: isHidden ? 'hidden' : 'present' }
  }

  // Folders that exist keep their spelling, as on a disk.
  function spelled(path: NotePath): NotePath {
    const folders = new Map([...files.values()].flatMap((file) => foldersOf(file.path)).map((f) => [foldPath(f), f]))
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      const known = folders.get(foldPath(folder))
      if (known !== undefined) return (known + path.slice(folder.length)) as NotePath
    }
    return path
  }

  const host: ChangeHost = {
    journal: {
      entries,
      async add(row) {
        disk.addRow(row, new Map())
        recordRow(entries, row)
      },
      image: async (_, hash) => disk.images.get(hash),
      prune: async () => undefined,
    },
    now,
    survey: async (set) => ({
      find: (path) => find(path, isRestoring(set)),
      hasFolder: async (path) => [...files.values()].some((file) => foldersOf(file.path).includes(path)),
      hash: hashBytes,
      planTrash,
      async begin(entry, steps) {
        const row: JournalRow = { row: 'intent', entry: { ...entry, sequence: entries.size + 1 } }
        disk.addRow(row, imagesOf(steps))
        recordRow(entries, row)
        return row.entry
      },
    }),
    filesOf: () => memoryEntryFiles(disk, put),
    asFailure: (error) => error,
    decideHint: '.',
  }

  async function apply(set: ChangeSet): Promise<AppliedChangeSet> {
    await recoverEntries(host)
    const known = entries.size
    const answer = await applyChanges(set, host)
    const changed = entries.size === known ? [] : answer.changes
    for (const { path, to } of changed) for (const each of to === undefined ? [path] : [path, to]) tell(each)
    return answer
  }

  async function planTrash(steps: StagedStep[]): Promise<TrashPlan> {
    if (!keepsTrash()) return { steps: steps.map(removal), paths: new Map() }
    const there = [...files.values()].filter(({ path }) => folderOf(path) === '.trash')
    const nextName = freeNames(there.map(({ path }) => path.slice('.trash/'.length)))
    const notes = steps.filter(({ kind }) => kind === 'trash')
    return { steps, paths: new Map(notes.map(({ path }) => [path, `.trash/${nextName(path)}` as NotePath])) }
  }

  // There is no system here, so its trash is that of the vault.
  function keepsTrash(): boolean {
    const settings = files.get('.obsidian/app.json')
    return settings === undefined || trashOption(decodeNote(settings.bytes).text) !== 'none'
  }

  function visibleFiles(signal?: AbortSignal): FileStamp[] {
    signal?.throwIfAborted()
    const { hides } = rules()
    return [...files.values()].filter(({ path }) => isAllowed(path) && !hides(path)).map(stampOf)
  }

  const source: UndoSource = {
    entries,
    current: async (path) => {
      const file = files.get(foldPath(path))
      return file && { path: file.path, ...loaded(file) }
    },
    image: async (_, hash) => disk.images.get(hash),
    hash: hashBytes,
  }

  for (const [path, content] of Object.entries(options.files ?? {})) put(path, bytesOf(content))

  return {
    id: 'memory',
    checkRules: async () => void rules(),
    async files(signal) {
      return visibleFiles(signal).sort((a, b) => (a.path < b.path ? -1 : 1))
    },
    eachFile: async (see, signal) => visibleFiles(signal).forEach(see),
    sum: async () => visibleFiles().reduce(addStamp, emptyListing),
    async excludedFiles() {
      const { hides } = rules()
      return [...files.values()].map(({ path }) => path).filter((path) => isAllowed(path) && hides(path))
    },
    async readHidden(path) {
      const file = files.get(foldPath(path))
      return file && noteFileOf(file)
    },
    async linkSettings() {
      const settings = files.get('.obsidian/app.json')
      if (settings !== undefined) return linkSettings(decodeNote(settings.bytes).text)
      return [...files.keys()].some((path) => path.startsWith('.obsidian/')) ? linkSettings('') : plainMarkdown
    },
    async stat(path) {
      const file = lookup(path)
      return file && stampOf(file)
    },
    read,
    reading: (work) => work(read),
    async readPart(path, { from, bytes }) {
      const file = lookup(path)
      if (file === undefined) return undefined
      if (isNote(file.path) && isPrivateNote(decodeNote(file.bytes).text)) return undefined
      return { path: file.path, from, size: file.bytes.length, bytes: file.bytes.slice(from, from + bytes) }
    },
    async isClosed(path) {
      const { state } = await find(path, false)
      return state === 'hidden' || state === 'excluded'
    },
    apply(set) {
      const turn = queue.then(() => apply(set))
      // The caller gets the failure through `turn`; the queue continues.
      queue = turn.catch(() => undefined)
      return turn
    },
    watch(onChange) {
      watchers.add(onChange)
      return () => watchers.delete(onChange)
    },
    history: async () => historyOf(entries),
    planUndo: (target, choose) => planUndo(target, source, choose),
    planResolution: (target) => planResolution(target, source),
    write(path, content) {
      put(path, bytesOf(content))
      tell(path)
    },
    remove(path) {
      disk.remove(path)
      tell(path)
    },
    snapshot: () => new Map([...files.values()].map((file) => [file.path, file.bytes])),
  }
}

export function memoryDisk(): MemoryDisk {
  const files = new Map<string, MemoryFile>()
  const rows: JournalRow[] = []
  const images = new Map<ContentHash, Uint8Array>()
  return {
    files,
    rows,
    images,
    set: (file) => void files.set(foldPath(file.path), file),
    remove: (path) => void files.delete(foldPath(path)),
    rename(path, to) {
      // `!`: the engine moves only files that are there.
      const file = files.get(foldPath(path))!
      files.delete(foldPath(path))
      files.set(foldPath(to), { ...file, path: to })
    },
    addRow(row, more) {
      for (const [hash, bytes] of more) images.set(hash, bytes)
      rows.push(row)
    },
  }
}

/** The files of an entry in memory: every move is one call, so that no step is ever partial. */
function memoryEntryFiles(disk: MemoryDisk, put: (path: NotePath, bytes: Uint8Array) => void): EntryFiles {
  const prepared = new Map<number, Uint8Array>()
  const hashAt = (path: NotePath): ContentHash | null => {
    const file = disk.files.get(foldPath(path))
    return file?.path === path ? hashBytes(file.bytes) : null
  }
  return {
    async stateOf(step) {
      const now = hashAt(step.path)
      if (step.kind === 'rename') {
        const moved = hashAt(step.to)
        if (now === null || moved === null) return now === moved ? 'foreign' : now === null ? 'after' : 'before'
        return 'foreign'
      }
      return now === step.before ? 'before' : now === (step.kind === 'write' ? step.after : null) ? 'after' : 'foreign'
    },
    async prepare(writes) {
      // `!`: in memory every file of a step can be loaded.
      for (const { index, load } of writes) prepared.set(index, (await load())!)
      return []
    },
    async bring({ step, index }) {
      if (step.kind === 'remove') return
      const now = hashAt(step.path)
      if (step.kind === 'write') {
        if (now !== step.before) throw changedConflict(step.path)
        // `!`: every write was prepared.
        return put(step.path, prepared.get(index)!)
      }
      if (now === null || (step.hash !== null && now !== step.hash)) throw changedConflict(step.path)
      const isRespelling = foldPath(step.path) === foldPath(step.to)
      if (!isRespelling && disk.files.has(foldPath(step.to))) throw pathTakenConflict(step.to)
      disk.rename(step.path, step.to)
    },
    async takeAway({ step }) {
      if (step.kind !== 'remove' || hashAt(step.path) === null) return
      if (hashAt(step.path) !== step.before) throw changedConflict(step.path)
      disk.remove(step.path)
    },
    // A folder is there as long as a file is in it.
    makeFolder: async () => undefined,
    removeEmptyFolders: async () => undefined,
  }
}

function stampOf({ path, bytes, mtimeMs, ctimeMs }: MemoryFile): FileStamp {
  return { path, size: bytes.length, mtimeMs, ctimeMs }
}

function loaded({ bytes }: MemoryFile) {
  return { bytes, hash: hashBytes(bytes) }
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

function foldersOf(path: string): string[] {
  const folder = folderOf(path)
  return folder === '' ? [] : [...foldersOf(folder), folder]
}

function isAllowed(path: string): boolean {
  try {
    notePath(path)
    return true
  } catch {
    return false
  }
}
