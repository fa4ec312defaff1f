import type { DiskEntry } from '../folder-calls.js'
import type { Disk } from './disk.js'
import { Events } from './events.js'

export class TAbstractFile {
  vault!: Vault
  path = ''
  name = ''
  parent: TFolder | null = null
}

export class TFile extends TAbstractFile {
  stat = { ctime: 0, mtime: 0, size: 0 }
  basename = ''
  extension = ''
}

export class TFolder extends TAbstractFile {
  children: TAbstractFile[] = []
  isRoot(): boolean {
    return this.path === '/'
  }
}

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** As `normalizePath` does it: no slashes at the ends or twice, no odd spaces. */
export function normalizePath(path: string): string {
  const clean = path
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/\/{2,}/g, '/')
    .replace(/^\/+|\/+$/g, '')
    .normalize('NFC')
  return clean === '' ? '/' : clean
}

/** Reads and writes the folder, dot files too, and knows nothing of the vault's list. */
export class Adapter {
  constructor(
    readonly disk: Disk,
    private readonly name: string,
    private readonly changed: (path: string) => Promise<void>,
  ) {}

  getName(): string {
    return this.name
  }
  /** `sensitive`: only if it is spelled just so, also on a disk that does not tell. */
  async exists(path: string, sensitive = false): Promise<boolean> {
    const found = await this.disk.entry(path)
    return found !== undefined && (!sensitive || found.path === path)
  }
  async stat(path: string) {
    const found = await this.disk.entry(path)
    return found === undefined ? null : { type: found.kind, ctime: found.ctime, mtime: found.mtime, size: found.size }
  }
  async list(path: string) {
    const found = await this.disk.list(path === '/' ? '' : path)
    const of = (kind: DiskEntry['kind']) => found.filter((one) => one.kind === kind).map((one) => one.path)
    return { files: of('file'), folders: of('folder') }
  }
  async read(path: string): Promise<string> {
    return decode(await this.disk.read(path))
  }
  async readBinary(path: string): Promise<ArrayBuffer> {
    return (await this.disk.read(path)).buffer
  }
  async write(path: string, text: string): Promise<void> {
    await this.disk.write(path, encode(text))
    await this.changed(path)
  }
  async writeBinary(path: string, bytes: ArrayBuffer): Promise<void> {
    await this.disk.write(path, new Uint8Array(bytes))
    await this.changed(path)
  }
  async mkdir(path: string): Promise<void> {
    await this.disk.makeFolder(path)
    await this.changed(path)
  }
  async rename(path: string, to: string): Promise<void> {
    await this.disk.rename(path, to)
    await this.changed(path)
    await this.changed(to)
  }
  async remove(path: string): Promise<void> {
    await this.disk.remove(path)
    await this.changed(path)
  }
  async rmdir(path: string, recursive: boolean): Promise<void> {
    await this.disk.removeFolder(path, recursive)
    await this.changed(path)
  }
  async trashSystem(path: string): Promise<boolean> {
    await this.disk.trashOutside(path)
    await this.changed(path)
    return true
  }
  async trashLocal(path: string): Promise<void> {
    await this.disk.makeFolder('.trash')
    const taken = new Set((await this.disk.list('.trash')).map((one) => one.path.toLowerCase()))
    const [, stem, ending] = /^(.*?)(\.[^.]*)?$/.exec(path.slice(path.lastIndexOf('/') + 1))!
    let to = `.trash/${stem}${ending ?? ''}`
    for (let count = 2; taken.has(to.toLowerCase()); count++) to = `.trash/${stem} ${count}${ending ?? ''}`
    await this.rename(path, to)
  }
}

/** The list of files, kept beside the folder: what others do to it is seen by `reconcile`. */
export class Vault extends Events {
  readonly adapter: Adapter
  readonly #files = new Map<string, TAbstractFile>()

  constructor(
    readonly disk: Disk,
    private readonly name: string,
    readonly configDir = '.obsidian',
  ) {
    super()
    this.adapter = new Adapter(disk, name, (path) => this.reconcilePath(path))
    this.#files.set('/', Object.assign(new TFolder(), { vault: this, path: '/', name: '' }))
  }

