/**
 * For long loops over synchronous calls: lets other work of the process in every few milliseconds. Answers if it did.
 * By the clock on the wall, as the other one takes Node a millisecond to load.
 */
export function yieldToEventLoop(everyMs = 15): () => Promise<boolean> | false {
  let last = Date.now()
  return () => {
    if (Date.now() - last < everyMs) return false
    return new Promise((resolve) => {
      setImmediate(() => {
        last = Date.now()
        resolve(true)
      })
    })
  }
}
