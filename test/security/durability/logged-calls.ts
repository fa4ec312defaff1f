import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { folderVault } from '../../../src/hosts/node/folder-vault/folder-vault.js'
import { vaultState } from '../../../src/hosts/node/state-database.js'
import { seedOf } from '../../runner/seed.js'
import { compareWithLog, firstChangeOf } from '../../torture/logged-appends.js'
import { isFull, randomFrom, scratchFolder } from '../floor.js'
import type { Check } from '../security-case.js'
import { askChild, startChild } from '../start-child.js'

/** For each moment; `test/torture` does this many more times. */
const kills = isFull ? 200 : 7

/** Kills a process that logs a call, has its effect and logs the outcome. */
export function loggedCallChecks(): Check[] {
  const seed = seedOf()
  const random = randomFrom(seed)
  const moments = {
    'at the first change of the log, before the effect': (root: string, state: string) =>
      firstChangeOf('log', root, state),
    'at the first change of the note, before the outcome': (root: string, state: string) =>
      firstChangeOf('note', root, state),
    [`at random times (seed ${seed})`]: async (root: string, state: string) => {
      // On a busy machine a process logs nothing for some time after its start.
      await firstChangeOf('log', root, state)
      await sleep(random(60))
    },
  }
  return [
    ...Object.entries(moments).map(
      ([name, moment]): Check => ({
        name: `${kills} kills ${name}: every effect has its intent, the log only grows and is whole`,
        timeoutMs: 600_000,
        run: () => onGround((root, stateDir) => killAgainAndAgain(root, stateDir, moment)),
      }),
    ),
    {
      name: 'four processes that log at once leave one whole log',
      timeoutMs: 120_000,
      run: () =>
        onGround(async (vault, stateDir) => {
          const names = ['a', 'b', 'c', 'd']
          await Promise.all(names.map((name) => askChild({ do: 'log-calls', vault, stateDir, name, times: 15 })))
          const { calls, lines, unlogged, unfinished, problems } = await compareWithLog(vault, stateDir)
          expect({ calls: calls.length, lines, unlogged, unfinished, problems }).toEqual({
            calls: 60,
            lines: 60,
            unlogged: [],
            unfinished: 0,
            problems: [],
          })
        }),
    },
    {
      name: 'four processes that open the log of an earlier version at once import it once',
      timeoutMs: 120_000,
      run: () =>
        onGround(async (vault, stateDir) => {
          cpSync(new URL('../../state/edd0780/vaults/garden', import.meta.url), stateDir, { recursive: true })
          const names = ['a', 'b', 'c', 'd']
          await Promise.all(names.map((name) => askChild({ do: 'log-calls', vault, stateDir, name, times: 5 })))
          const { calls, lines, unlogged, problems } = await compareWithLog(vault, stateDir)
          expect({ calls: calls.length, lines, unlogged, problems }).toEqual({
            calls: 20 + 5,
            lines: 20,
            unlogged: [],
            problems: [],
          })
        }),
    },
  ]
}

async function killAgainAndAgain(
  vault: string,
  stateDir: string,
  moment: (root: string, stateDir: string) => Promise<void>,
): Promise<void> {
  let before = ''
  for (let at = 0; at < kills; at++) {
    const child = await startChild({ do: 'log-calls', vault, stateDir, name: `kill ${at}`, times: 1e9 })
    await once(child.stdout, 'data')
    await moment(vault, stateDir)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    const killed = await compareWithLog(vault, stateDir)
    expect(killed).toMatchObject({ unlogged: [], problems: [] })
    await folderVault({ root: vault, stateDir })
    const restarted = await compareWithLog(vault, stateDir)
    expect(restarted).toMatchObject({ unlogged: [], problems: [] })
    const now = loggedIntents(stateDir)
    expect(now.startsWith(before)).toBe(true)
    before = now
  }
  expect(before).not.toBe('')
}

/** The intents of all rows, in order; they never change. */
function loggedIntents(stateDir: string): string {
  const state = vaultState(stateDir)
  const rows = state.look((driver) => driver.all('SELECT n, time, row FROM call_log ORDER BY n')) ?? []
  state.close()
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

async function onGround(use: (vault: string, stateDir: string) => Promise<void>): Promise<void> {
  const base = scratchFolder()
  const [vault, stateDir] = [join(base, 'vault'), join(base, 'state')]
  mkdirSync(vault)
  try {
    await use(vault, stateDir)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}
