import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { redactor } from '../../../src/core/tools/index.js'
import { callsFolder, fileLog, verifyLog } from '../../../src/hosts/node/call-log/index.js'
import { folderVault } from '../../../src/hosts/node/folder-vault/index.js'
import { seedOf } from '../../seed.js'
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
    [`at random times (seed ${seed})`]: () => sleep(random(60)),
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
      name: 'four processes that log at once leave one whole chain',
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
      name: 'a new file begins with the last hash of the old one',
      run: () =>
        onGround(async (_root, stateDir) => {
          const folder = callsFolder(stateDir)
          const log = fileLog({ folder, redact: redactor(), maxBytes: 20_000 })
          for (let at = 0; at < 20; at++) {
            const intent = { timestamp: new Date().toISOString(), session: 's', tool_name: 't', arguments: {} }
            await log.intend({ ...intent, decision: 'allowed', rule: 'r' }, { durable: true })
          }
          const files = readdirSync(folder)
            .filter((name) => name.endsWith('.jsonl'))
            .sort()
          expect(files.length).toBeGreaterThan(2)
          const rows = files.map((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
          for (let at = 1; at < rows.length; at++) {
            expect(JSON.parse(rows[at][0]).prev).toBe(JSON.parse(rows[at - 1].at(-1)!).hash)
          }
          expect((await verifyLog({ folder })).problems).toEqual([])
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
    const now = wholeRows(stateDir)
    expect(now.startsWith(before)).toBe(true)
    before = now
  }
  expect(before).not.toBe('')
}

/** Every row of every file, in order. */
function wholeRows(stateDir: string): string {
  const folder = callsFolder(stateDir)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []
  const text = names
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')
  return text.slice(0, text.lastIndexOf('\n') + 1)
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
