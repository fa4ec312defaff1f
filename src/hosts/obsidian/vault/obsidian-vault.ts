import { type App, Platform, type TAbstractFile, type TFile } from 'obsidian'
import {
  addStamp,
  applyChanges,
  asNote,
  type ChangeSet,
  decodeNote,
  decodeRules,
  type Exclusions,
  emptyListing,
  excludedInObsidian,
  exclusions,
  type FileStamp,
  hashBytes,
  historyOf,
  isNote,
  isPrivateNote,
  type JournaledVault,
  type LeaseFolder,
  linkSettings,
  type NoteFile,
  type NotePath,
  notePath,
  planResolution,
  planUndo,
  pluginFolder,
  type RawNote,
  type RawNoteReader,
  type Retention,
  recoverEntries,
  rulesUnreadable,
  tooLarge,
  type UndoSource,
  withWriteLease,
} from '../../../core/vault/index.js'
import type { Database } from '../database.js'
import { openJournal } from '../journal.js'
import { obsidianChangeHost } from './change-host.js'
import { isDotted, stampOf, VaultFiles } from './vault-files.js'

interface ObsidianVaultOptions {
  /** Stable key of this vault. */
  id: string
  /** Database of the journal. */
  database: Database
  exclude?: readonly string[]
  retention?: Retention
  maxReadBytes?: number
  /** A change waits until another program has written, or is known to have died. */
  onWait?: () => void
}

const ruleFile = '.notewrightignore'

/** Listens to Obsidian until it is closed. */
export interface ObsidianVault extends JournaledVault, RawNoteReader {
  close(): void
}

