/** Gives the host's other work a turn after every so many milliseconds. */
export function yieldToHost(yieldEveryMs = 15): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < yieldEveryMs) return undefined
    return new Promise((resume) =>
      setTimeout(() => {
        since = performance.now()
        resume()
      }),
    )
  }
}
