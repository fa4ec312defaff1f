// Installs the peers the first time they are needed, and again when package-lock.json has changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const stamp = join(folder, 'node_modules', '.installed')
const wanted = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex')

if (installed() !== wanted) {
  console.error('Installing the peers (once, 1.2 GB)…')
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    const why = stderr.split('\n').find((line) => /^npm (error|ERR!)/.test(line)) ?? 'npm ci failed'
    console.error(`The peers cannot be installed: ${why}`)
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}

function installed() {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return undefined
  }
}
