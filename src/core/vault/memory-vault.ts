import { type AppliedChangeSet, type ChangeSet, type ContentHash, isRestoring } from './change-set.js'
import { decodeNote } from './decode-note.js'
import { decodeRules } from './decode-rules.js'
import { type Exclusions, exclusions } from './exclusions.js'
import { foldPath } from './fold-path.js'
import { hashBytes } from './hash-bytes.js'
import { historyOf, type RecordedEntry, recordRow } from './journal-entry.js'
import { journalSteps } from './journal-steps.js'
import { linkSettings, plainMarkdown } from './link-settings.js'
import { addStamp, emptyListing } from './listing-sum.js'
import { folderOf, isNote, type NotePath, notePath } from './note-path.js'
import { planSettle } from './plan-settle.js'
import { isPrivateNote } from './private-note.js'
import { type FoundFile, removal, type StagedStep, stageChanges } from './stage-changes.js'
import { trashOption } from './trash-option.js'
import { planUndo, type UndoSource } from './undo/index.js'
import type { FileStamp, JournaledVault, NoteFile } from './vault.js'
import { alreadyApplied, rulesUnread, tooLarge } from './vault-failures.js'

export interface MemoryVaultOptions {
  files?: Record<string, string | Uint8Array>
  exclude?: string[]
  maxReadBytes?: number
  now?: () => number
}

export interface MemoryVault extends JournaledVault {
  /** Plays an external editor: writes past change sets, as another program would. */
  write(path: string, content: string | Uint8Array): void
  remove(path: string): void
  /** All bytes by path, with what lies in `.trash`. */
  snapshot(): Map<string, Uint8Array>
}

interface MemoryFile {
  path: NotePath
  bytes: Uint8Array
  mtimeMs: number
  ctimeMs: number
}

/** The reference implementation of the vault, kept in memory: what unit tests use instead of a disk. */
export function memoryVault(options: MemoryVaultOptions = {}): MemoryVault {
  const now = options.now ?? Date.now
  const maxReadBytes = options.maxReadBytes ?? 32 << 20
  const files = new Map<string, MemoryFile>()
  const entries = new Map<number, RecordedEntry>()
  const images = new Map<ContentHash, Uint8Array>()
  let queue: Promise<unknown> = Promise.resolve()
  const watchers = new Set<(path: NotePath | undefined) => void>()

  function rules(): Exclusions {
    const file = files.get('.notewrightignore')
    const text = file === undefined ? '' : decodeRules(file.bytes)
    if (text === undefined) throw rulesUnread('.notewrightignore', 'it is not UTF-8 or UTF-16 text')
    return exclusions(text, options.exclude)
  }

  function put(path: string, bytes: Uint8Array): void {
    const time = now()
    const before = files.get(foldPath(path))
    files.set(foldPath(path), { path: path as NotePath, bytes, mtimeMs: time, ctimeMs: before?.ctimeMs ?? time })
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

  function perform(step: StagedStep): void {
    if (step.kind === 'write') {
      put(step.path, step.after)
    } else {
      const file = files.get(foldPath(step.path))!
      files.delete(foldPath(step.path))
      if (step.kind === 'rename') files.set(foldPath(step.to), { ...file, path: step.to })
    }
  }

  async function apply(set: ChangeSet): Promise<AppliedChangeSet> {
    const { steps: staged, applied } = await stageChanges(set, {
      find: (path) => find(path, isRestoring(set)),
      hasFolder: async (path) => [...files.values()].some((file) => foldersOf(file.path).includes(path)),
      hash: hashBytes,
    })
    const steps = keepsTrash() ? staged : staged.map(removal)
    if ([...entries.values()].some(({ entry }) => entry.id === set.id)) throw alreadyApplied(set)
    const appliedAt = now()
    if (steps.length > 0 || set.settles !== undefined) {
      const sequence = entries.size + 1
      for (const step of steps) {
        if ('before' in step && step.before) images.set(step.before.hash, step.before.bytes)
        if (step.kind === 'write') images.set(step.hash, step.after)
      }
      for (const step of steps) perform(step)
      const trashed = steps.map((step) => (step.kind === 'trash' ? trashIt(step) : undefined))
      const entry = {
        sequence,
        id: set.id,
        time: appliedAt,
        title: set.title,
        session: set.session,
        changes: applied,
        steps: journalSteps(steps, (step, index) => trashed[index] ?? step.path, hashBytes),
        folders: [],
        emptied: [],
        undoes: set.undoes,
        settles: set.settles,
      }
      recordRow(entries, { row: 'intent', entry })
      recordRow(entries, { row: 'done', sequence })
      for (const { path, to } of applied) for (const changed of to === undefined ? [path] : [path, to]) tell(changed)
    }
    return { id: set.id, title: set.title, appliedAt, changes: applied }
  }

  // There is no system here, so its trash is that of the vault.
  function keepsTrash(): boolean {
    const settings = files.get('.obsidian/app.json')
    return settings === undefined || trashOption(decodeNote(settings.bytes).text) !== 'none'
  }

  function trashIt(step: StagedStep & { kind: 'trash' }): NotePath {
    const name = step.path.slice(step.path.lastIndexOf('/') + 1, -3)
    let path = `.trash/${name}.md`
    for (let count = 2; files.has(foldPath(path)); count++) path = `.trash/${name} ${count}.md`
    put(path, step.before.bytes)
    return path as NotePath
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
    image: async (_, hash) => images.get(hash),
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
      queue = turn.catch(() => undefined)
      return turn
    },
    watch(onChange) {
      watchers.add(onChange)
      return () => watchers.delete(onChange)
    },
    history: async () => historyOf(entries),
    planUndo: (target, settle) => planUndo(target, source, settle),
    planSettle: (target) => planSettle(target, source),
    write(path, content) {
      put(path, bytesOf(content))
      tell(path)
    },
    remove(path) {
      files.delete(foldPath(path))
      tell(path)
    },
    snapshot: () => new Map([...files.values()].map((file) => [file.path, file.bytes])),
  }
}

/** The same refusal on every host. */
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
