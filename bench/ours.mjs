// Notewright as its users meet it: every measure starts the built command line.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repository } from './data.mjs'

/** A copy, inside the repository so that its packages are found: a build in the middle of a long run changes nothing. */
const copy = join(repository, 'bench', '.cache', `dist-${process.pid}`)
const program = join(copy, 'notewright.js')
const linksProcess = join(repository, 'bench', 'links-process.mjs')
const reportPeak = pathToFileURL(join(repository, 'bench', 'report-peak.mjs')).href

/** Builds the command line; answers why it cannot be measured, or undefined when it can. */
export function prepareOurs({ builds }) {
  if (builds) {
    const { status, stderr } = spawnSync('node', ['scripts/build.mjs', '--quiet'], {
      cwd: repository,
      encoding: 'utf8',
    })
    if (status !== 0) return `the build failed: ${errorLine(stderr)}`
  }
  if (!existsSync(join(repository, 'dist', 'notewright.js'))) return 'dist/notewright.js is not built'
  cpSync(join(repository, 'dist'), copy, { recursive: true })
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  return undefined
}

/** Indexes the vault, vectors and all. Peak memory is the whole process with its workers. */
export function indexVault({ vault, home }) {
  const { wallMs, output, peak } = run(['index', '--vault', vault, '--json'], { home, isMemoryWanted: true })
  return { wallMs, peak, ...JSON.parse(output) }
}

/** One question to a new process. Timed without anything of ours preloaded. */
export function searchOnce({ vault, home, query }) {
  const { wallMs, output } = run(['search', query, '--vault', vault, '--json'], { home })
  return { wallMs, hits: JSON.parse(output).hits }
}

/** A Node process that does nothing: what is left of a start when everything of ours is taken away. */
export function startNothing() {
  const start = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return performance.now() - start
}

/** A file of questions to one warm process: for each its hits and the milliseconds it took. */
export function searchBatch({ vault, home, queries }) {
  const { output, peak } = run(['search', '--batch', queries, '-n', '10', '--vault', vault, '--json', '--timings'], {
    home,
    isMemoryWanted: true,
  })
  return { answers: jsonLines(output), peak }
}

/** Backlinks of many notes in one warm process, in milliseconds each. */
export function timeBacklinks({ vault, home, notes }) {
  const job = JSON.stringify({ vault, home, notes })
  const { status, stdout, stderr } = spawnSync(process.execPath, [linksProcess, job], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(`backlinks: ${errorLine(stderr)}`)
  return JSON.parse(stdout)
}

export function moveNote({ vault, home, from, to }) {
  const { wallMs, output, peak } = run(['move', from, to, '--yes', '--vault', vault, '--json'], {
    home,
    isMemoryWanted: true,
  })
  return { wallMs, peak, changeSet: JSON.parse(output) }
}

function run(args, { home, isMemoryWanted = false }) {
  const scratch = mkdtempSync(join(tmpdir(), 'notewright-peak-'))
  const peakFile = join(scratch, 'peak')
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...(isMemoryWanted ? ['--import', reportPeak] : []), program, ...args],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      env: { ...process.env, NOTEWRIGHT_HOME: home, NOTEWRIGHT_BENCH_PEAK: peakFile, NODE_NO_WARNINGS: '1' },
    },
  )
  const wallMs = performance.now() - start
  const peak = existsSync(peakFile) ? Number(readFileSync(peakFile, 'utf8')) : undefined
  rmSync(scratch, { recursive: true, force: true })
  if (status !== 0) throw new Error(`notewright ${args[0]} ended with ${status}: ${errorLine(stderr)}`)
  return { wallMs, output: stdout, peak }
}

function jsonLines(text) {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

function errorLine(text) {
  const lines = text.trim().split('\n')
  const line = lines.find((line) => /^\s*(?:\w*Error|error|✗|×)\b/.test(line)) ?? lines[0] ?? ''
  return line.trim().replaceAll(repository, '')
}
