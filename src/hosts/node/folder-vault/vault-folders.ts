import { folderOf, foldPath, type NotePath, pathFailure } from '../../../core/vault/index.js'
import type { FileAccess, FileStat, OpenFolder } from '../files/file-access.js'

/** A folder of the vault, open and checked. `path` is vault-relative without any link in it; '' is the vault itself. */
export interface VaultFolder {
  path: string
  open: OpenFolder
}

/** A path in its open folder, with the file that is there under exactly that spelling. */
export interface OpenPath {
  folder: VaultFolder
  /** As spelled on disk if it exists, otherwise as requested. */
  name: string
  path: NotePath
  stat: FileStat | undefined
}

/**
 * Resolves all paths: every access to the vault goes through a folder opened here whose real path was checked to be
 * inside the vault after opening. Later changes to its parent folders do not matter.
 */
export class VaultFolders {
  constructor(
    readonly files: FileAccess,
    /** Absolute, without links. */
    readonly root: string,
  ) {}

  /** Opens a folder for the time of `work`. undefined when there is none. */
  async within<T>(path: string, work: (folder: VaultFolder) => Promise<T> | T): Promise<T | undefined> {
    const folder = await this.open(path)
    if (folder === undefined) return undefined
    try {
      return await work(folder)
    } finally {
      await this.close(folder)
    }
  }

  /**
   * Finds a path, exact spelling first, then any that folds to the same. `work` sees the spot while its folder is
   * open; undefined when even the folder is missing.
   */
  async at<T>(path: NotePath, work: (spot: OpenPath) => Promise<T> | T): Promise<T | undefined> {
    const exact = folderOf(path)
    const folder = (await this.open(exact)) ?? (await this.open(await this.spellFolder(exact)))
    if (folder === undefined) return undefined
    try {
      return await work(await this.#spot(folder, path.slice(path.lastIndexOf('/') + 1)))
    } finally {
      await this.close(folder)
    }
  }

  /** A folder's path with the parts that exist spelled as on the disk, and the links in them resolved. */
  async spellFolder(path: string): Promise<string> {
    if (path === '') return ''
    const above = await this.spellFolder(folderOf(path))
    const name = path.slice(path.lastIndexOf('/') + 1)
    const spelled = await this.within(above, async (folder) => {
      const { stat, path: found } = await this.#spot(folder, name)
      return stat === undefined ? undefined : found
    })
    const found = spelled ?? joinPath(above, name)
    return (await this.within(found, (folder) => folder.path)) ?? found
  }

  /** For callers that keep the folder open for longer and close it themselves. undefined if there is none. */
  async open(path: string): Promise<VaultFolder | undefined> {
    const open = await this.files.openFolder(path === '' ? this.root : `${this.root}/${path}`)
    if (open === undefined) return undefined
    const inside = open.realPath === this.root ? '' : insidePath(this.root, open.realPath)
    if (inside === path) return { path, open }
    // A link on the way. Inside the vault it may lead, but to nothing that the path rules reserve.
    if (inside !== undefined && !/(?:^|\/)\./.test(inside)) return { path: inside, open }
    await this.files.closeFolder(open)
    throw pathFailure(
      path,
      inside === undefined ? 'a link points outside the vault' : 'a link points to a reserved folder',
    )
  }

  async close({ open }: VaultFolder): Promise<void> {
    await this.files.closeFolder(open)
  }

  async #spot(folder: VaultFolder, name: string): Promise<OpenPath> {
    const stat = await this.files.stat(folder.open.at(name))
    if (stat !== undefined) {
      const spelled = stat.kind === 'link' ? name : await this.spelledName(folder, name)
      return { folder, name: spelled, path: joinPath(folder.path, spelled), stat }
    }
    const folded = foldPath(name)
    const items = await this.files.listFolder(folder.open)
    const match = items.find((item) => foldPath(item.name) === folded)
    if (match === undefined) return { folder, name, path: joinPath(folder.path, name), stat: undefined }
    const found = await this.files.stat(folder.open.at(match.name))
    return { folder, name: match.name, path: joinPath(folder.path, match.name), stat: found }
  }

  /** The spelling of an existing file's name, also on a disk that ignores case. */
  async spelledName(folder: VaultFolder, name: string): Promise<string> {
    if (!this.files.foldsNames) return name
    const real = (await this.files.realPath(folder.open.at(name))) ?? name
    const spelled = real.slice(real.lastIndexOf('/') + 1)
    return foldPath(spelled) === foldPath(name) ? spelled : name
  }
}

/** `target` relative to `root`; undefined when it is not below it. */
export function insidePath(root: string, target: string): string | undefined {
  const base = root.endsWith('/') ? root : `${root}/`
  return target.startsWith(base) ? target.slice(base.length) : undefined
}

export function joinPath(folder: string, name: string): NotePath {
  return (folder === '' ? name : `${folder}/${name}`) as NotePath
}
