import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Installs the peers the first time they are needed. Answers why they are not there, or undefined when they are. */
export function installPeers() {
  if (existsSync(join(folder, 'node_modules', 'minisearch'))) return undefined
  console.error('Installing the peers (once)…')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  return status === 0 ? undefined : 'npm ci in bench/peers failed'
}
