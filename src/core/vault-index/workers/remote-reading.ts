import {
  decodeNote,
  type FileStamp,
  type LinkSettings,
  type ListingSum,
  type NoteFile,
  type NotePath,
  type VaultReading,
} from '../../vault/index.js'
import { yieldToHost } from '../yield-to-host.js'
import { type Calls, call } from './calls.js'
import { type PackedError, packError, unpackError } from './packed-error.js'

/** A note without its text, which the bytes say again; nothing where there is none for us. */
type SentNote = { note?: Omit<NoteFile, 'text'> } | { error: PackedError }

const sumCall = call<void, ListingSum>('vault-sum')
const linkSettingsCall = call<void, LinkSettings>('vault-link-settings')
const statCall = call<NotePath, FileStamp | undefined>('vault-stat')
const closedCall = call<NotePath, boolean>('vault-closed')
const listCall = call<void, void, FileStamp[]>('vault-list')
/** Answers the first of the notes asked for, as many as make a message of reasonable size. */
const readCall = call<readonly NotePath[], SentNote[]>('vault-read')

const stampsAtOnce = 500
const notesAtOnce = 100
const bytesAtOnce = 1 << 18
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
  calls.answer(readCall, (paths) =>
    vault.reading(async (read) => {
      const pause = yieldToHost(taskMs)
      const sent: SentNote[] = []
      let bytes = 0
      for (const path of paths) {
        const one = await read(path).then(toSend, (error) => ({ error: packError(error) }))
        sent.push(one)
        bytes += 'note' in one ? (one.note?.size ?? 0) : 0
        if (bytes >= bytesAtOnce) break
        await pause()
      }
      return sent
    }, paths),
  )
}

/** A view of a larger buffer would take all of that with it. */
function toSend(file: NoteFile | undefined): SentNote {
  if (file === undefined) return {}
  const { text: _, bytes, ...rest } = file
  return { note: { ...rest, bytes: bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes) } }
}

function received(sent: SentNote): NoteFile | undefined {
  if ('error' in sent) throw unpackError(sent.error)
  return sent.note && { ...sent.note, text: decodeNote(sent.note.bytes).text }
}

/** The vault of the other side. What is named ahead is on its way while the notes before it are looked at. */
export function remoteReading(calls: Calls): VaultReading {
  const read = async (path: NotePath) => received((await calls.ask(readCall, [path]))[0])

  function readInOrder(paths: readonly NotePath[]): VaultReading['read'] {
    let next = 0
    let here: SentNote[] = []
    let coming = fetchFrom(0)

    function fetchFrom(first: number): Promise<SentNote[]> {
      const wanted = paths.slice(first, first + notesAtOnce)
      const fetched = wanted.length === 0 ? Promise.resolve([]) : calls.ask(readCall, wanted)
      // Whoever waits for it hears of a failure.
      fetched.catch(() => undefined)
      return fetched
    }

    return async (path) => {
      if (path !== paths[next]) return read(path)
      if (here.length === 0) {
        here = (await coming).reverse()
        coming = fetchFrom(next + here.length)
      }
      next++
      return received(here.pop()!)
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
