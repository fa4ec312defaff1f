import { mkdirSync, rmSync } from 'node:fs'
import { folderVault } from '../../src/hosts/node/folder-vault/folder-vault.js'
import { compareWithLog, firstChangeOf } from './logged-appends.js'
import { exited, newGround, type Row, randomNumbers, sleep, startChild } from './torture.js'

/**
 * Kills a process that logs a call, has its effect and logs the outcome, again and again. Every effect must have its
 * intent in the log, and the log must be whole after each restart.
 */
export async function logKillLoop(when: 'log' | 'note' | 'random', kills: number, seed: number): Promise<Row> {
  const ground = newGround()
  const { root, stateDir } = ground
  mkdirSync(root)
  const random = randomNumbers(seed)
  const notes = { 'unlogged effects': 0, 'damaged logs': 0, 'without outcome': 0, calls: 0 }
  let losses = 0
  for (let trial = 0; trial < kills; trial++) {
    const child = await startChild(['log', root, stateDir, `kill ${trial}`])
    if (when === 'random') await sleep(random() * 150)
    else await firstChangeOf(when, root, stateDir)
    child.kill('SIGKILL')
    await exited(child)

    const killed = await compareWithLog(root, stateDir)
    await folderVault(ground)
    const restarted = await compareWithLog(root, stateDir)
    const unlogged = Math.max(killed.unlogged.length, restarted.unlogged.length)
    const isBroken = killed.problems.length + restarted.problems.length > 0
    notes['unlogged effects'] += unlogged
    notes['damaged logs'] += Number(isBroken)
    notes['without outcome'] = restarted.unfinished
    notes.calls = restarted.calls.length
    if (unlogged > 0 || isBroken) losses++
  }
  rmSync(ground.base, { recursive: true, force: true })
  return {
    name: `kill -9, ${when === 'random' ? when : `${when} changed`}, logged calls`,
    trials: kills,
    losses,
    notes,
  }
}
