import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { type HostName, hosts } from './hosts.js'
import { type Tried, trySequences } from './try-sequences.js'

const run = promisify(execFile)

/** Number of seeds per process: a process needs a while to become fast. */
const atATime = 1000

/** The same as trying them one after the other, in as many processes as this machine has cores. */
export async function sequencesInProcesses(firstSeed: number, count: number, host: HostName): Promise<Tried> {
  const all: Tried = { sequences: 0, faultsMet: 0, failing: [] }
  let next = 0
  async function work(): Promise<void> {
    while (next < count) {
      const from = next
      next += atATime
      const args = ['child', 'sequences', host, String(firstSeed + from), String(Math.min(atATime, count - from))]
      const { stdout } = await run(process.execPath, [process.argv[1], ...args], { maxBuffer: 1 << 28 })
      const { sequences, faultsMet, failing } = JSON.parse(stdout) as Tried
      all.sequences += sequences
      all.faultsMet += faultsMet
      all.failing.push(...failing)
      const seeds = all.failing.map(({ seed }) => ` ${seed}`)
      console.error(
        `${host}: ${all.sequences} of ${count} sequences, ${seeds.length} that fail${seeds.length > 0 ? `:${seeds}` : ''}`,
      )
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return all
}

/** One of those processes. */
export async function runSequences(host: HostName, firstSeed: number, count: number): Promise<void> {
  process.stdout.write(JSON.stringify(await trySequences(firstSeed, count, hosts[host])))
}
