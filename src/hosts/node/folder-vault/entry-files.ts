import { Failure } from '../../../core/errors.js'
import {
  type ContentHash,
  changedConflict,
  type EntryFiles,
  folderOf,
  foldPath,
  isConflict,
  type JournalEntry,
  type JournalStep,
  type NotePath,
  type PreparedWrite,
  type StepMove,
  type StepState,
} from '../../../core/vault/index.js'
import { type FileAccess, type FileStat, writeAll } from '../files/file-access.js'
import type { IntentNotes } from '../journal/journal.js'
import {
  codeOf,
  type FileState,
  fileState,
  type IsExpected,
  linkOrRename,
  mustBeExpected,
  releaseFile,
  removeIfThere,
} from './file-moves.js'
import { yieldToEventLoop } from './list-files.js'
import { isExpendable, type TemporaryKind, temporaryName } from './temporary-files.js'
import type { VaultFolder, VaultFolders } from './vault-folders.js'

/** An entry with the facts that the disk needs. */
export interface DiskEntry {
  entry: Pick<JournalEntry, 'steps' | 'folders' | 'emptied'>
  /** Prefix of its temporary files, and the permissions of each step's file. */
  notes: Pick<IntentNotes, 'temporary' | 'modes'>
  image(hash: ContentHash): Promise<Uint8Array | undefined>
  /** Stat of each file when its bytes were checked; missing for an entry that another process may have begun. */
  seen?: ReadonlyMap<NotePath, FileStat> | undefined
}

/**
 * The files of an entry on a disk. New bytes are written beside their places and renamed; every move is atomic, never
 * overwrites a file it does not expect, and records which folders must be synced.
 */
export class DiskEntryFiles implements EntryFiles {
  readonly #touched = new Set<string>()
  readonly #held: number[] = []
  readonly #pause = yieldToEventLoop()

  constructor(
    private readonly folders: VaultFolders,
    private readonly work: DiskEntry,
  ) {}

