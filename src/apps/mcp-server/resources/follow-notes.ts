import type { ClientSession } from '../clients/client.js'
import type { ServedVaults } from '../setup.js'
import { noteUri } from './note-uri.js'
import { watchNotes } from './watch-notes.js'

/** Where news of notes goes. What cannot be told is not told: the client has gone. */
export interface NotesTold {
  updated(uri: string): unknown
  listChanged(): unknown
  /** The addresses to tell of when everything may have changed. */
  subscribed(): Iterable<string>
}

/** After the first requests: nobody listens yet, and the first search should not wait for it. */
const startMs = 1000

/** Follows the vaults that a client has opened. */
export function followNotes(vaults: ServedVaults, told: NotesTold) {
  const stops: (() => void)[] = []
  let isStopped = false
  const tell = (work: () => unknown) => {
    if (!isStopped)
      void Promise.resolve()
        .then(work)
        .catch(() => undefined)
  }

  async function start(vault: string, session: ClientSession): Promise<void> {
    const stop = await watchNotes(session, {
      updated: (path) => tell(() => told.updated(noteUri({ vault, path }, vaults))),
      listChanged: () => tell(() => told.listChanged()),
      everything: () => {
        for (const uri of told.subscribed()) tell(() => told.updated(uri))
      },
    })
    if (isStopped) stop()
    else stops.push(stop)
  }

  return {
    follow(vault: string, session: ClientSession): void {
      const timer = setTimeout(() => {
        if (!isStopped) start(vault, session).catch(() => undefined)
      }, startMs)
      timer.unref?.()
    },
    stop(): void {
      isStopped = true
      for (const stop of stops) stop()
    },
  }
}
