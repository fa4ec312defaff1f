import type { FileAccess } from './file-access.js'
import { systemError } from './memory-files.js'

export interface Fault {
  /** Which call fails, from 1. */
  at: number
  /** An errno; `short-write` writes half and fails the next write with ENOSPC; `crash` fails this and every later call. */
  how: 'EIO' | 'ENOSPC' | 'EACCES' | 'EMFILE' | 'EROFS' | 'short-write' | 'crash'
  /** Counts only these calls; all when left out. */
  only?: readonly (keyof FileAccess)[]
}

export interface FaultyFiles extends FileAccess {
  /** The calls in order, with their paths. */
  readonly calls: { name: keyof FileAccess; path?: string }[]
  /** Whether the fault has been met. */
  readonly hit: boolean
}

/** A disk that fails at its k-th call, and remembers the order of all calls. */
export function faultyFiles(files: FileAccess, fault?: Fault): FaultyFiles {
  const calls: { name: keyof FileAccess; path?: string }[] = []
  let counted = 0
  let hit = false
  let isFull = false

  const wrap = (name: keyof FileAccess) =>
    function faulty(...given: unknown[]): unknown {
      if (hit && fault?.how === 'crash') throw systemError('CRASHED', name)
      calls.push({ name, path: given.filter((value) => typeof value === 'string').join(' -> ') || undefined })
      if (isFull && name === 'write') {
        isFull = false
        throw systemError('ENOSPC', name)
      }
      const call = files[name] as (...values: unknown[]) => unknown
      if (fault === undefined || (fault.only !== undefined && !fault.only.includes(name))) return call(...given)
      if (++counted !== fault.at) return call(...given)
      hit = true
      if (fault.how === 'short-write' && name === 'write') {
        const bytes = given[1] as Uint8Array
        isFull = true
        return call(given[0], bytes.subarray(0, bytes.length >> 1))
      }
      // A close that reports an error has closed all the same.
      if (name === 'close' || name === 'closeFolder') call(...given)
      throw systemError(fault.how === 'crash' ? 'CRASHED' : fault.how === 'short-write' ? 'ENOSPC' : fault.how, name)
    }

  const names = Object.keys(files).filter((name) => isFileCall(name))
  const wrapped = Object.fromEntries(names.map((name) => [name, wrap(name)])) as unknown as FileAccess
  return {
    ...wrapped,
    calls,
    get hit() {
      return hit
    },
  }
}

const outside = new Set(['losePower', 'put', 'erase', 'tree'])

function isFileCall(name: string): name is keyof FileAccess {
  return !outside.has(name)
}
