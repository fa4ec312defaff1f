import { hash as nodeHash } from 'node:crypto'
import { resolve } from 'node:path'
import { Failure } from '../../../core/errors.js'
import {
  type AppliedChangeSet,
  type ChangeSet,
  type Exclusions,
  type FilePart,
  type FileStamp,
  folderOf,
  historyOf,
  type JournaledVault,
  type NoteFile,
  type NotePath,
  notePath,
  pathFailure,
  type Retention,
  type UndoSource,
} from '../../../core/vault/index.js'
import type { FileAccess } from '../files/file-access.js'
import { nodeFiles } from '../files/node-files.js'
import { type FileJournal, journal } from '../journal/journal.js'
import { type LockOptions, withLock } from '../lock/lock.js'
import { journalFailure } from '../state-folders.js'
import { diskFailure } from './disk-failure.js'
import { vaultExclusions, vaultLinkSettings } from './folder-settings.js'
import { eachFile, excludedFiles, sumFiles } from './list-files.js'
import { fileVanished, readFailure, readPlainFile, readRange, readRegular, withRegularFile } from './read-files.js'
import { insidePath, type OpenPath, type VaultFolder, VaultFolders } from './vault-folders.js'
import { watchFolder } from './watch-folder.js'
import type { UnderLease } from './write-lease.js'

export interface FolderVaultOptions {
  /** The folder of notes. */
  root: string
  /** Folder for journal and lock, outside the vault. */
  stateDir: string
  /** More exclusions, in gitignore syntax. */
  exclude?: readonly string[]
  /** Larger files are read in parts. Default 32 MiB. */
  maxReadBytes?: number
  retention?: Retention
  /** How long to wait for another process that is writing. Default 10 s. */
  lock?: Partial<Omit<LockOptions, 'subject'>>
  /** The desktop's trash, for vaults whose Obsidian uses it; left out, deleted notes go to `.trash` instead. */
  systemTrash?: string | undefined
  files?: FileAccess
}

export interface DiskVault extends JournaledVault {
  /** Absolute path of the vault, without links. */
  readonly root: string
  /** The result of recovery at opening. After `failed` the vault is readable, and every write tries recovery first. */
  readonly recovery: 'clean' | 'recovered' | 'failed'
  /** Our temporary files left in the vault. With `removes`, those whose bytes are in the journal are deleted first. */
  strayFiles(options?: { removes?: boolean }): Promise<string[]>
  /** Bytes of images kept. */
  journalSize(): Promise<number>
}

