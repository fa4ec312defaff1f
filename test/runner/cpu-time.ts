/** Milliseconds of processor time that some work takes. Unlike the clock, it does not depend on how busy the machine is. */
export function cpuTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Runs some work and returns its result with the processor time that this process used. */
export async function withCpuTime<T>(work: () => T | Promise<T>): Promise<{ answer: T; ms: number }> {
  const before = process.cpuUsage()
  const answer = await work()
  const { user, system } = process.cpuUsage(before)
  return { answer, ms: (user + system) / 1000 }
}
