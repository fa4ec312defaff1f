import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exited, newGround, type Row, startChild } from './torture.js'

/** Two processes with 25 parallel appends each to one note: all 50 must be there, each once, or have been refused. */
export async function appendRace(rounds: number): Promise<Row> {
  let losses = 0
  let refused = 0
  let slowest = 0
  for (let round = 0; round < rounds; round++) {
    const { base, root, stateDir } = newGround()
    mkdirSync(root)
    writeFileSync(join(root, 'log.md'), '')
    const children = await Promise.all(['one', 'two'].map((name) => startChild(['append', root, stateDir, name])))
    const started = performance.now()
    writeFileSync(join(base, 'start'), '')
    const codes = await Promise.all(children.map(exited))
    slowest = Math.max(slowest, performance.now() - started)
    const refusedNow = codes.reduce<number>((sum, code) => sum + (code ?? 25), 0)
    const lines = readFileSync(join(root, 'log.md'), 'utf8').trim().split('\n')
    if (lines.length !== 50 - refusedNow || new Set(lines).size !== lines.length) losses++
    refused += refusedNow
    rmSync(base, { recursive: true })
  }
  const notes = { kept: rounds * 50 - refused, refused, 'slowest round ms': Math.round(slowest) }
  return { name: '2 processes x 25 parallel appends', trials: rounds, losses, notes }
}
