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
import { type FileAccess, nodeFiles } from '../files/index.js'
import { type Journal, journal } from '../journal/index.js'
import { type LockOptions, withLock } from '../lock/index.js'
import { journalFailure } from '../state/index.js'
import { diskFailure } from './disk-failure.js'
import { eachFile, excludedFiles, sumFiles } from './each-file.js'
import { turnsWithPlugin } from './plugin-turns.js'
import { readFailure, vanished } from './read-failure.js'
import { readPlainly, readRange, readRegular, withRegularFile } from './read-regular.js'
import { insidePath, type Spot, type VaultFolder, VaultFolders } from './vault-folders.js'
import { vaultLinkSettings } from './vault-link-settings.js'
import { vaultRules } from './vault-rules.js'
import { watchFolder } from './watch-folder.js'

export interface FolderVaultOptions {
  /** The folder of notes. */
  root: string
  /** Where journal and lock live: outside the vault. */
  stateDir: string
  /** More exclusions, in gitignore syntax. */
  exclude?: readonly string[]
  /** Larger files are read in parts. Default 32 MiB. */
  maxReadBytes?: number
  retention?: Retention
  /** How long to wait for another process that is writing. Default 10 s. */
  lock?: Partial<Omit<LockOptions, 'subject'>>
  /** The desktop's trash, for vaults whose Obsidian uses it; left out, deleted notes go to `.trash` instead. */
  systemTrash?: string
  files?: FileAccess
}

export interface FolderVault extends JournaledVault {
  /** Absolute path of the vault, without links. */
  readonly root: string
  /** What opening found: `failed` leaves the vault readable, and every write tries again first. */
  readonly recovery: 'clean' | 'recovered' | 'failed'
  /**
   * Temporary files of ours that were left in the vault. Where `removes` says so, those whose bytes the journal has are
   * taken away first.
   */
  strayFiles(options?: { removes?: boolean }): Promise<string[]>
  /** Bytes of images kept. */
  journalSize(): Promise<number>
}

