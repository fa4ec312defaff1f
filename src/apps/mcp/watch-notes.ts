import type { NotePath } from '../../core/vault/index.js'
import { isNote } from '../../core/vault/index.js'
import type { ClientSession } from './clients.js'
import { noteUri, visibleNotes } from './resources.js'
import type { ServedVaults } from './setup.js'

/** Sends notifications about notes to clients. */
interface NoteNotifications {
  updated(uri: string): unknown
  listChanged(): unknown
  /** URIs to report when everything may have changed. */
  subscribed(): Iterable<string>
}

/** Delay so that the first search does not wait for it. A subscription starts watching at once. */
const startDelayMs = 1000

export type FollowedNotes = ReturnType<typeof followNotes>

/** Watches the vaults that clients have opened, and notifies clients of changed notes. */
export function followNotes(vaults: ServedVaults, notifications: NoteNotifications) {
  const stops: (() => void)[] = []
  // By vault: starts watching, once.
  const starts = new Map<string, () => Promise<void>>()
  let isStopped = false
  /** A notification that cannot be sent is dropped: the client has disconnected. */
  const notify = (send: () => unknown) => {
    if (!isStopped)
      void Promise.resolve()
        .then(send)
        .catch(() => undefined)
  }

  function start(vault: string, session: ClientSession): void {
    const stop = watchNotes(session, {
      updated: (path) => notify(() => notifications.updated(noteUri({ vault, path }, vaults))),
      listChanged: () => notify(() => notifications.listChanged()),
      allChanged: () => {
        for (const uri of notifications.subscribed()) notify(() => notifications.updated(uri))
      },
    })
    stops.push(stop)
  }

  return {
    follow(vault: string, session: ClientSession): void {
      let isStarted = false
      const begin = async () => {
        if (!isStopped && !isStarted) start(vault, session)
        isStarted = true
      }
      starts.set(vault, begin)
      // A failed start is tried again by the next subscription.
      const timer = setTimeout(() => void begin().catch(() => undefined), startDelayMs)
      timer.unref?.()
    },
    /** Starts watching a vault that a client has opened, without the delay. */
    startNow: async (vault: string): Promise<void> => starts.get(vault)?.(),
    stop(): void {
      isStopped = true
      for (const stop of stops) stop()
    },
  }
}

/** Receives changes of the notes that the client may know of. */
interface NoteListener {
  updated(path: string): void
  /** Notes were added or removed. */
  listChanged(): void
  /** Too many notes changed to report them one by one. */
  allChanged(): void
}

/** Changes are gathered until none has come for this long. */
const quietMs = 300
const maxPaths = 100

/** Watches a vault. Returns a stop function. */
function watchNotes(session: ClientSession, listener: NoteListener): () => void {
  // undefined until the index has listed the notes: any note may be new then.
  let known: Set<string> | undefined
  const listKnown = async () => {
    known = new Set((await visibleNotes(session)).map(({ path }) => path))
  }
  // If the index is still being built, the next change lists them again.
  listKnown().catch(() => undefined)
  const changed = new Set<NotePath | undefined>()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function reportChanges(): Promise<void> {
    const paths = [...changed]
    changed.clear()
    if (paths.includes(undefined) || paths.length > maxPaths) return reportAll()
    const { context, guard } = await session.session.toolSetup()
    const { vault } = guard.filterVisible(context)
    let isListChanged = false
    for (const path of paths as NotePath[]) {
      if (!isNote(path)) continue
      // Privacy is known only after reading a note. Unreadable counts as absent.
      const isThere = (await vault.read(path).catch(() => undefined)) !== undefined
      if (isThere && known?.has(path) !== false) listener.updated(path)
      if (isThere !== known?.has(path)) isListChanged = true
      isThere ? known?.add(path) : known?.delete(path)
    }
    if (isListChanged) listener.listChanged()
    if (known === undefined) await listKnown()
  }

  async function reportAll(): Promise<void> {
    await session.vault.notebook.update({ wait: 'text' })
    const now = (await visibleNotes(session)).map(({ path }) => path)
    const before = known
    const isListChanged = before === undefined || now.length !== before.size || now.some((path) => !before.has(path))
    known = new Set(now)
    listener.allChanged()
    if (isListChanged) listener.listChanged()
  }

  const stop = session.vault.notebook.vault.watch((path) => {
    changed.add(path)
    clearTimeout(timer)
    // A failure is not reported: the next change is checked again.
    timer = setTimeout(() => void reportChanges().catch(() => undefined), quietMs)
    timer.unref?.()
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}
