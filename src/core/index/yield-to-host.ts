/** Pauses for the host's other work every `yieldEveryMs`, and for as long as `resting` returns a promise. */
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
