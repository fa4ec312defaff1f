// How long `ping` waits while our MCP server does its heaviest work: `node bench/mcp/ping.mjs [rounds]`. Needs `npm run build`.
// 6,000 notes; a ping every 20 ms during the first index, renames of 150 and 2,000 linked notes, and the start after a kill.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from '../data.mjs'
import { percentile } from '../statistics.mjs'
import { startServer } from './client.mjs'

const rounds = Number(process.argv[2] ?? 3)
const limitMs = 200
const argv = (vault) => [join(repository, 'dist', 'notewright.js'), 'mcp', '--vault', vault, '--approvals', 'auto']

function writeVault(root) {
  const words = Array.from({ length: 4000 }, (_, at) => `w${(at * 7919).toString(36)}`)
  for (let at = 0; at < 6000; at++) {
    const folder = join(root, `Folder ${at % 60}`)
    if (at < 60) mkdirSync(folder, { recursive: true })
    const text = Array.from({ length: 200 }, (_, word) => words[(at * 131 + word * word * 17) % 4000]).join(' ')
    const links = `${at < 150 ? '[[Small hub]] ' : ''}${at < 2000 ? '[[Large hub]]' : ''}`
    writeFileSync(join(folder, `Topic ${at}.md`), `# Topic ${at}\n\n${text}\n\n${links}\n`)
  }
  writeFileSync(join(root, 'Small hub.md'), '# Small hub\n')
  writeFileSync(join(root, 'Large hub.md'), '# Large hub\n')
}

/** Sends pings until `work` is done, and one more second; returns the time each took. */
async function pingDuring(server, work) {
  const times = []
  const pending = []
  let endAt = Number.POSITIVE_INFINITY
  const finished = work.then(() => {
    endAt = performance.now() + 1000
  })
  while (performance.now() < endAt) {
    const from = performance.now()
    pending.push(server.request('ping').then(() => times.push(performance.now() - from)))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await Promise.all([finished, ...pending])
  return times
}

const rename = (server, path, to) => server.call('rename_note', { path, new_path: `/${to}` })
const rows = {}
const record = (name, times) => {
  rows[name] ??= []
  rows[name].push({ pings: times.length, p95: percentile(times, 0.95), max: Math.max(...times) })
}

for (let round = 0; round < rounds; round++) {
  const base = mkdtempSync(join(tmpdir(), 'notewright-bench-ping-'))
  const vault = join(base, 'vault')
  mkdirSync(vault)
  writeVault(vault)
  const env = { ...process.env, NOTEWRIGHT_HOME: join(base, 'home') }
  try {
    let server = await startServer(argv(vault), env)
    record('first index of 6,000 notes', await pingDuring(server, server.call('search_notes', { query: 'w7919' })))
    record('rename, 150 notes linked', await pingDuring(server, rename(server, 'Small hub.md', 'Small hub two.md')))
    record('rename, 2,000 notes linked', await pingDuring(server, rename(server, 'Large hub.md', 'Large hub two.md')))
    for (const [name, from, to] of [
      ['150', 'Small hub two.md', 'Small hub.md'],
      ['2,000', 'Large hub two.md', 'Large hub.md'],
    ]) {
      rename(server, from, to).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, name === '150' ? 150 : 900))
      server.kill()
      server = await startServer(argv(vault), env)
      const work = server.call('search_notes', { query: 'Large hub' })
      record(`start after a kill in a rename of ${name}`, await pingDuring(server, work))
    }
    await server.stop()
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

let isLate = false
for (const [name, runs] of Object.entries(rows)) {
  const worst = runs.map(({ max }) => max)
  isLate ||= worst.slice().sort((a, b) => a - b)[Math.floor(worst.length / 2)] > limitMs
  console.log(
    `${name.padEnd(44)} ${runs.map((run) => `p95 ${run.p95.toFixed(0)}, slowest ${run.max.toFixed(0)} ms of ${run.pings}`).join(' · ')}`,
  )
}
console.log(isLate ? `A median of the slowest pings is above ${limitMs} ms.` : `Within ${limitMs} ms.`)
process.exitCode = isLate ? 1 : 0