  getName(): string {
    return this.name
  }
  getRoot(): TFolder {
    return this.#files.get('/') as TFolder
  }
  getAbstractFileByPath(path: string): TAbstractFile | null {
    return this.#files.get(path) ?? null
  }
  getFileByPath(path: string): TFile | null {
    const found = this.#files.get(path)
    return found instanceof TFile ? found : null
  }
  getFolderByPath(path: string): TFolder | null {
    const found = this.#files.get(path)
    return found instanceof TFolder ? found : null
  }
  getFiles(): TFile[] {
    return [...this.#files.values()].filter((one) => one instanceof TFile)
  }
  getMarkdownFiles(): TFile[] {
    return this.getFiles().filter(({ extension }) => extension === 'md')
  }
  getAllLoadedFiles(): TAbstractFile[] {
    return [...this.#files.values()]
  }

  async read(file: TFile): Promise<string> {
    return decode(await this.disk.read(file.path))
  }
  cachedRead(file: TFile): Promise<string> {
    return this.read(file)
  }
  async readBinary(file: TFile): Promise<ArrayBuffer> {
    return (await this.disk.read(file.path)).buffer
  }
  create(path: string, text: string): Promise<TFile> {
    return this.createBinary(path, encode(text).buffer)
  }
  async createBinary(path: string, bytes: ArrayBuffer): Promise<TFile> {
    const wanted = normalizePath(path)
    if (this.#isTaken(wanted)) throw new Error('File already exists.')
    const folder = folderOf(wanted)
    if (folder !== '' && (await this.disk.entry(folder)) === undefined) {
      throw new Error(`ENOENT: no such file or directory, open '${wanted}'`)
    }
    await this.disk.write(wanted, new Uint8Array(bytes))
    await this.reconcilePath(wanted)
    return this.getFileByPath(wanted)!
  }
  async createFolder(path: string): Promise<TFolder> {
    const wanted = normalizePath(path)
    if (this.#isTaken(wanted)) throw new Error('Folder already exists.')
    await this.disk.makeFolder(wanted)
    for (const part of ancestors(wanted)) await this.reconcilePath(part)
    return this.getFolderByPath(wanted)!
  }
  async modify(file: TFile, text: string): Promise<void> {
    await this.modifyBinary(file, encode(text).buffer)
  }
  async modifyBinary(file: TFile, bytes: ArrayBuffer): Promise<void> {
    await this.disk.write(file.path, new Uint8Array(bytes))
    await this.reconcilePath(file.path)
  }
  async process(file: TFile, change: (text: string) => string): Promise<string> {
    const before = await this.read(file)
    const after = change(before)
    if (after !== before) await this.modify(file, after)
    return after
  }
  async rename(file: TAbstractFile, path: string): Promise<void> {
    const [before, wanted] = [file.path, normalizePath(path)]
    await this.disk.rename(before, wanted)
    for (const [key, one] of [...this.#files]) {
      if (key !== before && !key.startsWith(`${before}/`)) continue
      this.#files.delete(key)
      this.#place(one, wanted + key.slice(before.length))
    }
    this.trigger('rename', file, before)
  }
  async delete(file: TAbstractFile): Promise<void> {
    if (file instanceof TFolder) await this.adapter.rmdir(file.path, true)
    else await this.adapter.remove(file.path)
  }

  /** Looks at the whole folder, as the app does when it starts and when its watcher wakes up. */
  async reconcile(): Promise<void> {
    const found = await this.disk.everything()
    const there = new Set(found.map(({ path }) => path))
    for (const path of [...this.#files.keys()]) if (path !== '/' && !there.has(path)) this.#forget(path)
    for (const entry of found.sort((a, b) => a.path.length - b.path.length)) this.#see(entry)
  }
  async reconcilePath(path: string): Promise<void> {
    // Names that begin with a dot are not in the list, whatever they are.
    if (path.split('/').some((part) => part.startsWith('.'))) return
    const entry = await this.disk.entry(path)
    if (entry === undefined) this.#forget(path)
    else this.#see(entry, true)
  }

  #isTaken(path: string): boolean {
    const folded = path.toLowerCase()
    return [...this.#files.keys()].some((known) => known.toLowerCase() === folded)
  }
  #see(entry: DiskEntry, isTouched = false): void {
    const known = this.#files.get(entry.path)
    const { size, mtime, ctime } = entry
    if (known === undefined) {
      const made = entry.kind === 'file' ? new TFile() : new TFolder()
      if (made instanceof TFile) made.stat = { size, mtime, ctime }
      made.vault = this
      this.#place(made, entry.path)
      this.trigger('create', made)
    } else if (known instanceof TFile && (known.stat.mtime !== mtime || known.stat.size !== size)) {
      known.stat = { size, mtime, ctime }
      this.trigger('modify', known)
    } else if (known instanceof TFile && isTouched) {
      // Written again within the same millisecond with the same size.
      this.trigger('modify', known)
    }
  }
  #place(file: TAbstractFile, path: string): void {
    file.path = path
    file.name = path.slice(path.lastIndexOf('/') + 1)
    if (file instanceof TFile) {
      const dot = file.name.lastIndexOf('.')
      file.basename = dot > 0 ? file.name.slice(0, dot) : file.name
      file.extension = dot > 0 ? file.name.slice(dot + 1) : ''
    }
    file.parent?.children.splice(file.parent.children.indexOf(file), 1)
    file.parent = (this.#files.get(folderOf(path) || '/') as TFolder | undefined) ?? this.getRoot()
    file.parent.children.push(file)
    this.#files.set(path, file)
  }
  #forget(path: string): void {
    const file = this.#files.get(path)
    if (file === undefined) return
    this.#files.delete(path)
    file.parent?.children.splice(file.parent.children.indexOf(file), 1)
    this.trigger('delete', file)
  }
}

function ancestors(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}
