// Preloaded into a measured process: when it ends, leaves its peak memory in the file named by the environment.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env.NOTEWRIGHT_BENCH_PEAK
if (isMainThread && file !== undefined) {
  process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS * 1024)))
}
