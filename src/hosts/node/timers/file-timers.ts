import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Timer, Timers } from '../../../core/tools/index.js'
import { privateFolder } from '../state/index.js'

/** Timers in one small file of the state folder, so that the next command still knows them. */
export function fileTimers(stateFolder: string): Timers {
  const file = join(stateFolder, 'timers.json')
  let lastWrite: Promise<unknown> = Promise.resolve()

  async function write(name: string, timer: Timer | undefined): Promise<void> {
    const timers = await readTimers(file)
    if (timer === undefined) timers.delete(name)
    else timers.set(name, timer)
    await privateFolder(stateFolder)
    const draft = `${file}.${randomUUID()}`
    try {
      await writeFile(draft, `${JSON.stringify(Object.fromEntries(timers))}\n`, { mode: 0o600, flag: 'wx' })
      await rename(draft, file)
    } finally {
      await rm(draft, { force: true })
    }
  }

  return {
    get: async (name) => (await readTimers(file)).get(name),
    set(name, timer) {
      const written = lastWrite.then(() => write(name, timer))
      lastWrite = written.catch(() => {})
      return written
    },
  }
}

/** A file that is missing or spoilt holds no timers: none is worth more than starting again. */
async function readTimers(file: string): Promise<Map<string, Timer>> {
  try {
    const read: unknown = JSON.parse(await readFile(file, 'utf8'))
    return new Map(Object.entries(read ?? {}).filter((entry): entry is [string, Timer] => isTimer(entry[1])))
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw error
  }
}

function isTimer(value: unknown): value is Timer {
  const { startedAt, minutes } = (value ?? {}) as Partial<Timer>
  return Number.isFinite(startedAt) && Number.isFinite(minutes)
}
