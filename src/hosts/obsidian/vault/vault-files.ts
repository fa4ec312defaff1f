import { type App, MarkdownView, type TFile, TFolder } from 'obsidian'
import { Failure } from '../../../core/errors.js'
import {
  type ContentHash,
  changedConflict,
  decodeNote,
  type FileStamp,
  folderOf,
  foldPath,
  hashBytes,
  type NotePath,
  notePath,
  pathTakenConflict,
  unreadable,
} from '../../../core/vault/index.js'

/**
 * The files of a vault, read and written through Obsidian, so that its list, its editors and its plugins are updated.
 * Names that begin with a dot are not in its list and are accessed directly.
 */
export class VaultFiles {
  /** Folded paths of files and folders, until one comes or goes. */
  #spellings: { files: Map<string, TFile>; folders: Map<string, string> } | undefined

  constructor(readonly app: App) {}

  /** Something came or went. */
  forgetSpellings(): void {
    this.#spellings = undefined
  }

  list(): TFile[] {
    return this.app.vault.getFiles().filter(({ path }) => isAllowed(path))
  }

  find(path: string): TFile | undefined {
    return this.app.vault.getFileByPath(path) ?? this.#known().files.get(foldPath(path))
  }

  /** The path with those folders that exist as they are spelled. */
  spelled(path: NotePath): NotePath {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      const known = this.#known().folders.get(foldPath(folder))
      if (known !== undefined) return (known + path.slice(folder.length)) as NotePath
    }
    return path
  }

  /** Names of the files in a folder; none where there is no such folder. */
  async namesIn(folder: string): Promise<string[]> {
    const { adapter } = this.app.vault
    if (!(await adapter.exists(folder))) return []
    return (await adapter.list(folder)).files.map((path) => path.slice(path.lastIndexOf('/') + 1))
  }

  #known() {
    if (this.#spellings !== undefined) return this.#spellings
    const files = new Map(this.app.vault.getFiles().map((file) => [foldPath(file.path), file]))
    const folders = this.app.vault.getAllLoadedFiles().filter((one) => one instanceof TFolder)
    this.#spellings = { files, folders: new Map(folders.map(({ path }) => [foldPath(path), path])) }
    return this.#spellings
  }

  async read(path: string): Promise<{ path: NotePath; bytes: Uint8Array; hash: ContentHash } | undefined> {
    const found = await this.bytesOf(path)
    return found && { ...found, hash: hashBytes(found.bytes) }
  }

  /** Bytes of any file, also of one with a dot; undefined where there is none. */
  async bytesOf(path: string): Promise<{ path: NotePath; bytes: Uint8Array } | undefined> {
    const { vault } = this.app
    const file = this.find(path)
    if (file === undefined && !isDotted(path)) return undefined
    const name = (file?.path ?? path) as NotePath
    try {
      if (file === undefined && (await vault.adapter.stat(path))?.type !== 'file') return undefined
      const bytes = new Uint8Array(
        file === undefined ? await vault.adapter.readBinary(path) : await vault.readBinary(file),
      )
      return { path: name, bytes }
    } catch (error) {
      // Deleted since Obsidian listed it, which will notice.
      if (!(await vault.adapter.exists(name))) return undefined
      throw unreadable(name, 'internal', (error as Error).message, { hint: 'Check whether Obsidian can open it.' })
    }
  }

  /** The same of a file that is spelled just so: another spelling is another file, or the same one under another name. */
  async readExactly(path: string): ReturnType<VaultFiles['read']> {
    const found = await this.read(path)
    return found?.path === path ? found : undefined
  }

  async create(path: NotePath, bytes: Uint8Array): Promise<void> {
    await this.makeFolder(folderOf(path))
    const { vault } = this.app
    if (await vault.adapter.exists(path)) throw inTheWay(path)
    try {
      if (isDotted(path)) await vault.adapter.writeBinary(path, bufferOf(bytes))
      else await vault.createBinary(path, bufferOf(bytes))
    } catch (error) {
      if (await this.#removeStartOf(path, bytes)) throw error
      throw inTheWay(path, error)
    }
    await this.#mustHold(path, hashBytes(bytes))
  }

  /** Removes a partly written file. False if the file has other content. */
  async #removeStartOf(path: NotePath, bytes: Uint8Array): Promise<boolean> {
    const { adapter } = this.app.vault
    if (!(await adapter.exists(path))) return true
    const there = new Uint8Array(await adapter.readBinary(path))
    if (there.length > bytes.length || there.some((byte, at) => byte !== bytes[at])) return false
    await adapter.remove(path)
    return true
  }

  /** Replaces exactly these bytes. An open note is changed in its editor, as one step that Ctrl+Z undoes. */
  async replace(path: NotePath, before: ContentHash, after: Uint8Array): Promise<void> {
    const file = this.app.vault.getFileByPath(path)
    const current = await this.read(path)
    if (current?.hash !== before) throw changedInObsidian(path)
    const [was, is] = [textOf(current.bytes), textOf(after)]
    if (file === null) await this.app.vault.adapter.writeBinary(path, bufferOf(after))
    else if (was === undefined || is === undefined) await this.app.vault.modifyBinary(file, bufferOf(after))
    else if (!(await this.#replaceInEditor(file, was, is))) {
      await this.app.vault.process(file, (text) => {
        if (!isTextOf(text, before)) throw changedInObsidian(path)
        return is
      })
    }
    await this.#mustHold(path, hashBytes(after))
  }

  async rename(path: NotePath, to: NotePath): Promise<void> {
    await this.makeFolder(folderOf(to))
    const { vault } = this.app
    const file = vault.getFileByPath(path)
    const isRespelling = foldPath(path) === foldPath(to)
    // Under other capitals it is the same file on some disks, and another one on others.
    if (await vault.adapter.exists(to, isRespelling)) throw inTheWay(to)
    // Links are separate steps, planned and shown: Obsidian must not update any.
    if (file === null || isDotted(to)) await vault.adapter.rename(path, to)
    else await vault.rename(file, to)
    this.forgetSpellings()
  }

  /** Its bytes are in the journal. */
  async remove(path: NotePath, before: ContentHash | null): Promise<void> {
    const found = await this.readExactly(path)
    if (found === undefined) return
    if (before !== null && found.hash !== before) throw changedInObsidian(path)
    await this.app.vault.adapter.remove(path)
    this.forgetSpellings()
  }

  /** Deletes a file the way Obsidian is configured to. */
  async trash(path: NotePath, before: ContentHash): Promise<void> {
    const file = this.app.vault.getFileByPath(path)
    if (file === null) return this.remove(path, before)
    if ((await this.read(path))?.hash !== before) throw changedInObsidian(path)
    await this.app.fileManager.trashFile(file)
    this.forgetSpellings()
  }

  async makeFolder(path: string): Promise<void> {
    if (path === '' || (await this.app.vault.adapter.exists(path))) return
    await this.makeFolder(folderOf(path))
    if (isDotted(path)) await this.app.vault.adapter.mkdir(path)
    else await this.app.vault.createFolder(path)
    this.forgetSpellings()
  }

  async removeIfEmpty(folder: string): Promise<void> {
    const { adapter } = this.app.vault
    if (!(await adapter.exists(folder))) return
    const { files, folders } = await adapter.list(folder)
    if (files.length === 0 && folders.length === 0) await adapter.rmdir(folder, false)
    this.forgetSpellings()
  }

  /** Saves text that a user has typed and Obsidian has not saved yet, so that it is seen and not overwritten. */
  async saveEditors(paths: ReadonlySet<string>): Promise<void> {
    for (const view of this.#editors()) {
      if (view.file === null || !paths.has(foldPath(view.file.path))) continue
      const held = textOf((await this.read(view.file.path))?.bytes ?? new Uint8Array())
      if (held?.replace(/\r\n?/g, '\n') !== view.editor.getValue()) await view.save()
    }
  }

  #editors(): MarkdownView[] {
    const views: MarkdownView[] = []
    this.app.workspace.iterateAllLeaves(({ view }) => {
      if (view instanceof MarkdownView) views.push(view)
    })
    return views
  }

  /** False where no editor shows just this text, which is then written past them. */
  async #replaceInEditor(file: TFile, was: string, is: string): Promise<boolean> {
    const view = this.#editors().find((one) => one.file?.path === file.path)
    if (view === undefined || view.editor.getValue() !== was || is.includes('\r')) return false
    const { start, end } = commonEnds(was, is)
    const { editor } = view
    const change = {
      from: editor.offsetToPos(start),
      to: editor.offsetToPos(was.length - end),
      text: is.slice(start, is.length - end),
    }
    editor.transaction({ changes: [change] })
    await view.save()
    return true
  }

  async #mustHold(path: NotePath, hash: ContentHash): Promise<void> {
    const written = await this.read(path)
    if (written?.hash === hash) return
    throw new Failure(
      'conflict',
      `${path} does not contain the written text, because another program changed it at the same time.`,
    )
  }
}

export function stampOf(file: TFile): FileStamp {
  const { size, mtime, ctime } = file.stat
  return { path: file.path as NotePath, size, mtimeMs: mtime, ctimeMs: ctime }
}

export const isDotted = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'))

function isAllowed(path: string): boolean {
  try {
    notePath(path)
    return true
  } catch {
    return false
  }
}

export function changedInObsidian(path: NotePath): Failure {
  return changedConflict(path, 'has changed in the meantime')
}

function inTheWay(path: NotePath, cause?: unknown): Failure {
  const failure = pathTakenConflict(path)
  failure.cause = cause
  return failure
}

/** undefined where the bytes are not exactly a text in UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  const { text, encoding } = decodeNote(bytes)
  return encoding === 'utf-8' ? text : undefined
}

/** Some systems hand a text over without its byte order mark. */
function isTextOf(text: string, hash: ContentHash): boolean {
  const encoder = new TextEncoder()
  return hashBytes(encoder.encode(text)) === hash || hashBytes(encoder.encode(`\uFEFF${text}`)) === hash
}

function commonEnds(one: string, other: string): { start: number; end: number } {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start++
  let end = 0
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  return { start, end }
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer
}
