import { bringUpToDate } from './bring-up-to-date.js'
import { embedBehind } from './embed.js'
import type { OpenParts } from './open-parts.js'

/** Programs write in bursts; the index waits for the end of one. */
const quietMs = 300

/** Keeps the index up to date while the vault changes. Returns a stop function. */
export function followVault(parts: OpenParts): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopping = new AbortController()
  const catchUp = () => {
    // What fails here fails again, aloud, when someone asks: `unseen` is still unknown then.
    const update = () => bringUpToDate(parts, { signal: stopping.signal })
    parts.background = parts.background.then(update).then(
      () => embedBehind(parts),
      () => undefined,
    )
  }
  parts.background.then(() => embedBehind(parts)).catch(() => undefined)
  const stopWatching = parts.vault.watch(() => {
    parts.unseen = undefined
    clearTimeout(timer)
    timer = setTimeout(catchUp, quietMs)
  })
  return () => {
    clearTimeout(timer)
    stopWatching()
    stopping.abort()
  }
}