/** A folder of notes on this computer. Opening it runs recovery. */
export async function folderVault(options: FolderVaultOptions): Promise<DiskVault> {
  const files = options.files ?? nodeFiles
  const root = await realRoot(files, options.root)
  const stateDir = slashes(resolve(options.stateDir))
  if (stateDir === root || insidePath(root, stateDir) !== undefined) throw stateInside()
  const folders = new VaultFolders(files, root)
  const rules = vaultExclusions(folders, options.exclude ?? [])
  const linkSettings = vaultLinkSettings(folders)
  const records = journal(files, stateDir, options.retention)
  const { maxReadBytes = 32 << 20, systemTrash } = options
  const lock = { waitMs: 10_000, ...options.lock, subject: 'The vault' }

  /** Opens the target of a path, following links inside the vault. undefined if it is hidden. */
  async function visible<T>(path: NotePath, work: (spot: OpenPath) => Promise<T>, links = 1): Promise<T | undefined> {
    const { hides } = await rules()
    if (hides(notePath(path))) return undefined
    return folders.at(path, async (spot) => {
      if (hides(spot.path)) return undefined
      if (spot.stat?.kind !== 'link') return spot.stat === undefined ? undefined : work(spot)
      const target = await files.realPath(spot.folder.open.at(spot.name))
      const inside = target === undefined ? undefined : insidePath(root, target)
      if (inside === undefined || links === 0) throw pathFailure(path, 'it is a link to a place outside the vault')
      return visible(notePath(inside), work, links - 1)
    })
  }

  async function read(path: NotePath): Promise<NoteFile | undefined> {
    return ofOneFile(path, async () => (await readQuickly(path)) ?? (await readCarefully(path)))
  }

  /** Most reads are of a plain file under the very name asked for. Everything else goes the long way. */
  async function readQuickly(path: NotePath): Promise<NoteFile | undefined> {
    if ((await rules()).hides(notePath(path))) return undefined
    return folders.within(folderOf(path), (folder) => readPlain(path, folder))
  }

  async function readPlain(path: NotePath, folder: VaultFolder): Promise<NoteFile | undefined> {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (folder.path !== folderOf(path) || (await folders.spelledName(folder, name)) !== name) return undefined
    const file = await readPlainFile(files, folder, name, maxReadBytes)
    return file === undefined ? undefined : (await readings()).noteUnlessPrivate(path, file)
  }

  async function reading<T>(work: (read: DiskVault['read']) => Promise<T>): Promise<T> {
    let kept: VaultFolder | undefined
    let hides: Exclusions['hides'] = () => true
    let queue: Promise<unknown> = Promise.resolve()
    const release = async () => {
      const old = kept
      kept = undefined
      if (old !== undefined) await folders.close(old)
    }
    async function readNext(path: NotePath): Promise<NoteFile | undefined> {
      const folderPath = folderOf(notePath(path))
      if (kept?.path !== folderPath) {
        await release()
        hides = (await rules()).hides
        kept = await folders.open(folderPath)
      }
      if (hides(path)) return undefined
      return (kept && (await readPlain(path, kept))) ?? readCarefully(path)
    }
    try {
      // One at a time: the open folder is the one being read.
      return await work((path) => {
        const turn = queue.then(() => ofOneFile(path, () => readNext(path)))
        // The caller gets the failure through `turn`; the queue continues.
        queue = turn.catch(() => undefined)
        return turn
      })
    } finally {
      await queue
      await release()
    }
  }

  async function readCarefully(path: NotePath): Promise<NoteFile | undefined> {
    return visible(path, async (spot) => {
      const { noteUnlessPrivate, isPrivateFile } = await readings()
      if ((spot.stat?.size ?? 0) > maxReadBytes && (await isPrivateFile(files, spot))) return undefined
      const file = await readRegular(files, spot, maxReadBytes)
      // Not the same as absent or private: the index must check it again.
      if (file === undefined) throw fileVanished(spot.path)
      return noteUnlessPrivate(spot.path, file)
    })
  }

  async function readPart(
    spot: OpenPath,
    { from, bytes }: { from: number; bytes: number },
  ): Promise<FilePart | undefined> {
    const { isPrivateFile } = await readings()
    if (await isPrivateFile(files, spot)) return undefined
    return withRegularFile(files, spot, async (file, { size }) => {
      const start = Math.min(Math.max(0, from), size)
      const part = await readRange(files, file, start, Math.max(0, Math.min(bytes, size - start, maxReadBytes)))
      return { path: spot.path, from: start, size, bytes: part }
    })
  }

  async function changeHost() {
    const { diskChangeHost } = await writing()
    return diskChangeHost({ folders, journal: records, rules, maxReadBytes, systemTrash })
  }

  /** Returns whether a change had been interrupted. */
  async function recoverOpen(): Promise<boolean> {
    await records.refresh()
    const { recoverEntries } = await writing()
    return recoverEntries(await changeHost())
  }

  // Reading uses a separate journal instance, so that it never sees a row half written here.
  const looking = journal(files, stateDir)
  let lookQueue: Promise<unknown> = Promise.resolve()
  async function look(): Promise<FileJournal> {
    const turn = lookQueue.then(() => looking.refresh())
    // The caller gets the failure through `turn`; the queue continues.
    lookQueue = turn.catch(() => undefined)
    await turn.catch((error) => {
      throw journalFailure(error, stateDir)
    })
    return looking
  }

  async function undoSource(): Promise<UndoSource> {
    const { entries, image, damagedRows } = await look()
    const current: UndoSource['current'] = (path) =>
      folders.at(path, async (spot) => {
        const file = spot.stat && (await readRegular(files, spot, Number.MAX_SAFE_INTEGER))
        return file && { path: spot.path, bytes: file.bytes, hash: sha256(file.bytes) }
      })
    return { entries, damaged: await damagedRows(), current, image, hash: sha256 }
  }

  let inTurn: UnderLease | undefined
  let queue: Promise<unknown> = Promise.resolve()
  function alone<T>(work: () => Promise<T>, waitMs = lock.waitMs): Promise<T> {
    let isLocked = false
    const locked = async () => {
      isLocked = true
      inTurn ??= (await writing()).pluginWriteLease(files, root)
      return inTurn(work)
    }
    const turn = queue.then(async () => {
      try {
        return await withLock(files, stateDir, { ...lock, waitMs }, locked)
      } catch (error) {
        throw isLocked ? error : journalFailure(error, stateDir)
      }
    })
    // The caller gets the failure through `turn`; the queue continues.
    queue = turn.catch(() => undefined)
    return turn
  }

  const recovery = await recoverAtOpen(records, () => alone(recoverOpen, Math.min(lock.waitMs, openWaitMs)))

  return {
    get id() {
      return nodeHash('sha256', root).slice(0, 16)
    },
    root,
    recovery,
    checkRules: async () => void (await rules()),
    async files(signal) {
      const found: FileStamp[] = []
      const see = (file: FileStamp) => {
        if (file.barred === undefined) found.push(file)
      }
      await eachFile(folders, await rules(), see, signal)
      return found.sort((a, b) => (a.path < b.path ? -1 : 1))
    },
    eachFile: async (see, signal) => eachFile(folders, await rules(), see, signal),
    sum: async () => sumFiles(folders, await rules()),
    linkSettings,
    excludedFiles: async (signal) => excludedFiles(folders, await rules(), signal),
    readHidden: (path) =>
      ofOneFile(path, () =>
        folders.at(path, async (spot) => {
          const { noteFileOf } = await readings()
          const file = spot.stat && (await readRegular(files, spot, maxReadBytes))
          return file && noteFileOf(spot.path, file)
        }),
      ),
    stat: (path) =>
      ofOneFile(path, () =>
        visible(path, async ({ path: spelled, stat }) => {
          if (stat?.kind !== 'file') return undefined
          return { path: spelled, size: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs }
        }),
      ),
    read,
    reading,
    readPart: (path, part) => ofOneFile(path, () => visible(path, (spot) => readPart(spot, part))),
    async isClosed(path) {
      const { hides } = await rules()
      if (hides(notePath(path))) return true
      const isHidden = await folders.at(path, async (spot) => {
        if (hides(spot.path)) return true
        if (spot.stat?.kind !== 'file') return false
        const { isPrivateFile } = await readings()
        // An unreadable note might be private.
        return isPrivateFile(files, spot).catch(() => true)
      })
      return isHidden === true
    },
    apply: (set: ChangeSet): Promise<AppliedChangeSet> =>
      alone(async () => {
        // The links to a note were looked up in notes that recovery has just changed.
        if ((await recoverOpen()) && set.changes.some(({ kind }) => kind === 'move')) throw mendedMeanwhile()
        const { applyChanges } = await writing()
        return applyChanges(set, await changeHost())
      }).catch((error) => {
        throw diskFailure(error, 'Nothing was changed.')
      }),
    watch: (onChange) => watchFolder(root, rules, onChange),
    async history() {
      const records = await look()
      if (records.endsInRow()) {
        await new Promise((resolve) => setTimeout(resolve, writingMs))
        await look()
      }
      const damaged = await records.damagedRows()
      return historyOf(records.entries, damaged)
    },
    planUndo: async (target, choose) => (await writing()).planUndo(target, await undoSource(), choose),
    planResolution: async (target) => (await writing()).planResolution(target, await undoSource()),
    strayFiles: async ({ removes = false } = {}) => {
      const { strayFiles } = await writing()
      if (!removes) return strayFiles(folders, await look(), false)
      return alone(async () => {
        await recoverOpen()
        return strayFiles(folders, records, true)
      })
    },
    journalSize: async () => (await look()).size(),
  }
}

