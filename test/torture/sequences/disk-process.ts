import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ChangeSet } from '../../../src/core/vault/index.js'
import type { FileAccess } from '../../../src/hosts/node/files/file-access.js'
import { nodeFiles } from '../../../src/hosts/node/files/node-files.js'
import { folderVault } from '../../../src/hosts/node/folder-vault/folder-vault.js'
import { sqliteStore } from '../../../src/hosts/node/sqlite-store/sqlite-store.js'
import type { Claims } from './claims.js'
import { fromLine, toLine } from './disk-world.js'
import { localProcess } from './local-process.js'
import type { PlannedFault } from './plan.js'
import type { Task } from './tasks.js'
import { kindsOfFileAccess } from './troubles.js'
import type { Outcome, Process, Trouble } from './world.js'

interface PlainTrouble {
  faults: PlannedFault[]
  seed: number
}

export type Question =
  | { open: PlainTrouble & { aheadMs: number } }
  | { perform: PlainTrouble & { task: Task } }
  | { claims: true }
  | { skipped: true }
  | { compareIndex: { pick: number } }

export type Answer =
  | { opened: { isOpen: boolean; faultsMet: number } }
  | { planned: ChangeSet }
  | { outcome: Outcome }
  | { claims: Claims }
  | { skipped: string[] }
  | { differences: string[] }

/** The other side of a sequence on a real disk: opens the vault, does what it is asked, and is killed when a fault says so. */
export async function runDiskProcess(root: string, stateDir: string): Promise<void> {
  const now = Date.now
  let aheadMs = 0
  Date.now = () => now() + aheadMs
  const trouble = ({ faults, seed }: PlainTrouble): Trouble => ({
    faults,
    seed,
    onPerson: () => undefined,
    onClock() {
      aheadMs += [3650, -40, -3650][seed % 3] * 86_400_000
    },
  })
  const open = async (opening: PlainTrouble): Promise<Process | undefined> => {
    const store = await sqliteStore({ file: join(stateDir, 'index.db') })
    const kill = () => void process.kill(process.pid, 'SIGKILL')
    const open = (files: FileAccess) => folderVault({ root, stateDir, files })
    const started = await localProcess(
      { calls: nodeFiles, kinds: kindsOfFileAccess, open, store, kill },
      trouble(opening),
    )
    answer({ opened: { isOpen: started.process !== undefined, faultsMet: started.faultsMet } })
    return started.process
  }

  let opened: Process | undefined
  for await (const line of createInterface({ input: process.stdin })) {
    const question: Question = fromLine(line)
    if ('open' in question) {
      aheadMs = question.open.aheadMs
      opened = await open(question.open)
    } else if (opened === undefined) return
    else if ('perform' in question) {
      const { task } = question.perform
      answer({ outcome: await opened.perform(task, trouble(question.perform), (planned) => answer({ planned })) })
    } else if ('claims' in question) answer({ claims: await opened.claims() })
    else if ('skipped' in question) answer({ skipped: await opened.skipped() })
    else answer({ differences: await opened.compareIndex(question.compareIndex.pick) })
  }
}

// At once, so that it is said before a kill.
function answer(what: Answer): void {
  writeSync(1, `${toLine(what)}\n`)
}
