import { Failure } from '../../../core/errors.js'
import { type ContentHash, folderOf, foldPath, type JournalEntry, type NotePath } from '../../../core/vault/index.js'
import { type FileAccess, type FileStat, writeAll } from '../files/index.js'
import {
  changedMeanwhile,
  checkStillThere,
  codeOf,
  giveUp,
  linkOrRename,
  removeIfThere,
  type StillThere,
} from './file-moves.js'
import { ifNotInTheWay } from './if-not-in-the-way.js'
import { type SeenFile, seeFile } from './see-file.js'
import { sideBySide } from './side-by-side.js'
import { isSpare, type Temporary, type TemporaryOwner, temporaryName } from './temporary-files.js'
import type { VaultFolder, VaultFolders } from './vault-folders.js'

/**
 * The single moves from which applying, rolling back and recovering are made. Each is atomic, never overwrites what
 * it does not mean to, and remembers which folders must be synced.
 */
export class EntryFiles {
  readonly #touched = new Set<string>()
  readonly #held: number[] = []

  constructor(
    readonly folders: VaultFolders,
    private readonly temporary: string,
  ) {}

  get files(): FileAccess {
    return this.folders.files
  }

  #temporaryName(step: number, what: Temporary): string {
    return temporaryName(this.temporary, step, what)
  }

  #keptName({ open }: VaultFolder, step: number): (attempt: number) => string {
    return (attempt) => open.at(temporaryName(this.temporary, step, 'kept', attempt))
  }

  /**
   * Writes bytes beside their places and makes them last, many files at a time. Answers the steps that have no
   * bytes, or no folder to lay them in.
   */
  async prepare(what: 'new' | 'old', prepared: readonly Prepared[]): Promise<number[]> {
    const missing: number[] = []
    await sideBySide(prepared, writtenAtOnce, async ({ path, step, load, mode }) => {
      const bytes = await load()
      const isThere =
        bytes !== undefined &&
        (await ifNotInTheWay(() =>
          this.#in(path, async ({ open }) => {
            const file = await this.#create(open.at(this.#temporaryName(step, what)), mode, prepared.length > few)
            await this.#fill(file, bytes, mode)
          }),
        ))
      if (!isThere) missing.push(step)
    })
    return missing.sort((a, b) => a - b)
  }

  async #fill(file: number, bytes: Uint8Array, mode: number): Promise<void> {
    try {
      await this.files.setMode(file, mode)
      await writeAll(this.files, file, bytes)
      await this.files.syncAll([file])
    } finally {
      await this.files.close(file)
    }
  }

  async #create(path: string, mode: number, isOneOfMany: boolean): Promise<number> {
    const create = async () =>
      isOneOfMany ? this.files.create(path, mode) : (await this.files.open(path, 'create', mode))!
    try {
      return await create()
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    // Left by whoever was cut off here before, and maybe not whole. The journal has the bytes.
    await this.files.remove(path)
    return create()
  }

  async stat(path: NotePath): Promise<FileStat | undefined> {
    return this.#within(folderOf(path), (folder) => this.files.stat(folder.open.at(nameOf(path))))
  }

  async see(path: NotePath): Promise<SeenFile | undefined> {
    return this.#within(folderOf(path), ({ open }) => seeFile(this.files, open.at(nameOf(path))))
  }

  /** A step's new bytes, where they lie beside their place. */
  async seeNew(path: NotePath, step: number): Promise<SeenFile | undefined> {
    return this.#within(folderOf(path), ({ open }) => seeFile(this.files, open.at(this.#temporaryName(step, 'new'))))
  }

  /** Puts a prepared file in the place of one that must still be as it was seen. */
  async replace(what: 'new' | 'old', path: NotePath, step: number, stillThere: StillThere): Promise<void> {
    await this.#in(path, async (folder) => {
      const place = folder.open.at(nameOf(path))
      const prepared = folder.open.at(this.#temporaryName(step, what))
      const kept = this.#keptName(folder, step)
      await giveUp(this.files, { place, path, stillThere, kept, letGo: this.#letGo }, () =>
        this.files.rename(prepared, place),
      )
    })
  }

  /** Puts a prepared file where nothing may be. */
  async place(what: 'new' | 'old', path: NotePath, step: number): Promise<void> {
    await this.#in(path, async (folder) => {
      const prepared = folder.open.at(this.#temporaryName(step, what))
      await linkOrRename(this.files, prepared, folder.open.at(nameOf(path)), path)
      await removeIfThere(this.files, prepared)
    })
  }

  /** The first half of a move: the file under both names. */
  async secondName(path: NotePath, to: NotePath, stillThere?: StillThere): Promise<void> {
    await this.#inBoth(path, to, async (from, onto) => {
      if (stillThere !== undefined) await checkStillThere(this.files, from, path, stillThere)
      const [old, there] = [await this.files.stat(from), await this.files.stat(onto)]
      // A move that was cut off in between has been here.
      if (there === undefined || there.identity !== old?.identity) await linkOrRename(this.files, from, onto, to)
    })
  }

  /** The second half of a move. A file that someone has put under the first name meanwhile is not ours to remove. */
  async dropFirstName(path: NotePath, to: NotePath): Promise<void> {
    await this.#inBoth(path, to, async (from, onto, folder) => {
      const [old, there] = [await this.files.stat(from), await this.files.stat(onto)]
      if (old === undefined) return
      if (old.identity !== there?.identity) throw changedMeanwhile(path)
      // Where a disk folds names itself, two spellings are one name, and the file has no other.
      if (folderOf(path) === folderOf(to) && foldPath(path) === foldPath(to) && !(await this.#lists(folder, path, to)))
        await this.files.rename(from, onto)
      else await removeIfThere(this.files, from)
    })
  }

  async #lists({ open }: VaultFolder, ...paths: NotePath[]): Promise<boolean> {
    const names = new Set((await this.files.listFolder(open)).map(({ name }) => name))
    return paths.every((path) => names.has(nameOf(path)))
  }

  async remove(path: NotePath, step: number, stillThere: StillThere): Promise<void> {
    await this.#in(path, async (folder) => {
      const place = folder.open.at(nameOf(path))
      const kept = this.#keptName(folder, step)
      await giveUp(this.files, { place, path, stillThere, kept, letGo: this.#letGo }, () => this.files.remove(place))
    })
  }

  async isHash(path: NotePath, now: FileStat, wanted: ContentHash): Promise<boolean> {
    return now.kind === 'file' && (await this.see(path))?.hash === wanted
  }

  /** Counts all folders of an entry among those to sync: names from before a crash may not have been. */
  touchAll({ steps, folders, emptied }: JournalEntry): void {
    for (const step of steps) {
      this.#touched.add(folderOf(step.path))
      if (step.kind === 'rename') this.#touched.add(folderOf(step.to))
    }
    for (const folder of [...folders, ...emptied]) this.#touched.add(folderOf(folder))
  }

  /** Takes this entry's temporary files away. Their bytes are in the journal, but for those of someone else. */
  async removeTemporaries({ steps }: JournalEntry, image: TemporaryOwner['image']): Promise<void> {
    const owner = { temporary: this.temporary, steps, image }
    for (const path of new Set(steps.map((step) => folderOf(step.path)))) {
      await this.#within(path, async ({ open }) => {
        for (const { name } of await this.files.listFolder(open)) {
          if (!name.startsWith(this.temporary) || !(await isSpare(this.files, open, name, owner))) continue
          await removeIfThere(this.files, open.at(name))
          this.#touched.add(path)
        }
      })
    }
  }

  async makeFolder(path: string): Promise<void> {
    await this.#in(path, async (above) => {
      try {
        await this.files.makeFolder(above.open.at(nameOf(path)))
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
    })
  }

  /** Deepest first; a folder that is not empty, or not there, stays as it is. */
  async removeEmptyFolders(paths: readonly string[]): Promise<void> {
    for (const path of [...new Set(paths)].sort((a, b) => b.length - a.length)) {
      try {
        await this.#within(folderOf(path), async (above) => {
          if ((await this.files.stat(above.open.at(nameOf(path))))?.kind !== 'folder') return
          await this.files.removeFolder(above.open.at(nameOf(path)))
          this.#touched.add(folderOf(path))
        })
      } catch (error) {
        if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error
      }
    }
  }

  /** What was replaced is closed later, many files at a time: giving up the last hold on a file makes the disk work. */
  readonly #letGo = async (file: number): Promise<void> => {
    this.#held.push(file)
    if (this.#held.length >= openAtOnce) await this.release()
  }

  /** Closes what is still held. No name leads to it any more, so an error loses nothing. */
  async release(): Promise<void> {
    const held = this.#held.splice(0)
    try {
      if (held.length > few) await this.files.closeAll(held)
      else for (const file of held) await this.files.close(file)
    } catch {}
  }

  /** Makes all that was done so far last. */
  async syncFolders(): Promise<void> {
    await this.release()
    const paths = [...this.#touched]
    for (let start = 0; start < paths.length; start += openAtOnce)
      await this.#sync(paths.slice(start, start + openAtOnce))
    this.#touched.clear()
  }

  /** A folder whose name leads somewhere else by now is not the one that was meant, so it counts as missing. */
  async #within<T>(path: string, work: (folder: VaultFolder) => Promise<T> | T): Promise<T | undefined> {
    try {
      return await this.folders.within(path, work)
    } catch (error) {
      if (error instanceof Failure && error.code === 'path') return undefined
      throw error
    }
  }

  async #sync([path, ...more]: string[], handles: number[] = []): Promise<void> {
    if (path === undefined) return this.files.syncAll(handles)
    const done = await this.#within(path, async ({ open }) => {
      await this.#sync(more, [...handles, open.handle])
      return true
    })
    // A folder that is gone has nothing left to sync.
    if (done === undefined) await this.#sync(more, handles)
  }

  async #in<T>(path: string, work: (folder: VaultFolder) => Promise<T> | T): Promise<T> {
    const wanted = folderOf(path)
    const done = await this.#within(wanted, async (folder) => {
      if (folder.path !== wanted) throw changedMeanwhile(path)
      this.#touched.add(wanted)
      return { result: await work(folder) }
    })
    if (done === undefined) throw changedMeanwhile(path)
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

/** A step's bytes and the permissions they get. */
export interface Prepared {
  path: NotePath
  step: number
  load(): Promise<Uint8Array | undefined> | Uint8Array
  mode: number
}

const openAtOnce = 100
const writtenAtOnce = 32
/** So many are done before another thread has begun with the first. */
const few = 4

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
