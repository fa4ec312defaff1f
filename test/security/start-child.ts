import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writePrograms } from '../../scripts/bundle.mjs'
import type { Change, ChangeSet } from '../../src/core/vault/index.js'
import type { Job } from './child.js'
import { scratchFolder } from './floor.js'

let bundled: Promise<string> | undefined

/** Starts another process on `child.ts`, bundled once for all. */
export async function startChild(job: Job): Promise<ChildProcessWithoutNullStreams> {
  bundled ??= bundle()
  const folder = await bundled
  const child = spawn(process.execPath, [join(folder, 'child.mjs'), JSON.stringify(job)])
  child.stdin.on('error', () => {})
  return child
}

/** Starts a process, hands it `input`, and gives what it printed as its last line. */
export async function askChild<T>(job: Job, input = ''): Promise<T> {
  const child = await startChild(job)
  child.stdin.end(input)
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const code = await new Promise((done) => child.once('close', done))
  if (code !== 0) throw new Error(`The other process ended with ${code}: ${stderr}`)
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as T
}

/** The file form of a change set, as `child.ts` reads it. */
export function changeSetFile(set: ChangeSet): string {
  const changes = set.changes.map((change: Change) => {
    return 'after' in change ? { ...change, after: Buffer.from(change.after).toString('base64') } : change
  })
  return JSON.stringify({ ...set, changes })
}

export async function removeBundle(): Promise<void> {
  if (bundled !== undefined) rmSync(await bundled, { recursive: true, force: true })
  bundled = undefined
}

async function bundle(): Promise<string> {
  const folder = scratchFolder()
  await writePrograms(folder, {
    child: resolve(import.meta.dirname, 'child.ts'),
    'index-worker': resolve('src/hosts/node/index-worker.ts'),
  })
  return folder
}
