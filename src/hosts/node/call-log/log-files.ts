import type { FileAccess } from '../files/index.js'

/** Calls are added to this file; when it is large enough it gets a number and a new one begins. */
export const currentName = 'calls.jsonl'

/** One mark for every row ever written: tells when rows are missing at the end. */
export const tallyName = 'tally'

const numbered = /^calls-(\d{6,})\.jsonl$/

export const numberedName = (number: number): string => `calls-${String(number).padStart(6, '0')}.jsonl`

/** Numbers of the full files, oldest first. */
export async function fullFiles(files: FileAccess, folder: string): Promise<number[]> {
  const open = await files.openFolder(folder)
  if (open === undefined) return []
  try {
    const names = (await files.listFolder(open)).map(({ name }) => numbered.exec(name)?.[1])
    return names.flatMap((number) => (number === undefined ? [] : [Number(number)])).sort((a, b) => a - b)
  } finally {
    await files.closeFolder(open)
  }
}

/** An open file of the log. It stays readable when it gets another name or is dropped meanwhile. */
export interface LogFile {
  name: string
  /** The place in the row of files that its name, or the names before it, give it. */
  number: number
  /** True of the file that calls are added to. */
  isCurrent: boolean
  identity: string
  /** Everything in it from a place on. */
  read(from?: number): Promise<Buffer>
}

/** Opens every file of the log as of one moment, oldest first, for the time of `use`. */
export async function withLogFiles<T>(
  files: FileAccess,
  folder: string,
  use: (opened: LogFile[]) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const before = await namesNow(files, folder)
    const handles: { name: string; handle: number }[] = []
    try {
      for (const name of before.names) {
        const handle = await files.open(`${folder}/${name}`, 'read')
        if (handle !== undefined) handles.push({ name, handle })
      }
      // Another process may just have begun a new file; then a file would be missing here, or be here twice.
      const isSteady = (await namesNow(files, folder)).stamp === before.stamp
      if (isSteady || attempt === 20) {
        const opened: LogFile[] = []
        for (const { name, handle } of handles) {
          const number = Number(numbered.exec(name)?.[1] ?? (opened.at(-1)?.number ?? 0) + 1)
          opened.push({ name, number, isCurrent: name === currentName, ...(await openedFile(files, handle)) })
        }
        return await use(opened)
      }
    } finally {
      for (const { handle } of handles) await files.close(handle)
    }
  }
}

/** Rows that other processes have counted; read before the rows themselves, it is never more than there are. */
export async function readTally(files: FileAccess, folder: string): Promise<number> {
  return (await files.stat(`${folder}/${tallyName}`))?.size ?? 0
}

async function namesNow(files: FileAccess, folder: string): Promise<{ names: string[]; stamp: string }> {
  const full = (await fullFiles(files, folder)).map(numberedName)
  const current = await files.stat(`${folder}/${currentName}`)
  const names = current === undefined ? full : [...full, currentName]
  return { names, stamp: `${names.join()} ${current?.identity}` }
}

async function openedFile(files: FileAccess, handle: number): Promise<Pick<LogFile, 'identity' | 'read'>> {
  const { identity } = await files.statOpen(handle)
  return {
    identity,
    async read(from = 0) {
      const { size } = await files.statOpen(handle)
      const bytes = Buffer.alloc(Math.max(0, size - from))
      return bytes.subarray(0, await files.read(handle, bytes, from))
    },
  }
}
