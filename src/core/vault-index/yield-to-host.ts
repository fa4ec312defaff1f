/** Gives the host's other work a turn after every so many milliseconds, and waits for as long as `resting` says. */
export function yieldToHost(
  yieldEveryMs = 15,
  resting?: () => Promise<void> | undefined,
): () => Promise<void> | undefined {
  let since = performance.now()
  async function yielded(): Promise<void> {
    await new Promise<void>((resume) => setTimeout(resume))
    await resting?.()
    since = performance.now()
  }
  return () => (performance.now() - since < yieldEveryMs ? undefined : yielded())
}
