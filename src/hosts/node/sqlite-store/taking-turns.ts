import { lstatSync, mkdirSync, rmSync } from 'node:fs'

const longestTurnMs = 10_000

/** One process at a time: a log removed from under a database that is being made would spoil it. */
export function takingTurns<T>(file: string, work: () => T): T {
  const turn = `${file}-replacing`
  while (!isMyTurn(turn)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  try {
    return work()
  } finally {
    rmSync(turn, { recursive: true, force: true })
  }
}

function isMyTurn(turn: string): boolean {
  try {
    mkdirSync(turn)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const since = lstatSync(turn, { throwIfNoEntry: false })?.mtimeMs
    // Left behind by a process that was killed.
    if (since !== undefined && Math.abs(Date.now() - since) > longestTurnMs)
      rmSync(turn, { recursive: true, force: true })
    return false
  }
}
