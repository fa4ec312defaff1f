import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { changeSet, hashBytes, notePath } from '../../../src/core/vault/index.js'
import { folderVault } from '../../../src/hosts/node/folder-vault/folder-vault.js'
import { seedOf } from '../../runner/seed.js'
import { isFull, randomFrom, scratchFolder } from '../floor.js'
import type { Check } from '../security-case.js'
import { changeSetFile, startChild } from '../start-child.js'

const old = Buffer.alloc(7_000_000, 'OLD text of the note\n')
const fresh = Buffer.alloc(8_000_000, 'NEW text of the note\n')
/** `test/torture` does this many more times. */
const kills = isFull ? 1000 : 12

/** Kills a process that replaces a large note, and looks at what the next start makes of it. */
export function killChecks(): Check[] {
  return [
    {
      name: `${kills} kills at the first observed change: old or new bytes, no stray file, the intent in the journal`,
      timeoutMs: 600_000,
      run: async () => {
        const outcomes: Record<string, number> = {}
        for (let at = 0; at < kills; at++) {
          const outcome = await killedWrite(firstChange)
          // Something had been seen to change, and nothing may change before its intent is written.
          expect(outcome.history, `kill ${at}`).not.toBe('none')
          outcomes[outcome.history] = (outcomes[outcome.history] ?? 0) + 1
        }
        process.stdout.write(`D01: kills at the first change ended ${JSON.stringify(outcomes)}\n`)
      },
    },
    {
      name: `${kills} kills at random times: old or new bytes, no stray file`,
      timeoutMs: 600_000,
      run: async () => {
        const seed = seedOf()
        const random = randomFrom(seed)
        process.stdout.write(`D01: seed ${seed}\n`)
        for (let at = 0; at < kills; at++) await killedWrite(() => sleep(random(60)))
      },
    },
    {
      name: 'the journal names the intent by the time that anything is seen to change',
      run: async () => {
        for (let at = 0; at < 3; at++) expect((await killedWrite(firstChange)).log).toContain('"row":"intent"')
      },
    },
  ]
}

async function killedWrite(moment: (vault: string) => Promise<unknown>): Promise<{ history: string; log: string }> {
  const base = scratchFolder()
  const [root, stateDir, file] = ['vault', 'state', 'plan.json'].map((name) => join(base, name))
  try {
    mkdirSync(root)
    writeFileSync(join(root, 'big.md'), old)
    const edit = { kind: 'edit', path: notePath('big.md'), before: hashBytes(old), after: fresh } as const
    writeFileSync(file, changeSetFile(changeSet('Write', [edit])))
    const child = await startChild({ do: 'apply', vault: root, stateDir, file })
    await once(child.stdout, 'data')
    const ended = once(child, 'exit')
    child.stdin.write('go\n')
    await moment(root)
    child.kill('SIGKILL')
    await ended

    const logFile = join(stateDir, 'journal', 'log.jsonl')
    const log = existsSync(logFile) ? readFileSync(logFile, 'utf8') : ''
    const torn = readFileSync(join(root, 'big.md'))
    expect(torn.equals(old) || torn.equals(fresh)).toBe(true)
    const vault = await folderVault({ root, stateDir })
    expect(vault.recovery).not.toBe('failed')
    const repaired = readFileSync(join(root, 'big.md'))
    const [entry] = await vault.history()
    expect(repaired.equals(entry?.state === 'applied' ? fresh : old)).toBe(true)
    expect(readdirSync(root)).toEqual(['big.md'])
    return { history: entry?.state ?? 'none', log }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** Looks without pause, so that the kill comes within a moment of the first name, size or time that differs. */
async function firstChange(vault: string): Promise<void> {
  const look = () => JSON.stringify([readdirSync(vault), statSync(join(vault, 'big.md')).mtimeMs])
  const before = look()
  for (let rounds = 0; look() === before; rounds++) {
    if (rounds % 50 === 0) await sleep(0)
  }
}