/** A folder of notes on this machine. Opening it repairs what a crash has left. */
export async function folderVault(options: FolderVaultOptions): Promise<FolderVault> {
  const files = options.files ?? nodeFiles
  const root = await realRoot(files, options.root)
  const stateDir = slashes(resolve(options.stateDir))
  if (stateDir === root || insidePath(root, stateDir) !== undefined) throw stateInside()
  const folders = new VaultFolders(files, root)
  const rules = vaultRules(folders, options.exclude ?? [])
  const linkSettings = vaultLinkSettings(folders)
  const records = journal(files, stateDir, options.retention)
  const { maxReadBytes = 32 << 20, systemTrash } = options
  const lock = { waitMs: 10_000, ...options.lock, subject: 'The vault' }

  /** Opens what a path leads to, through a link inside the vault if need be. undefined when it is not for us to see. */
  async function visible<T>(path: NotePath, work: (spot: Spot) => Promise<T>, links = 1): Promise<T | undefined> {
    const { hides } = await rules()
    if (hides(notePath(path))) return undefined
    return folders.at(path, async (spot) => {
      if (hides(spot.path)) return undefined
      if (spot.stat?.kind !== 'link') return spot.stat === undefined ? undefined : work(spot)
      const target = await files.realPath(spot.folder.open.at(spot.name))
      const inside = target === undefined ? undefined : insidePath(root, target)
      if (inside === undefined || links === 0) throw pathFailure(path, 'it is a link that leads out of the vault')
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
    const file = await readPlainly(files, folder, name, maxReadBytes)
    return file === undefined ? undefined : (await readings()).asNote(path, file)
  }

  async function reading<T>(work: (read: FolderVault['read']) => Promise<T>): Promise<T> {
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
      // One at a time: the folder kept open is the one that is being read from.
      return await work((path) => {
        const turn = queue.then(() => ofOneFile(path, () => readNext(path)))
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
      const { asNote, isPrivateFile } = await readings()
      if ((spot.stat?.size ?? 0) > maxReadBytes && (await isPrivateFile(files, spot))) return undefined
      const file = await readRegular(files, spot, maxReadBytes)
      // Not the same as absent or private: whoever indexes it must look again.
      if (file === undefined) throw vanished(spot.path)
      return asNote(spot.path, file)
    })
  }

  async function readPart(spot: Spot, { from, bytes }: { from: number; bytes: number }): Promise<FilePart | undefined> {
    const { isPrivateFile } = await readings()
    if (await isPrivateFile(files, spot)) return undefined
    return withRegularFile(files, spot, async (file, { size }) => {
      const start = Math.min(Math.max(0, from), size)
      const part = await readRange(files, file, start, Math.max(0, Math.min(bytes, size - start, maxReadBytes)))
      return { path: spot.path, from: start, size, bytes: part }
    })
  }

  /** Answers whether there was anything to mend. */
  async function recoverOpen(): Promise<boolean> {
    await records.refresh()
    const { recoverEntry } = await writing()
    let wasOpen = false
    for (const [sequence, { entry, state }] of records.entries) {
      if (state !== 'open') continue
      await recoverEntry({ entry, notes: records.notes(sequence)!, folders, journal: records })
      wasOpen = true
    }
    return wasOpen
  }

  // Looking has a journal of its own, so that it never meets a row that is half written here.
  const looking = journal(files, stateDir)
  let lookQueue: Promise<unknown> = Promise.resolve()
  async function look(): Promise<Journal> {
    const turn = lookQueue.then(() => looking.refresh())
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

  const inTurn = turnsWithPlugin(files, root)
  let queue: Promise<unknown> = Promise.resolve()
  function alone<T>(work: () => Promise<T>, waitMs = lock.waitMs): Promise<T> {
    let isLocked = false
    const locked = () => {
      isLocked = true
      return inTurn(work)
    }
    const turn = queue.then(async () => {
      try {
        return await withLock(files, stateDir, { ...lock, waitMs }, locked)
      } catch (error) {
        throw isLocked ? error : journalFailure(error, stateDir)
      }
    })
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
        // One that cannot be read could be private.
        return isPrivateFile(files, spot).catch(() => true)
      })
      return isHidden === true
    },
    apply: (set: ChangeSet): Promise<AppliedChangeSet> =>
      alone(async () => {
        // Which links lead to a note was looked up in notes that have just been mended.
        if ((await recoverOpen()) && set.changes.some(({ kind }) => kind === 'move')) throw mendedMeanwhile()
        const { applyChanges } = await writing()
        return applyChanges(set, { folders, journal: records, rules: await rules(), maxReadBytes, systemTrash })
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
    planUndo: async (target, settle) => (await writing()).planUndo(target, await undoSource(), settle),
    planSettle: async (target) => (await writing()).planSettle(target, await undoSource()),
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
const readings = () => import('./reading.js')
const writing = () => import('./writing.js')

/** As long as it takes a process to write the row it has begun. */
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

async function recoverAtOpen(records: Journal, recover: () => Promise<unknown>): Promise<FolderVault['recovery']> {
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
    throw new Failure('not-found', `There is no folder of notes at ${root}.`, { hint: 'Give the path of your vault.' })
  }
  await files.closeFolder(open)
  return slashes(real)
}

function mendedMeanwhile(): Failure {
  return new Failure('conflict', 'A change that had been cut off was mended first. Nothing else was changed.', {
    hint: 'Links may lead elsewhere now: ask for the move again.',
  })
}

function stateInside(): Failure {
  return new Failure('invalid-input', 'The state folder is inside the vault.', {
    hint: 'Choose a state folder outside, so that the journal is not synced or indexed with the notes.',
  })
}

function sha256(bytes: Uint8Array): string {
  return nodeHash('sha256', bytes)
}

function slashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path
}
