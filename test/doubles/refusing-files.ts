import type { FileAccess, OpenFolder } from '../../src/hosts/node/files/file-access.js'
import { systemError } from './memory-files.js'

export interface Refusal {
  /** Absolute path of a file or folder. */
  path: string
  /** The calls that fail there; `look` is the one file's part in the listing of its folder. */
  call: 'openFolder' | 'statFolder' | 'look' | 'stat' | 'open' | 'statOpen' | 'read' | 'realPath'
  /** `ENOENT` is a file that has just gone. */
  code: string
}

/** A disk that refuses calls to one path until it is reset. */
export function refusingFiles(files: FileAccess): FileAccess & { refuse(refusal: Refusal | undefined): void } {
  let refusal: Refusal | undefined
  const opened = new Map<number, string>()
  // Paths through an open folder's handle tell nothing, so every folder is reached by its name here.
  const named = (folder: OpenFolder): OpenFolder => ({ ...folder, at: (name) => `${folder.realPath}/${name}` })
  const isRefused = (call: Refusal['call'], path: string | undefined): boolean =>
    refusal !== undefined && refusal.call === call && path?.replace(/\/\.$/, '') === refusal.path

  function check(call: Refusal['call'], path: string | undefined): void {
    if (isRefused(call, path)) throw systemError(refusal!.code, call)
  }

  /** For these calls, a missing file is an answer and not an error. */
  const isGone = (call: Refusal['call'], path: string): boolean => isRefused(call, path) && refusal?.code === 'ENOENT'

  return {
    ...files,
    refuse(next) {
      refusal = next
    },
    realPath(path) {
      if (isGone('realPath', path)) return undefined
      check('realPath', path)
      return files.realPath(path)
    },
    async openFolder(path) {
      if (isGone('openFolder', path)) return undefined
      check('openFolder', path)
      const folder = await files.openFolder(path)
      return folder && named(folder)
    },
    async statFolder(folder, see) {
      check('statFolder', folder.realPath)
      await files.statFolder(folder, (item) => {
        const path = folder.at(item.name)
        if (isGone('look', path)) return
        if (!isRefused('look', path)) return see(item)
        const error = systemError(refusal!.code, 'stat')
        see({ name: item.name, kind: 'other', size: 0, mtimeMs: 0, ctimeMs: 0, error })
      })
    },
    stat(path) {
      if (isGone('stat', path)) return undefined
      check('stat', path)
      return files.stat(path)
    },
    async open(path, how, mode) {
      if (isGone('open', path)) return undefined
      check('open', path)
      const file = await files.open(path, how, mode)
      if (file !== undefined) opened.set(file, path)
      return file
    },
    statOpen(file) {
      check('statOpen', opened.get(file))
      return files.statOpen(file)
    },
    read(file, into, position) {
      check('read', opened.get(file))
      return files.read(file, into, position)
    },
  }
}