  get #files(): FileAccess {
    return this.folders.files
  }

  async stateOf(step: JournalStep, index: number): Promise<StepState> {
    await this.#pause()
    if (step.kind === 'rename') return this.#renameState(step)
    const now = await this.#fileState(step.path)
    const after = step.kind === 'write' ? step.after : null
    if ((now?.hash ?? null) === step.before) return 'before'
    if ((now?.hash ?? null) === after) return 'after'
    if (step.kind === 'remove') return 'foreign'
    // Renaming a note into place consumes the file with its new bytes: if that still exists, complete or not, the note
    // was never put in place.
    const beside = await this.#preparedState(step.path, index)
    return beside !== undefined && beside.stat.identity !== now?.stat.identity ? 'foreign-before' : 'foreign-after'
  }

  /** A move keeps the note's current text; a note for the trash must be the expected one. */
  async #renameState(step: JournalStep & { kind: 'rename' }): Promise<StepState> {
    const [old, moved] = [await this.#stat(step.path), await this.#stat(step.to)]
    if (old === undefined) return moved === undefined ? 'foreign' : 'after'
    const isHalf = moved !== undefined && old.identity === moved.identity
    if (step.trash === undefined && (isHalf || moved === undefined)) return isHalf ? 'partial' : 'before'
    if (step.hash === null) return 'foreign'
    const isOld = await this.#isHash(step.path, old, step.hash)
    if (isHalf && isOld) return 'partial'
    if (isHalf || moved === undefined) return isOld ? 'before' : 'foreign-before'
    if (isOld) return 'foreign-before'
    return (await this.#isHash(step.to, moved, step.hash)) ? 'foreign-after' : 'foreign'
  }

  async makeFolder(path: string): Promise<void> {
    // After an interruption it may be there already; `includeAllFolders` sees to it that its parent is synced.
    if (this.work.seen === undefined && (await this.#stat(path as NotePath)) !== undefined) return
    await this.#in(path, async ({ open }) => {
      try {
        await this.#files.makeFolder(open.at(nameOf(path)))
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
    })
  }

  /** Writes bytes beside their places and syncs them, many files at a time. */
  async prepare(writes: readonly PreparedWrite[]): Promise<number[]> {
    const missing: number[] = []
    await forEachConcurrently(writes, writtenAtOnce, async ({ path, index, load, isRollback }) => {
      const bytes = await load()
      const mode = this.work.notes.modes[index]
      if (mode === undefined) throw new Error(`The journal has no file mode for step ${index}.`)
      try {
        if (bytes === undefined) throw changedConflict(path)
        await this.#in(path, async ({ open }) => {
          const place = open.at(this.#temporaryName(index, isRollback ? 'old' : 'new'))
          await this.#fill(await this.#create(place, mode, writes.length > few), bytes, mode)
        })
      } catch (error) {
        if (!isConflict(error)) throw error
        missing.push(index)
      }
    })
    return missing.sort((a, b) => a - b)
  }

  async isPrepared(step: JournalStep & { kind: 'write' }, index: number): Promise<boolean> {
    await this.#pause()
    return (await this.#preparedState(step.path, index))?.hash === step.after
  }

  async bring(move: StepMove): Promise<void> {
    const { step, index, isRollback } = move
    const isExpected = (now: FileStat) => this.#isExpected(move, now)
    if (step.kind === 'rename') await this.#addName(step.path, step.to, isRollback ? undefined : isExpected)
    else if (step.kind === 'write') {
      const prepared = this.#temporaryName(index, isRollback ? 'old' : 'new')
      if (step.before === null) await this.#place(prepared, step.path)
      else await this.#replace(prepared, step.path, index, isExpected)
    }
    await this.#pause()
  }

  async takeAway(move: StepMove): Promise<void> {
    const { step, index } = move
    if (step.kind === 'rename') await this.#dropName(step.path, step.to)
    else if (step.kind === 'remove') await this.#remove(step.path, index, (now) => this.#isExpected(move, now))
    await this.#pause()
  }

  /** True if a file is the one that a step was planned from. */
  #isExpected({ step, isRollback }: StepMove, now: FileStat): Promise<boolean> | boolean {
    const { seen } = this.work
    const then = isRollback ? undefined : seen?.get(step.path)
    if (then !== undefined && isSameFile(now, then)) return true
    const isAnyMove = seen === undefined && step.kind === 'rename' && step.trash === undefined
    const wanted = step.kind === 'rename' ? step.hash : step.before
    return isAnyMove || wanted === null ? now.kind === 'file' : this.#isHash(step.path, now, wanted)
  }

  /** Puts a prepared file where nothing may be. */
  async #place(prepared: string, path: NotePath): Promise<void> {
    await this.#in(path, async ({ open }) => {
      await linkOrRename(this.#files, open.at(prepared), open.at(nameOf(path)), path)
      await removeIfThere(this.#files, open.at(prepared))
    })
  }

  /** Puts a prepared file in the place of the expected one. */
  async #replace(prepared: string, path: NotePath, index: number, isExpected: IsExpected): Promise<void> {
    await this.#release(path, index, isExpected, (place, { open }) => this.#files.rename(open.at(prepared), place))
  }

  async #remove(path: NotePath, index: number, isExpected: IsExpected): Promise<void> {
    await this.#release(path, index, isExpected, (place) => this.#files.remove(place))
  }

  async #release(
    path: NotePath,
    index: number,
    isExpected: IsExpected,
    act: (place: string, folder: VaultFolder) => Promise<void> | void,
  ): Promise<void> {
    await this.#in(path, async (folder) => {
      const place = folder.open.at(nameOf(path))
      const kept = (attempt: number) => folder.open.at(this.#temporaryName(index, 'kept', attempt))
      const released = { place, path, isExpected, kept, close: this.#closeLater }
      await releaseFile(this.#files, released, () => act(place, folder))
    })
  }

  /** The first half of a move: the file under both names. */
  async #addName(path: NotePath, to: NotePath, isExpected?: IsExpected): Promise<void> {
    await this.#inBoth(path, to, async (from, onto) => {
      if (isExpected !== undefined) await mustBeExpected(this.#files, from, path, isExpected)
      const [old, there] = [await this.#files.stat(from), await this.#files.stat(onto)]
      // An interrupted move has got this far before.
      if (there === undefined || there.identity !== old?.identity) await linkOrRename(this.#files, from, onto, to)
    })
  }

  /** The second half of a move. A file put under the first name in the meantime is not ours to remove. */
  async #dropName(path: NotePath, to: NotePath): Promise<void> {
    await this.#inBoth(path, to, async (from, onto, folder) => {
      const [old, there] = [await this.#files.stat(from), await this.#files.stat(onto)]
      if (old === undefined) return
      if (old.identity !== there?.identity) throw changedConflict(path)
      // On a case-insensitive disk, two spellings are one name, and the file has no other.
      if (folderOf(path) === folderOf(to) && foldPath(path) === foldPath(to) && !(await this.#lists(folder, path, to)))
        await this.#files.rename(from, onto)
      else await removeIfThere(this.#files, from)
    })
  }

  async #lists({ open }: VaultFolder, ...paths: NotePath[]): Promise<boolean> {
    const names = new Set((await this.#files.listFolder(open)).map(({ name }) => name))
    return paths.every((path) => names.has(nameOf(path)))
  }

  async removeEmptyFolders(paths: readonly string[]): Promise<void> {
    for (const path of [...new Set(paths)].sort((a, b) => b.length - a.length)) {
      try {
        await this.#within(folderOf(path), async (above) => {
          if ((await this.#files.stat(above.open.at(nameOf(path))))?.kind !== 'folder') return
          await this.#files.removeFolder(above.open.at(nameOf(path)))
          this.#touched.add(folderOf(path))
        })
      } catch (error) {
        if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error
      }
    }
  }

  async sync(): Promise<void> {
    await this.close()
    const paths = [...this.#touched]
    for (let start = 0; start < paths.length; start += openAtOnce)
      await this.#syncFolders(paths.slice(start, start + openAtOnce))
    this.#touched.clear()
  }

  async #syncFolders([path, ...more]: string[], handles: number[] = []): Promise<void> {
    if (path === undefined) return this.#files.syncAll(handles)
    const done = await this.#within(path, async ({ open }) => {
      await this.#syncFolders(more, [...handles, open.handle])
      return true
    })
    // A missing folder needs no sync.
    if (done === undefined) await this.#syncFolders(more, handles)
  }

  includeAllFolders(): void {
    const { steps, folders, emptied } = this.work.entry
    for (const step of steps) {
      this.#touched.add(folderOf(step.path))
      if (step.kind === 'rename') this.#touched.add(folderOf(step.to))
    }
    for (const folder of [...folders, ...emptied]) this.#touched.add(folderOf(folder))
  }

  async removeTemporaries(): Promise<void> {
    const { entry, notes, image } = this.work
    const owner = { temporary: notes.temporary, steps: entry.steps, image }
    for (const path of new Set(entry.steps.map((step) => folderOf(step.path)))) {
      await this.#within(path, async ({ open }) => {
        for (const { name } of await this.#files.listFolder(open)) {
          await this.#pause()
          if (!name.startsWith(notes.temporary) || !(await isExpendable(this.#files, open, name, owner))) continue
          await removeIfThere(this.#files, open.at(name))
          this.#touched.add(path)
        }
      })
    }
  }

  async close(): Promise<void> {
    const held = this.#held.splice(0)
    try {
      if (held.length > few) await this.#files.closeAll(held)
      else for (const file of held) await this.#files.close(file)
    } catch {
      // No name leads to these files any longer, so an error in closing them loses nothing.
    }
  }

  /** Replaced files are closed many at a time: closing the last handle of a file makes the disk work. */
  readonly #closeLater = async (file: number): Promise<void> => {
    this.#held.push(file)
    if (this.#held.length >= openAtOnce) await this.close()
  }

  async #fill(file: number, bytes: Uint8Array, mode: number): Promise<void> {
    try {
      await this.#files.setMode(file, mode)
      await writeAll(this.#files, file, bytes)
      await this.#files.syncAll([file])
    } finally {
      await this.#files.close(file)
    }
  }

  async #create(path: string, mode: number, isOneOfMany: boolean): Promise<number> {
    // `!`: a file opened to create it is there, or open throws.
    const create = async () =>
      isOneOfMany ? this.#files.create(path, mode) : (await this.#files.open(path, 'create', mode))!
    try {
      return await create()
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    // Left by an interrupted process, and maybe incomplete. The journal has the bytes.
    await this.#files.remove(path)
    return create()
  }

  #temporaryName(index: number, what: TemporaryKind, attempt?: number): string {
    return temporaryName(this.work.notes.temporary, index, what, attempt)
  }

  async #stat(path: NotePath): Promise<FileStat | undefined> {
    return this.#within(folderOf(path), (folder) => this.#files.stat(folder.open.at(nameOf(path))))
  }

  async #fileState(path: NotePath): Promise<FileState | undefined> {
    return this.#within(folderOf(path), ({ open }) => fileState(this.#files, open.at(nameOf(path))))
  }

  /** The temporary file with a step's new bytes, next to its target. */
  async #preparedState(path: NotePath, index: number): Promise<FileState | undefined> {
    const name = this.#temporaryName(index, 'new')
    return this.#within(folderOf(path), ({ open }) => fileState(this.#files, open.at(name)))
  }

  async #isHash(path: NotePath, now: FileStat, wanted: ContentHash): Promise<boolean> {
    return now.kind === 'file' && (await this.#fileState(path))?.hash === wanted
  }

  /** A folder whose name now leads elsewhere is not the expected one, so it counts as missing. */
  async #within<T>(path: string, work: (folder: VaultFolder) => Promise<T> | T): Promise<T | undefined> {
    try {
      return await this.folders.within(path, work)
    } catch (error) {
      if (error instanceof Failure && error.code === 'path') return undefined
      throw error
    }
  }

  async #in<T>(path: string, work: (folder: VaultFolder) => Promise<T> | T): Promise<T> {
    const wanted = folderOf(path)
    const done = await this.#within(wanted, async (folder) => {
      if (folder.path !== wanted) throw changedConflict(path)
      this.#touched.add(wanted)
      return { result: await work(folder) }
    })
    if (done === undefined) throw changedConflict(path)
    return done.result
  }

  async #inBoth(
    path: NotePath,
    to: NotePath,
    work: (from: string, onto: string, source: VaultFolder) => Promise<void>,
  ): Promise<void> {
    await this.#in(path, (source) =>
      this.#in(to, (target) => work(source.open.at(nameOf(path)), target.open.at(nameOf(to)), source)),
    )
  }
}

const openAtOnce = 100
const writtenAtOnce = 32
/** This many are done before another thread has begun the first. */
const few = 4

/**
 * Does a piece of work for each item, at most `most` at a time. After an error nothing more is begun, and the error is
 * thrown once all work that was begun has ended.
 */
async function forEachConcurrently<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // One iterator for all lanes: each item is taken once.
  const left = items.values()
  let isStopped = false
  const lane = async () => {
    for (const item of left) {
      if (isStopped) return
      try {
        await work(item)
      } catch (error) {
        isStopped = true
        throw error
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, lane))
  for (const result of lanes) if (result.status === 'rejected') throw result.reason
}

function isSameFile(now: FileStat, then: FileStat): boolean {
  return (
    now.identity === then.identity &&
    now.size === then.size &&
    now.mtimeMs === then.mtimeMs &&
    now.ctimeMs === then.ctimeMs
  )
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
