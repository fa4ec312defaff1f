import type { ChangeSet } from './change-set.js'
import { foldPath, isNote, type NotePath } from './note-path.js'
import { decodeNote, hashBytes } from './note-text.js'
import { isPrivateNote } from './private-note.js'
import type { FileStamp, JournaledVault, NoteFile } from './vault.js'

type ReadableVault = Pick<JournaledVault, 'files' | 'stat' | 'read' | 'isClosed' | 'readPart'>

/** A file as planned changes leave it. */
type StagedFile = { path: NotePath } & (
  | { kind: 'written'; bytes: Uint8Array; mtimeMs: number; ctimeMs: number }
  /** Moved without its content having been read: an attachment of any size. */
  | { kind: 'moved'; from: NotePath }
  | { kind: 'gone' }
)

/** A vault, and the change sets that were planned on it and are not applied yet. */
export interface StagedView<Seen extends ReadableVault> {
  /** The vault as it would be after the change sets staged so far. Later ones do not appear in it. */
  vault(): Seen
  /** Adds a change set. Throws if it cannot be read as planned. */
  stage(set: ChangeSet): Promise<void>
}

/** Shows a vault as it would be after planned change sets, so that further changes can be planned on their results. */
export function stagedView<Seen extends ReadableVault>(base: Seen): StagedView<Seen> {
  let files: ReadonlyMap<string, StagedFile> = new Map()

  async function stage({ changes }: ChangeSet): Promise<void> {
    const next = new Map(files)
    for (const change of changes) {
      const seen = viewOf(base, next)
      const file = isNote(change.path) || change.kind !== 'move' ? await seen.read(change.path) : undefined
      const { mtimeMs = 0, ctimeMs = 0 } = file ?? {}
      const put = (path: NotePath, bytes: Uint8Array) =>
        next.set(foldPath(path), { path, kind: 'written', bytes, mtimeMs, ctimeMs })
      switch (change.kind) {
        case 'create':
        case 'edit':
          put(file?.path ?? change.path, change.after)
          break
        case 'append':
          put(file?.path ?? change.path, joined(file?.bytes, change.added))
          break
        case 'trash':
          next.set(foldPath(change.path), { path: change.path, kind: 'gone' })
          break
        case 'move': {
          const known = next.get(foldPath(change.path))
          next.set(foldPath(change.path), { path: change.path, kind: 'gone' })
          if (file !== undefined) put(change.to, file.bytes)
          else if (known?.kind === 'moved') next.set(foldPath(change.to), { ...known, path: change.to })
          else next.set(foldPath(change.to), { path: change.to, kind: 'moved', from: change.path })
          break
        }
        default:
          change satisfies never
      }
    }
    files = next
  }

  return { vault: () => ({ ...base, ...viewOf(base, files) }), stage }
}

function viewOf(base: ReadableVault, staged: ReadonlyMap<string, StagedFile>): ReadableVault {
  const lookup = (path: NotePath) => staged.get(foldPath(path))
  const written = (file: Extract<StagedFile, { kind: 'written' }>): NoteFile | undefined => {
    const { path, bytes, mtimeMs, ctimeMs } = file
    const { text, encoding } = decodeNote(bytes)
    if (isNote(path) && isPrivateNote(text)) return undefined
    return { path, size: bytes.length, mtimeMs, ctimeMs, bytes, text, encoding, hash: hashBytes(bytes) }
  }

  async function stampOf(file: StagedFile): Promise<FileStamp | undefined> {
    const { path } = file
    if (file.kind === 'gone') return undefined
    if (file.kind === 'written') return { path, size: file.bytes.length, mtimeMs: file.mtimeMs, ctimeMs: file.ctimeMs }
    const stamp = await base.stat(file.from)
    return stamp && { ...stamp, path }
  }

  return {
    async files(signal) {
      const kept = (await base.files(signal)).filter(({ path }) => lookup(path) === undefined)
      const added = await Promise.all([...staged.values()].map(stampOf))
      return [...kept, ...added.flatMap((stamp) => stamp ?? [])].sort((a, b) => (a.path < b.path ? -1 : 1))
    },
    async stat(path) {
      const file = lookup(path)
      return file === undefined ? base.stat(path) : stampOf(file)
    },
    async read(path) {
      const file = lookup(path)
      if (file === undefined) return base.read(path)
      if (file.kind === 'gone') return undefined
      if (file.kind === 'written') return written(file)
      const moved = await base.read(file.from)
      return moved && { ...moved, path: file.path }
    },
    isClosed: (path) => base.isClosed(path),
    async readPart(path, part) {
      const file = lookup(path)
      if (file === undefined) return base.readPart(path, part)
      if (file.kind === 'gone') return undefined
      if (file.kind === 'moved') {
        const moved = await base.readPart(file.from, part)
        return moved && { ...moved, path: file.path }
      }
      const bytes = file.bytes.subarray(part.from, part.from + part.bytes)
      return { path: file.path, from: part.from, size: file.bytes.length, bytes }
    },
  }
}

function joined(start: Uint8Array = new Uint8Array(), added: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(start.length + added.length)
  bytes.set(start)
  bytes.set(added, start.length)
  return bytes
}
