import { isNote, type NotePath } from '../../../core/vault/index.js'
import type { ClientSession } from '../clients/client.js'
import { visibleNotes } from './list-notes.js'

/** Told of notes as they change, as far as the client may know of them. */
export interface NoteNews {
  updated(path: string): void
  /** Notes came or went. */
  listChanged(): void
  /** So much changed that it is not told one by one. */
  everything(): void
}

/** Programs write in bursts. */
const quietMs = 300
const manyPaths = 100

/** Follows a vault. Returns a stop function. */
export async function watchNotes(session: ClientSession, news: NoteNews): Promise<() => void> {
  const known = new Set<string>((await visibleNotes(session)).map(({ path }) => path))
  const waiting = new Set<NotePath | undefined>()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function look(): Promise<void> {
    const paths = [...waiting]
    waiting.clear()
    if (paths.includes(undefined) || paths.length > manyPaths) return lookAtEverything()
    const { context, guard } = await session.session.toolSetup()
    const { vault } = guard.screen(context)
    let isNews = false
    for (const path of paths as NotePath[]) {
      if (!isNote(path)) continue
      // Only reading tells that a note is private.
      const isThere = (await vault.read(path).catch(() => undefined)) !== undefined
      if (isThere !== known.has(path)) isNews = true
      else if (isThere) news.updated(path)
      isThere ? known.add(path) : known.delete(path)
    }
    if (isNews) news.listChanged()
  }

  async function lookAtEverything(): Promise<void> {
    await session.vault.notebook.refresh()
    const now = (await visibleNotes(session)).map(({ path }) => path)
    const isNews = now.length !== known.size || now.some((path) => !known.has(path))
    known.clear()
    for (const path of now) known.add(path)
    news.everything()
    if (isNews) news.listChanged()
  }

  const stop = session.vault.notebook.vault.watch((path) => {
    waiting.add(path)
    clearTimeout(timer)
    // What fails here is looked at again with the next change.
    timer = setTimeout(() => void look().catch(() => undefined), quietMs)
    timer.unref?.()
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}
