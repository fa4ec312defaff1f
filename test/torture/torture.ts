import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Row {
  name: string
  trials: number
  losses: number
  notes: Record<string, string | number>
}

/** A vault beside its state, in a folder of their own. */
export interface Ground {
  base: string
  root: string
  stateDir: string
}

export function newGround(): Ground {
  const base = mkdtempSync(join(tmpdir(), 'notewright-torture-'))
  return { base, root: join(base, 'vault'), stateDir: join(base, 'state') }
}

/** Starts this same program as another process; resolves when it says that it is about to begin. */
export async function startChild(args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [process.argv[1], 'child', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.stdout!.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`the child ended early with ${code}`)))
  })
  return child
}

export function exited(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)))
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export function pickSeed(): number {
  return Math.floor(Math.random() * 1_000_000)
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Every file below a folder, dot names too. */
export function allFiles(root: string): Map<string, Buffer> {
  const items = readdirSync(root, { recursive: true, withFileTypes: true }).filter((item) => item.isFile())
  const paths = items.map((item) => join(item.parentPath, item.name))
  return new Map(paths.map((path) => [path.slice(root.length + 1), readFileSync(path)]))
}
