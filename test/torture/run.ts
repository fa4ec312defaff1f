import { appendRace } from './append-race.js'
import { runChild } from './child.js'
import { killLoop } from './kill-loop.js'
import { linkSwapRace } from './link-swap-race.js'
import { logKillLoop } from './log-kill-loop.js'
import { soakThread, sqliteSoak } from './sqlite-soak.js'
import { manyFiles, oneLargeFile } from './subjects.js'
import { pickSeed, type Row } from './torture.js'

/** `node scripts/torture.mjs [--kills 200] [--seconds 5] [--rounds 5] [--opens 3000] [--seed n]`: real processes, really killed. */
async function main(): Promise<void> {
  const kills = option('--kills', 200)
  const seconds = option('--seconds', 5)
  const seed = option('--seed', pickSeed())
  console.log(`seed ${seed}`)
  const rows: Row[] = []
  for (const subject of [oneLargeFile, manyFiles]) {
    for (const when of ['first-change', 'random'] as const) {
      rows.push(await killLoop(subject, when, kills, seed))
      show(rows.at(-1)!)
    }
  }
  for (const when of ['log', 'note', 'random'] as const) {
    rows.push(await logKillLoop(when, kills, seed))
    show(rows.at(-1)!)
  }
  rows.push(await appendRace(option('--rounds', 5)))
  show(rows.at(-1)!)
  rows.push(await linkSwapRace(seconds))
  show(rows.at(-1)!)
  rows.push(await sqliteSoak(option('--opens', 3000)))
  show(rows.at(-1)!)
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

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name)
  return at === -1 ? otherwise : Number(process.argv[at + 1])
}

if (process.argv[2] === 'child') await runChild(process.argv.slice(3))
else if (process.argv[2] === 'soak-thread') await soakThread(process.argv[3], Number(process.argv[4]))
else await main()
