import { bringUpToDate } from './bring-up-to-date.js'
import type { Notebook, UpdateBehind } from './notebook.js'
import type { OpenParts } from './open-parts.js'
import { withRepair } from './repair.js'

/** Brings the index up to date while its caller goes on. */
export function updateBehind(parts: OpenParts, options: Parameters<Notebook['updateBehind']>[0] = {}): UpdateBehind {
  let begun: Promise<unknown> = Promise.resolve()
  const text = new Promise<void>((resolve, reject) => {
    const onText = () => {
      // What was unseen has been read, though vectors are still being made.
      parts.unseen = undefined
      resolve()
    }
    const update = () => bringUpToDate(parts, { ...options, onText, signal: parts.closing.signal })
    begun = parts.background.then(() => withRepair(parts, update)).then(() => resolve(), reject)
  })
  // Whoever waits for the text hears of a failure.
  text.catch(() => undefined)
  parts.background = begun
  return { text, done: begun.then(() => undefined) }
}
