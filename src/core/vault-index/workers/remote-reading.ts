import {
  asNote,
  type FileStamp,
  type LinkSettings,
  type ListingSum,
  type NoteFile,
  type NotePath,
  type RawNote,
  type VaultReading,
} from '../../vault/index.js'
import { yieldToHost } from '../yield-to-host.js'
import { type Calls, call } from './calls.js'
import { type PackedError, packError, unpackError } from './packed-error.js'

/** Where a note lies in the bytes that come with it; nothing where there is none for us. */
type SentNote = { stamp?: FileStamp; from: number } | { error: PackedError }

interface SentNotes {
  notes: SentNote[]
  /** Of all of them, one after the other: many small buffers would take longer. */
  bytes: Uint8Array
}

const sumCall = call<void, ListingSum>('vault-sum')
const linkSettingsCall = call<void, LinkSettings>('vault-link-settings')
const statCall = call<NotePath, FileStamp | undefined>('vault-stat')
const closedCall = call<NotePath, boolean>('vault-closed')
const listCall = call<void, void, FileStamp[]>('vault-list')
/** Answers the first of the notes asked for, as many as make a message of reasonable size. */
const readCall = call<readonly NotePath[], SentNotes>('vault-read')

const stampsAtOnce = 500
const notesAtOnce = 100
const bytesAtOnce = 1 << 18
/** So many files are on their way at a time: some systems take long to bring one. */
const filesAtOnce = 8
/** Reading goes on in the next task after so many milliseconds: whoever draws a page has time to. */
const taskMs = 8

/** The side that has the vault: it reads what the other side asks for, in pieces so small that nobody notices. */
export function serveReading(calls: Calls, vault: VaultReading): void {
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

/** The vault of the other side. What is named ahead is on its way while the notes before it are looked at. */
export function remoteReading(calls: Calls): VaultReading {
  async function read(path: NotePath): Promise<NoteFile | undefined> {
    const { notes, bytes } = await calls.ask(readCall, [path])
    return received(notes[0], bytes)
  }

  function readInOrder(paths: readonly NotePath[]): VaultReading['read'] {
    let next = 0
    let here: SentNotes = { notes: [], bytes: new Uint8Array() }
    let coming = fetchFrom(0)

    function fetchFrom(first: number): Promise<SentNotes> {
      const wanted = paths.slice(first, first + notesAtOnce)
      const fetched = wanted.length === 0 ? Promise.resolve(here) : calls.ask(readCall, wanted)
      // Whoever waits for it hears of a failure.
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
