import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { percentile } from '../statistics.mjs'

const ways = ['rows from SQLite, sorted', 'one resident Float32Array', 'Notewright']

/** Exact search over random vectors: the commissioned server's way, the obvious better one, and ours. */
export function measureCosine({ record, runs, say }) {
  for (const count of [10_000, 50_000]) {
    for (const way of ways) {
      for (let round = 0; round < runs; round++) {
        say(`${count} vectors: ${way}, run ${round + 1} of ${runs}`)
        const column = `${count.toLocaleString('en')} × 384`
        const { status, stdout, stderr } = spawnSync(
          process.execPath,
          [
            '--max-old-space-size=8000',
            fileURLToPath(new URL('cosine-process.mjs', import.meta.url)),
            way,
            String(count),
          ],
          { encoding: 'utf8' },
        )
        if (status !== 0) {
          record.skip(
            'exact vector search',
            way,
            column,
            stderr.split('\n').find((line) => /^\s*\w*Error\b/.test(line)) ?? 'failed',
          )
          break
        }
        const timings = JSON.parse(stdout)
        record.add('cosine p50', way, column, percentile(timings, 0.5))
        record.add('cosine p95', way, column, percentile(timings, 0.95))
      }
    }
  }
}
