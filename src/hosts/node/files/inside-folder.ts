import { Failure } from '../../../core/errors.js'
import { decodeRules } from '../../../core/vault/index.js'
import type { FileAccess, OpenFolder } from './file-access.js'

/** Reads small text files below a folder, and nothing that a link leads to. */
interface InsideFolder {
  /** Names of files and folders in it; none where it is not there. */
  list(path: string): Promise<string[]>
  /**
   * undefined if there is no such file. Throws for links, and for files that are not regular, too large or not text.
   */
  read(path: string, mostBytes: number): Promise<string | undefined>
}

/** For folders that the vault does not show: dot folders of a vault, and the user's own files. */
export function insideFolder(files: FileAccess, root: string): InsideFolder {
  async function within<T>(names: readonly string[], work: (folder: OpenFolder) => Promise<T>): Promise<T | undefined> {
    const top = await files.openFolder(root)
    if (top === undefined) return undefined
    try {
      const place = [top.realPath, ...names].join('/')
      for (let at = 1; at <= names.length; at++) {
        const stat = await files.stat([top.realPath, ...names.slice(0, at)].join('/'))
        if (stat === undefined) return undefined
        if (stat.kind !== 'folder') throw wrong(`${names.slice(0, at).join('/')} is not a folder`)
      }
      const folder = names.length === 0 ? top : await files.openFolder(place)
      if (folder === undefined) return undefined
      try {
        if (folder.realPath !== place) throw wrong('a link points elsewhere')
        return await work(folder)
      } finally {
        if (folder !== top) await files.closeFolder(folder)
      }
    } finally {
      await files.closeFolder(top)
    }
  }

  async function readIn(folder: OpenFolder, name: string, mostBytes: number): Promise<string | undefined> {
    const stat = await files.stat(folder.at(name))
    if (stat === undefined) return undefined
    if (stat.kind !== 'file') throw wrong('it is not a regular file')
    const file = await files.open(folder.at(name), 'read')
    if (file === undefined) return undefined
    try {
      const { kind, size } = await files.statOpen(file)
      if (kind !== 'file') throw wrong('it is not a regular file')
      if (size > mostBytes) throw wrong(`it has more than ${mostBytes} bytes`)
      const bytes = new Uint8Array(size)
      const read = await files.read(file, bytes, 0)
      const text = decodeRules(bytes.subarray(0, read))
      if (text === undefined) throw wrong('it is neither UTF-8 nor UTF-16 text')
      return text
    } finally {
      await files.close(file)
    }
  }

  return {
    list: (path) =>
      within(namesIn(path), async (folder) => {
        const items = await files.listFolder(folder)
        return items.flatMap(({ name, kind }) => (kind === 'file' || kind === 'folder' ? [name] : [])).sort()
      })
        .then((names) => names ?? [])
        .catch(unread),
    read(path, mostBytes) {
      const names = namesIn(path)
      const file = names.pop()
      if (file === undefined) throw wrong('it has no name')
      return within(names, (folder) => readIn(folder, file, mostBytes)).catch(unread)
    },
  }
}

/** Only names, one below the other. */
function namesIn(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '')
  if (names.some((name) => name === '.' || name === '..' || /[\\\u0000-\u001f]/.test(name))) {
    throw wrong('its path points elsewhere')
  }
  return names
}

const wrong = (reason: string): Failure => new Failure('invalid-input', reason)

function unread(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') throw wrong('you have no permission to read it')
  throw code?.startsWith('E') ? wrong(`reading it failed (${code})`) : error
}
