import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { repository } from './data.mjs'

const peerProcess = fileURLToPath(new URL('peer-process.mjs', import.meta.url))

/** Runs one job of one peer in its own process. */
export function runPeer(job) {
  const start = performance.now()
  const { status, stdout, stderr, signal } = spawnSync(
    process.execPath,
    ['--max-old-space-size=12000', peerProcess, JSON.stringify(job)],
    { encoding: 'utf8', maxBuffer: 1 << 30, timeout: 900_000 },
  )
  const wallMs = performance.now() - start
  if (status === 0) return { wallMs, ...JSON.parse(stdout) }
  const reason = stderr.split('\n').find((line) => /^\s*\w*Error\b/.test(line)) ?? signal ?? `exit code ${status}`
  return { failure: `failed: ${reason.trim().replaceAll(repository, '').slice(0, 160)}` }
}
