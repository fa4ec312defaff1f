// Compares this checkout with another one: cold index, start, query and overhead of an agent's step, each in turn in
// one run, so that a busy machine slows both. Index and start are also measured in processor time.
// Usage: node bench/against.mjs ../before [--vault 10k] [--rounds 5]
// Both checkouts must have their packages installed; both are built.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { repository } from './data.mjs'
import { median, percentile } from './statistics.mjs'
import { generatedVault } from './vaults/generate.mjs'
import { writeQueries } from './vaults/queries.mjs'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { vault: { type: 'string', default: '10k' }, rounds: { type: 'string', default: '5' } },
})
if (positionals[0] === undefined) throw new Error('Name the other checkout: node bench/against.mjs ../before')
const roots = { before: resolve(positionals[0]), now: repository }
const scratch = mkdtempSync(join(tmpdir(), 'notewright-against-'))
const figures = new Map()

try {
  for (const root of Object.values(roots)) execFileSync('node', ['scripts/build.mjs', '--quiet'], { cwd: root })
  const { folder } = generatedVault(options.vault)
  const queries = writeQueries(folder, scratch)
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const which of round % 2 === 0 ? ['before', 'now'] : ['now', 'before']) measure(which, folder, queries, round)
  }
  report()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function measure(which, vault, queries, round) {
  const home = join(scratch, `home-${which}-${round}`)
  const index = run(which, home, ['index', '--vault', vault, '--json'])
  add('cold index, ms', which, index.wallMs)
  add('cold index, ms of processor', which, index.processorMs)
  const start = () => run(which, home, ['search', 'harvest', '--vault', vault, '--json'])
  // The first start after a build reads the program from the disk.
  start()
  for (let again = 0; again < 3; again++) {
    const { wallMs, processorMs } = start()
    add('start with one search, ms', which, wallMs)
    add('start with one search, ms of processor', which, processorMs)
  }
  for (const kind of ['short', 'long']) {
    const batch = ['search', '--batch', queries[kind], '-n', '10', '--vault', vault, '--json', '--timings']
    const times = run(which, home, batch)
      .output.split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter(({ id }) => !id.startsWith('warm-'))
      .map(({ ms }) => ms)
    add(`query p95 (${kind}), ms`, which, percentile(times, 0.95))
  }
  const step = execFileSync('node', ['bench/agent/step-overhead.mjs'], { cwd: roots[which], encoding: 'utf8' })
  add('agent step p50, ms', which, Number(/p50 ([\d.]+) ms/.exec(step)[1]))
  rmSync(home, { recursive: true, force: true })
}

/** Runs the built command of a checkout. */
function run(which, home, args) {
  const script = 'TIMEFORMAT="%U %S"; time "$@"'
  const program = join(roots[which], 'dist', 'notewright.js')
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, program, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { ...process.env, NOTEWRIGHT_HOME: home, NODE_NO_WARNINGS: '1', LC_ALL: 'C' },
  })
  const wallMs = performance.now() - start
  if (status !== 0) throw new Error(`${which}: notewright ${args[0]} failed: ${stderr}`)
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return { wallMs, processorMs: (user + system) * 1000, output: stdout }
}

function add(measured, which, value) {
  if (!figures.has(measured)) figures.set(measured, { before: [], now: [] })
  figures.get(measured)[which].push(value)
}

function report() {
  console.log(
    `vault of ${options.vault} generated notes, ${options.rounds} rounds in turn; medians with the smallest and largest value`,
  )
  for (const [measured, { before, now }] of figures) {
    const shown = (values) =>
      `${median(values).toFixed(1)} (${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)})`
    const ratio = (median(now) / median(before)).toFixed(2)
    console.log(`${measured.padEnd(40)} before ${shown(before).padEnd(28)} now ${shown(now).padEnd(28)} ${ratio}x`)
  }
}
