/** For long loops over synchronous calls: lets other work of the process in every few milliseconds. Answers if it did. */
export function breather(everyMs = 15): () => Promise<boolean> | false {
  let last = performance.now()
  return () => {
    if (performance.now() - last < everyMs) return false
    return new Promise((resolve) => {
      setImmediate(() => {
        last = performance.now()
        resolve(true)
      })
    })
  }
}