// A process that only searches needs neither, and starts sooner without them.
const readings = () => import('./note-files.js')
const writing = () => import('./writing.js')

/** Long enough for a process to finish a row. */
const writingMs = 50

async function ofOneFile<T>(path: NotePath, look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    throw readFailure(error, path)
  }
}

/** Opening does not wait long for a process that is writing: its change is its own to finish. */
const openWaitMs = 2000

async function recoverAtOpen(records: FileJournal, recover: () => Promise<unknown>): Promise<DiskVault['recovery']> {
  try {
    if (await records.isClean()) return 'clean'
    await recover()
    return 'recovered'
  } catch {
    return 'failed'
  }
}

async function realRoot(files: FileAccess, root: string): Promise<string> {
  const real = await files.realPath(resolve(root))
  const open = real === undefined ? undefined : await files.openFolder(real)
  if (real === undefined || open === undefined) {
    throw new Failure('not-found', `Vault folder not found: ${root}`, { hint: 'Check the path of your vault.' })
  }
  await files.closeFolder(open)
  return slashes(real)
}

function mendedMeanwhile(): Failure {
  return new Failure('conflict', 'An interrupted change was completed first, so this change was not made.', {
    hint: 'Links may have changed. Try the move again.',
  })
}

function stateInside(): Failure {
  return new Failure('invalid-input', 'The state folder is inside the vault.', {
    hint: 'Choose a state folder outside the vault, so that the journal is not synced or indexed with your notes.',
  })
}

function sha256(bytes: Uint8Array): string {
  return nodeHash('sha256', bytes)
}

function slashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path
}
