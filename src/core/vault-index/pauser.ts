/** Gives the host's other work a turn after every so many milliseconds. */
export function pauser(breatheEvery = 15): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < breatheEvery) return undefined
    return new Promise((resume) =>
      setTimeout(() => {
        since = performance.now()
        resume()
      }),
    )
  }
}
