import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { openDriver } from '../../src/hosts/node/sqlite.js'
import { sqliteStore } from '../../src/hosts/node/sqlite-store/sqlite-store.js'
import { rows } from '../contracts/index-store/rows.js'
import type { Row } from './torture.js'

/**
 * Opens and closes databases, in this thread and in others, and leaves statements and whole connections to the garbage
 * collector: the way in which a SQLite binding takes the process with it, if it does. Another process, so that we are
 * still here to tell.
 */
export async function sqliteSoak(opens: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'notewright-soak-'))
  const child = spawn(process.execPath, [process.argv[1], 'child', 'soak', folder, `${opens}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let told = ''
  child.stdout.on('data', (text) => {
    told += text
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('close', (...end) => resolve(end))
  })
  rmSync(folder, { recursive: true, force: true })
  const counts = code === 0 ? (JSON.parse(told) as Record<string, number>) : {}
  const losses = code === 0 && counts.opens >= opens ? 0 : 1
  return {
    name: 'SQLite: opened, closed, collected',
    trials: opens,
    losses,
    notes: { ...counts, end: signal ?? code! },
  }
}

const roundsPerThread = 2
const opensPerRound = 4

/** The other process. */
export async function soak(folder: string, opens: number): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const counts = { opens: 0, statements: 0, threads: 0, terminated: 0, collections: 0 }
  for (let round = 0; counts.opens < opens; round++) {
    counts.opens += opensPerRound
    counts.statements += await useDatabases(folder, round)
    if (round % roundsPerThread === 0) {
      counts.threads++
      // The progress of a terminated thread is unknown.
      if (await useThread(folder, round)) counts.terminated++
      else counts.opens += opensPerRound
    }
    collectGarbage()
    counts.collections++
    await new Promise((resolve) => setImmediate(resolve))
  }
  process.stdout.write(JSON.stringify(counts))
}

/** Does the same in a thread that ends with open statements and an open connection. */
export async function soakThread(folder: string, round: number): Promise<void> {
  await useDatabases(folder, round)
}

/** Answers how many statements it has prepared, those of the store left out. */
async function useDatabases(folder: string, round: number): Promise<number> {
  const store = await sqliteStore({ file: join(folder, 'store', 'index.db') })
  const put = [rows(round * 2 + 1, `note ${round % 50}.md`)]
  // Another thread may have been faster; then nothing is written.
  await store.commit({ expect: await store.generation(), put }).catch(isTaken)
  await store.files()
  await store.close()

  const file = join(folder, `${round % 5}.db`)
  const [closed, twice, left] = [openDriver(file), openDriver(file), openDriver(file)]
  closed.exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL')
  closed.exec('CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)')
  const statements = 20
  for (const driver of [closed, twice, left]) {
    driver.exec('PRAGMA busy_timeout = 10000')
    for (let at = 0; at < statements; at++) {
      driver.run(`INSERT INTO t (text, bytes) VALUES (?, ?) -- ${at}`, [`text ${round}`, Buffer.alloc(100, at)])
      driver.all(`SELECT id, text, bytes FROM t ORDER BY id DESC LIMIT ${at}`)
    }
  }
  closed.exec('DELETE FROM t WHERE id < (SELECT max(id) FROM t) - 1000')
  closed.close()
  twice.close()
  try {
    // After its connection, a statement is of no use; asking it must do no more than throw.
    twice.all('SELECT 1')
  } catch {}
  return 3 * 2 * statements
}

function isTaken(error: unknown): void {
  if (!/one document id/.test(`${error}`)) throw error
}

/** Whether the thread was ended in the middle of it. */
async function useThread(folder: string, round: number): Promise<boolean> {
  const isCut = round % (2 * roundsPerThread) === 0
  const worker = new Worker(process.argv[1], { argv: ['soak-thread', folder, `${round + 1_000_000}`] })
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('exit', () => resolve())
    worker.once('error', reject)
  })
  if (isCut) {
    await new Promise((resolve) => setTimeout(resolve, 20 + (round % 60)))
    await worker.terminate()
  }
  await ended
  return isCut
}
