import type { FileAccess } from './file-access.js'
import { systemError } from './memory-files.js'

export interface Fault {
  /** Which call fails, from 1. */
  at: number
  /** An errno; `short-write` writes half and fails the next write with ENOSPC; `crash` fails this and every later call. */
  how: 'EIO' | 'ENOSPC' | 'EACCES' | 'EMFILE' | 'EROFS' | 'short-write' | 'crash'
  /** Counts only these calls; all when left out. */
  only?: readonly (keyof FileAccess)[]
  /** From there on every call that counts fails, until `fail` says otherwise. */
  lasts?: boolean
  /** The next fault, counted from this one on. */
  next?: Fault
}

export interface FaultyFiles extends FileAccess {
  /** The calls since the last `fail`, in order, with their paths. */
  readonly calls: { name: keyof FileAccess; path?: string }[]
  /** Whether the fault has been met. */
  readonly hit: boolean
  /** Sets the fault and begins to count anew; after a crash nothing works again. */
  fail(fault: Fault | undefined): void
}

/** A disk that fails at its k-th call, and remembers the order of all calls. */
export function faultyFiles(files: FileAccess, firstFault?: Fault): FaultyFiles {
  const calls: { name: keyof FileAccess; path?: string }[] = []
  let fault = firstFault
  let counted = 0
  let hit = false
  let isFull = false
  let isCrashed = false

  function call(name: keyof FileAccess, given: unknown[]): unknown {
    if (isCrashed) throw systemError('CRASHED', name)
    calls.push({ name, path: pathsIn(given) })
    const real = files[name] as (...values: unknown[]) => unknown
    if (isFull && name === 'write') {
      isFull = false
      throw systemError('ENOSPC', name)
    }
    if (fault === undefined || (fault.only !== undefined && !fault.only.includes(name))) return real(...given)
    counted++
    if (fault.lasts === true ? counted < fault.at : counted !== fault.at) return real(...given)
    const { how } = fault
    hit = true
    isCrashed = how === 'crash'
    if (fault.next !== undefined) {
      fault = fault.next
      counted = 0
    }
    if (how === 'short-write' && name === 'write') {
      const bytes = given[1] as Uint8Array
      isFull = true
      return real(given[0], bytes.subarray(0, bytes.length >> 1))
    }
    // A close that reports an error has closed all the same.
    if (name === 'close' || name === 'closeAll' || name === 'closeFolder') real(...given)
    throw systemError(errnoOf(how), name)
  }

  const names = Object.keys(files).filter(isFileCall)
  const wrapped = names.map((name) => [name, (...given: unknown[]) => call(name, given)])
  return {
    ...(Object.fromEntries(wrapped) as unknown as FileAccess),
    calls,
    get hit() {
      return hit
    },
    fail(next) {
      fault = next
      counted = 0
      if (next === undefined) return
      calls.length = 0
      hit = false
    },
  }
}

function errnoOf(how: Fault['how']): string {
  if (how === 'crash') return 'CRASHED'
  return how === 'short-write' ? 'ENOSPC' : how
}

function pathsIn(given: unknown[]): string | undefined {
  return given.filter((value) => typeof value === 'string').join(' ') || undefined
}

const notFileCalls = new Set(['losePower', 'put', 'overwrite', 'erase', 'tree', 'fail', 'calls', 'hit'])

function isFileCall(name: string): name is keyof FileAccess {
  return !notFileCalls.has(name)
}
