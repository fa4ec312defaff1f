import {
  asNote,
  type FileStamp,
  type LinkSettings,
  type ListingSum,
  type NoteFile,
  type NotePath,
  type RawNote,
  type VaultReader,
} from '../../vault/index.js'
import { yieldToHost } from '../yield-to-host.js'
import { type PackedError, packError, type Rpc, rpcMethod, unpackError } from './rpc-over-port.js'

// `!`: the answer has one note for each requested path, and the loop counts those that are left.

/** Position of a note in the transferred bytes; no stamp if there is no such note. */
type SentNote = { stamp?: FileStamp; from: number } | { error: PackedError }

interface SentNotes {
  notes: SentNote[]
  /** The bytes of all notes in one buffer: many small ones would take longer. */
  bytes: Uint8Array
}

const sumCall = rpcMethod<void, ListingSum>('vault-sum')
const linkSettingsCall = rpcMethod<void, LinkSettings>('vault-link-settings')
const statCall = rpcMethod<NotePath, FileStamp | undefined>('vault-stat')
const closedCall = rpcMethod<NotePath, boolean>('vault-closed')
const listCall = rpcMethod<void, void, FileStamp[]>('vault-list')
/** Returns the first of the requested notes, as many as fit into one message. */
const readCall = rpcMethod<readonly NotePath[], SentNotes>('vault-read')

const stampsAtOnce = 500
const notesAtOnce = 100
const bytesAtOnce = 1 << 18
/** Concurrent reads: some systems are slow per file. */
const filesAtOnce = 8
/** Reading yields after this many milliseconds, so that the page can render. */
const taskMs = 8

/** The vault's side: reads for the other thread, in slices that keep the page responsive. */
export function serveVault(calls: Rpc, vault: VaultReader): void {
  calls.answer(sumCall, () => vault.sum())
  calls.answer(linkSettingsCall, () => vault.linkSettings())
  calls.answer(statCall, (path) => vault.stat(path))
  calls.answer(closedCall, (path) => vault.isClosed(path))
  calls.answer(listCall, async (_, { signal, tell }) => {
    const files: FileStamp[] = []
    await vault.eachFile((file) => files.push(file), signal)
    const pause = yieldToHost(taskMs)
    for (let from = 0; from < files.length; from += stampsAtOnce) {
      await pause()
      tell(files.slice(from, from + stampsAtOnce))
    }
  })
  calls.answer(readCall, (paths) => {
    const gather = async (read: (path: NotePath) => Promise<RawNote | undefined>) => {
      const pause = yieldToHost(taskMs)
      const found: (RawNote | { error: PackedError } | undefined)[] = []
      let size = 0
      for (let from = 0; from < paths.length && size < bytesAtOnce; from += filesAtOnce) {
        const some = paths.slice(from, from + filesAtOnce)
        const readOne = (path: NotePath) => read(path).catch((error) => ({ error: packError(error) }))
        for (const one of await Promise.all(some.map(readOne))) {
          found.push(one)
          if (one !== undefined && 'bytes' in one) size += one.bytes.length
        }
        await pause()
      }
      return together(found, size)
    }
    return vault.readingRaw === undefined ? vault.reading(gather, paths) : vault.readingRaw(gather)
  })
}

function together(found: readonly (RawNote | { error: PackedError } | undefined)[], size: number): SentNotes {
  const bytes = new Uint8Array(size)
  let from = 0
  const notes = found.map((one): SentNote => {
    if (one === undefined) return { from }
    if ('error' in one) return one
    const { path, mtimeMs, ctimeMs } = one
    bytes.set(one.bytes, from)
    from += one.bytes.length
    return { stamp: { path, size: one.bytes.length, mtimeMs, ctimeMs }, from: from - one.bytes.length }
  })
  return { notes, bytes }
}

function received(sent: SentNote, bytes: Uint8Array): NoteFile | undefined {
  if ('error' in sent) throw unpackError(sent.error)
  const { stamp, from } = sent
  return stamp && asNote({ ...stamp, bytes: bytes.subarray(from, from + stamp.size) })
}

/** The vault of the other thread. Paths named ahead are fetched while earlier notes are processed. */
export function remoteVault(calls: Rpc): VaultReader {
  async function read(path: NotePath): Promise<NoteFile | undefined> {
    const { notes, bytes } = await calls.ask(readCall, [path])
    return received(notes[0]!, bytes)
  }

  function readInOrder(paths: readonly NotePath[]): VaultReader['read'] {
    let next = 0
    let here: SentNotes = { notes: [], bytes: new Uint8Array() }
    let coming = fetchFrom(0)

    function fetchFrom(first: number): Promise<SentNotes> {
      const wanted = paths.slice(first, first + notesAtOnce)
      const fetched = wanted.length === 0 ? Promise.resolve(here) : calls.ask(readCall, wanted)
      // The caller that awaits it handles the failure.
      fetched.catch(() => undefined)
      return fetched
    }

    return async (path) => {
      if (path !== paths[next]) return read(path)
      if (here.notes.length === 0) {
        const { notes, bytes } = await coming
        here = { notes: [...notes].reverse(), bytes }
        coming = fetchFrom(next + notes.length)
      }
      next++
      return received(here.notes.pop()!, here.bytes)
    }
  }

  return {
    sum: () => calls.ask(sumCall, undefined),
    linkSettings: () => calls.ask(linkSettingsCall, undefined),
    stat: (path) => calls.ask(statCall, path),
    isClosed: (path) => calls.ask(closedCall, path),
    eachFile: (see, signal) => calls.ask(listCall, undefined, { signal, onPart: (files) => files.forEach(see) }),
    read,
    reading: (work, ahead = []) => work(readInOrder(ahead)),
  }
}
