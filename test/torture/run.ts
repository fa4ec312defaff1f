import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { appendRace } from './append-race.js'
import { runChild } from './child.js'
import { killLoop } from './kill-loop.js'
import { linkSwapRace } from './link-swap-race.js'
import { logKillLoop } from './log-kill-loop.js'
import { filesIn, refactorVault } from './refactors/refactors.js'
import { diskWorld } from './sequences/disk-world.js'
import type { HostName } from './sequences/hosts.js'
import { hosts } from './sequences/hosts.js'
import { sequencesInProcesses } from './sequences/in-processes.js'
import type { Tried } from './sequences/try-sequences.js'
import { asRow, replaySeed, storyOf, trySequences } from './sequences/try-sequences.js'
import { mcpServer, pageServer, serverKills } from './server-kills.js'
import { soakThread, sqliteSoak } from './sqlite-soak.js'
import { manyFiles, oneLargeFile } from './subjects.js'
import type { Row } from './torture.js'
import { pickSeed } from './torture.js'

/** This file is started again as other processes, with a word of its own first and then what they need. */
const startedAs = ['child', 'soak-thread'].find((name) => name === process.argv[2])

const numbers = {
  seed: { type: 'string' },
  'first-seed': { type: 'string' },
  sequences: { type: 'string' },
  'other-hosts': { type: 'string' },
  'on-disk': { type: 'string' },
  kills: { type: 'string' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  opens: { type: 'string' },
  refactors: { type: 'string' },
} as const

const { values: words } = parseArgs({
  args: startedAs === undefined ? process.argv.slice(2) : [],
  options: {
    ...numbers,
    vault: { type: 'string', multiple: true },
    only: { type: 'string' },
    host: { type: 'string' },
    help: { type: 'boolean' },
  },
})

/** Everything that `npm run torture` tries, by the name that `--only` knows. */
const trials: Record<string, (seed: number) => AsyncGenerator<Row>> = {
  /** `[--sequences 20000] [--other-hosts 3000] [--on-disk 60]`: generated sequences of faults, on every host. */
  async *sequences(seed) {
    const inMemory = await sequencesInProcesses(seed, option('sequences', 20_000), 'node')
    yield tell('sequences of faults, in memory', inMemory)
    const others = option('other-hosts', 3000)
    yield tell('sequences of faults, memory vault', await sequencesInProcesses(seed, others, 'memory'))
    yield tell('sequences of faults, Obsidian', await sequencesInProcesses(seed, others, 'obsidian'))
    const onDisk = await trySequences(seed, option('on-disk', 60), diskWorld)
    yield tell('sequences of faults, on disk with kill -9', onDisk)
  },
  /** `[--kills 200]`: processes killed while they change notes, or log what they do. */
  async *kills(seed) {
    const kills = option('kills', 200)
    for (const subject of [oneLargeFile, manyFiles]) {
      for (const when of ['first-change', 'random'] as const) yield await killLoop(subject, when, kills, seed)
    }
    for (const when of ['log', 'note', 'random'] as const) yield await logKillLoop(when, kills, seed)
  },
  /** `[--kills 200]`: the MCP server of the built program, killed while it renames, appends, deletes and undoes. */
  async *'mcp-kills'(seed) {
    yield await serverKills('MCP server', mcpServer, option('kills', 200), seed)
  },
  /** `[--kills 200]`: the same through the page. */
  async *'page-kills'(seed) {
    yield await serverKills('page', pageServer, option('kills', 200), seed)
  },
  /** `[--rounds 5] [--seconds 5]`: processes that write, or swap a folder for a link, at the same time. */
  async *races() {
    yield await appendRace(option('rounds', 5))
    yield await linkSwapRace(option('seconds', 5))
  },
  /**
   * `[--refactors 150] [--vault FOLDER …]`: random merges, splits and renames on copies of vaults in memory. By default
   * on the sample vault.
   */
  async *refactors(seed) {
    for (const folder of words.vault ?? ['examples/vault']) {
      const count = option('refactors', 150)
      yield await refactorVault(`refactors in ${basename(folder)}`, filesIn(folder), {
        seed,
        count,
        story: console.log,
      })
    }
  },
  /** `[--opens 3000]` */
  async *soak() {
    yield await sqliteSoak(option('opens', 3000))
  },
}

/** Tells the first that fail, step by step. */
function tell(name: string, tried: Tried): Row {
  for (const failing of tried.failing.slice(0, 5)) console.log(storyOf(failing).join('\n'))
  return asRow(name, tried)
}

const help = `npm run torture                          all of it: faults in every order, kills, races, SQLite
npm run torture -- --only NAME           one part: ${Object.keys(trials).join(', ')}
npm run torture -- --first-seed N        the same again, from that seed on
npm run torture -- --seed N              one generated sequence of faults, told step by step
npm run torture -- --seed N --host NAME  the same on another host: ${Object.keys(hosts).join(', ')}
How much of each: --sequences 20000 --other-hosts 3000 --on-disk 60 --kills 200 --rounds 5 --seconds 5 --opens 3000 --refactors 150
Other vaults for refactors: --vault FOLDER --vault FOLDER`

async function main(): Promise<void> {
  if (words.help) {
    console.log(help)
    return
  }
  const { only, host = 'node' } = words
  if (!Object.hasOwn(hosts, host))
    throw new Error(`There is no host "${host}". There are ${Object.keys(hosts).join(', ')}.`)
  if (only !== undefined && !Object.hasOwn(trials, only)) {
    throw new Error(`There is no part "${only}". There are ${Object.keys(trials).join(', ')}.`)
  }
  const replayed = option('seed', Number.NaN)
  const seed = option('first-seed', pickSeed())
  const rows: Row[] = []
  if (!Number.isNaN(replayed)) rows.push(await replaySeed(replayed, hosts[host as HostName], console.log))
  else console.log(`first seed ${seed}`)
  for (const [name, trial] of Number.isNaN(replayed) ? Object.entries(trials) : []) {
    if (only !== undefined && only !== name) continue
    for await (const row of trial(seed)) {
      rows.push(row)
      show(row)
    }
  }
  const losses = rows.reduce((sum, row) => sum + row.losses, 0)
  console.log(losses === 0 ? '\nnothing lost' : `\n${losses} LOSSES`)
  process.exitCode = losses === 0 ? 0 : 1
}

function show({ name, trials, losses, notes }: Row): void {
  const facts = Object.entries(notes).map(([key, value]) => `${key} ${value}`)
  console.log(
    `${name.padEnd(44)} ${String(trials).padStart(6)} trials ${String(losses).padStart(3)} losses   ${facts.join(', ')}`,
  )
}

function option(name: keyof typeof numbers, otherwise: number): number {
  const given = words[name]
  if (given === undefined) return otherwise
  const number = Number(given)
  if (given === '' || !Number.isInteger(number)) throw new Error(`--${name} takes a whole number, not "${given}".`)
  return number
}

if (startedAs === 'child') await runChild(process.argv.slice(3))
else if (startedAs === 'soak-thread') await soakThread(process.argv[3], Number(process.argv[4]))
else await main()
