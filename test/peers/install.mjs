// Installs the peers the first time they are needed, and again when their package-lock.json has changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

install('.', 'the peers (once, 1.2 GB)')
install('obsidian-lint', "the review rules of Obsidian's plugins (once, 100 MB)")

function install(name, what) {
  const folder = fileURLToPath(new URL(name, import.meta.url))
  const stamp = join(folder, 'node_modules', '.installed')
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (textOf(stamp) === wanted) return
  console.error(`Installing ${what}…`)
  // `npm ci` wants every system's variant of a package in the lock file, and not every registry has them all.
  const { status, stderr } = spawnSync('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    const why = stderr.split('\n').find((line) => /^npm (error|ERR!)/.test(line)) ?? 'npm install failed'
    console.error(`${what} cannot be installed: ${why}`)
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