/** The vault that Obsidian has open. Opening it runs the recovery. */
export async function obsidianVault(app: App, options: ObsidianVaultOptions): Promise<ObsidianVault> {
  const { id, database, exclude = [], maxReadBytes = 32 << 20 } = options
  const files = new VaultFiles(app)
  const journal = await openJournal(database, options.retention)
  const { adapter, configDir } = app.vault
  // Names with a dot are hidden anyway; the app's configuration folder is hidden wherever it is.
  const closed = isDotted(configDir) ? [] : [`/${configDir}/`]
  let known: { stamp: string; rules: Exclusions } | undefined
  let excludedBy = { text: '', test: (_path: string): boolean => false }

  /** Read again whenever the file has changed: Obsidian does not report changes of dot files. */
  async function rules(): Promise<Exclusions> {
    const stat = await adapter.stat(ruleFile)
    const stamp = stat === null ? 'none' : `${stat.size}:${stat.mtime}`
    // A file may be written twice within the same tick of its clock.
    const isOldEnough = stat === null || Date.now() - stat.mtime > 2000
    if (known?.stamp === stamp && isOldEnough) return known.rules
    const text = stat === null ? '' : decodeRules(new Uint8Array(await adapter.readBinary(ruleFile)))
    if (text === undefined) throw rulesUnreadable(ruleFile, 'it is neither UTF-8 nor UTF-16 text')
    known = { stamp, rules: exclusions(text, [...exclude, ...closed]) }
    return known.rules
  }

  /** Paths that are not listed: those our rules hide, and those the user has excluded in Obsidian, which are not secret. */
  async function unlisted(): Promise<(path: string) => boolean> {
    const [{ hides }, text] = [await rules(), await settings()]
    if (excludedBy.text !== text) excludedBy = { text, test: excludedInObsidian(text) }
    const { test } = excludedBy
    return (path) => hides(path) || test(path)
  }

  async function settings(): Promise<string> {
    const file = `${configDir}/app.json`
    try {
      return (await adapter.exists(file)) ? await adapter.read(file) : '{"trashOption": "system"}'
    } catch {
      return ''
    }
  }

  function seen(path: NotePath, { hides }: Exclusions): TFile | undefined {
    if (hides(notePath(path))) return undefined
    const file = files.find(path)
    return file === undefined || hides(file.path) ? undefined : file
  }
  const visible = async (path: NotePath) => seen(path, await rules())

  async function readRaw(path: NotePath, known: Exclusions): Promise<RawNote | undefined> {
    const file = seen(path, known)
    const found = file && (await files.bytesOf(file.path))
    if (file === undefined || found === undefined) return undefined
    const raw = { ...stampOf(file), size: found.bytes.length, bytes: found.bytes }
    if (raw.size <= maxReadBytes || asNote(raw) === undefined) return raw
    throw tooLarge(raw.path, raw.size, maxReadBytes)
  }

  async function readNote(path: NotePath, known: Exclusions): Promise<NoteFile | undefined> {
    const raw = await readRaw(path, known)
    return raw && asNote(raw)
  }

  async function shown(signal?: AbortSignal): Promise<FileStamp[]> {
    const isUnlisted = await unlisted()
    signal?.throwIfAborted()
    return files.list().flatMap((file) => (isUnlisted(file.path) ? [] : [stampOf(file)]))
  }

  const source: UndoSource = {
    entries: journal.entries,
    current: (path) => files.read(path),
    image: (_, hash) => journal.image(hash),
    hash: hashBytes,
  }

  const changeHost = obsidianChangeHost({ files, journal, rules, settings, maxReadBytes })

  let queue: Promise<unknown> = Promise.resolve()
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(() => withProgramLease(app, work, options.onWait))
    // The caller gets the failure; the queue continues.
    queue = turn.catch(() => undefined)
    return turn
  }

  async function apply(set: ChangeSet) {
    await recoverEntries(changeHost)
    return applyChanges(set, changeHost)
  }

  const watchers = new Set<(path: NotePath) => void>()
  const tell = ({ path }: Pick<TAbstractFile, 'path'>) => {
    if (!isDotted(path)) for (const watcher of watchers) watcher(path as NotePath)
  }
  const come = (file: TAbstractFile) => {
    files.forgetSpellings()
    tell(file)
  }
  const refs = [
    app.vault.on('modify', tell),
    app.vault.on('create', come),
    app.vault.on('delete', come),
    app.vault.on('rename', (file, before) => {
      come(file)
      tell({ path: before })
    }),
  ]

  // A recovery that fails now is tried again before the next change, and the history names the entry until then.
  const isCutOff = [...journal.entries.values()].some(({ state }) => state === 'open')
  if (isCutOff) await alone(() => recoverEntries(changeHost)).catch(() => undefined)

  return {
    id,
    checkRules: async () => void (await rules()),
    files: async (signal) => (await shown(signal)).sort((a, b) => (a.path < b.path ? -1 : 1)),
    eachFile: async (see, signal) => (await shown(signal)).forEach(see),
    sum: async () => (await shown()).reduce(addStamp, emptyListing),
    linkSettings: async () => linkSettings(await settings()),
    async excludedFiles() {
      const isUnlisted = await unlisted()
      return files.list().flatMap(({ path }) => (isUnlisted(path) ? [path as NotePath] : []))
    },
    async readHidden(path) {
      const [file, found] = [files.find(path), await files.read(path)]
      return file && found && noteFileOf(stampOf(file), found.bytes)
    },
    async stat(path) {
      const file = await visible(path)
      return file && !(await unlisted())(file.path) ? stampOf(file) : undefined
    },
    read: async (path) => readNote(path, await rules()),
    async reading(work) {
      const known = await rules()
      return work((path) => readNote(path, known))
    },
    async readingRaw(work) {
      const known = await rules()
      return work((path) => readRaw(path, known))
    },
    async readPart(path, { from, bytes }) {
      const file = await visible(path)
      const found = file && (await files.read(file.path))
      if (found === undefined || (isNote(found.path) && isPrivateNote(decodeNote(found.bytes).text))) return undefined
      return { path: found.path, from, size: found.bytes.length, bytes: found.bytes.slice(from, from + bytes) }
    },
    async isClosed(path) {
      const { hides } = await rules()
      if (hides(notePath(path))) return true
      const found = await files.read(path)
      if (found === undefined) return false
      return hides(found.path) || (isNote(found.path) && isPrivateNote(decodeNote(found.bytes).text))
    },
    apply: (set) => alone(() => apply(set)),
    watch(onChange) {
      watchers.add(onChange)
      return () => watchers.delete(onChange)
    },
    history: async () => historyOf(journal.entries),
    planUndo: (target, choose) => planUndo(target, source, choose),
    planResolution: (target) => planResolution(target, source),
    close() {
      watchers.clear()
      for (const ref of refs) app.vault.offref(ref)
    },
  }
}

function noteFileOf(stamp: FileStamp, bytes: Uint8Array): NoteFile {
  const { text, encoding } = decodeNote(bytes)
  return { ...stamp, bytes, text, hash: hashBytes(bytes), encoding }
}

/** Runs `work` in turn with the command line, which there is on a desktop alone. */
async function withProgramLease<T>({ vault }: App, work: () => Promise<T>, onWait?: () => void): Promise<T> {
  const base = `${vault.configDir}/${pluginFolder}`
  if (!Platform.isDesktopApp || !(await vault.adapter.exists(base))) return work()
  return withWriteLease(turnFolder(vault.adapter, base), work, onWait)
}

function turnFolder(adapter: App['vault']['adapter'], base: string): LeaseFolder {
  const at = (path: string) => (path === '' ? base : `${base}/${path}`)
  return {
    async names(path) {
      if (!(await adapter.exists(at(path)))) return undefined
      try {
        const { files, folders } = await adapter.list(at(path))
        return [...files, ...folders].map((found) => found.slice(found.lastIndexOf('/') + 1))
      } catch {
        // Deleted since.
        return undefined
      }
    },
    async make(folder, file) {
      await adapter.mkdir(at(folder))
      await adapter.write(at(`${folder}/${file}`), '')
    },
    rename: (path, to) => adapter.rename(at(path), at(to)),
    remove: (file) => adapter.remove(at(file)),
    removeFolder: (path) => adapter.rmdir(at(path), false),
  }
}
