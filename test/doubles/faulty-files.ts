import type { FileAccess } from '../../src/hosts/node/files/file-access.js'
import { systemError } from './memory-files.js'

export interface Fault {
  /** Which call fails, from 1. */
  at: number
  /**
   * An errno; `short-write` writes half and fails the next write with ENOSPC; `crash` fails this and every later call.
   * A function runs at that moment, and the call itself continues.
   */
  how: 'EIO' | 'ENOSPC' | 'EACCES' | 'EMFILE' | 'EROFS' | 'short-write' | 'crash' | (() => void)
  /** Counts only these calls; all when left out. */
  only?: readonly string[]
  /** From there on every call that counts fails, or those for which this says so, until `fail` says otherwise. */
  lasts?: boolean | (() => boolean)
  /** The next fault, counted from this one on. */
  next?: Fault
}

export type FaultyFiles = FileAccess & FaultControl

export interface FaultControl {
  /** The calls since the last `fail`, in order, with their paths. */
  readonly calls: { name: string; path?: string }[]
  /** Whether the fault has been met. */
  readonly hit: boolean
  /** How many have been met: one, and those that follow it. */
  readonly met: number
  readonly isCrashed: boolean
  /** Sets the fault and restarts the count; after a crash every call fails. */
  fail(fault: Fault | undefined): void
}

/** A disk that fails at its k-th call, and remembers the order of all calls. */
export function faultyFiles(files: FileAccess, firstFault?: Fault): FaultyFiles {
  return faultyCalls(files, { firstFault })
}

interface FaultyCallsOptions {
  firstFault?: Fault
  /** A `write` that fails or is interrupted by a crash leaves the first half of its bytes. */
  tearsWrites?: boolean
}

/** The same for any object of calls; its other properties stay as they are. */
export function faultyCalls<Calls extends object>(
  files: Calls,
  { firstFault, tearsWrites = false }: FaultyCallsOptions = {},
): Calls & FaultControl {
  const calls: { name: string; path?: string }[] = []
  let fault = firstFault
  let lasting: Fault[] = []
  let counted = 0
  let met = 0
  let isFull = false
  let isCrashed = false

  function call(name: string, given: unknown[]): unknown {
    if (isCrashed) throw systemError('CRASHED', name)
    calls.push({ name, path: pathsIn(given) })
    const real = files[name as keyof Calls] as (...values: unknown[]) => unknown
    if (isFull && name === 'write') {
      isFull = false
      throw systemError('ENOSPC', name)
    }
    const how = happening(name)
    if (typeof how === 'function') how()
    if (how === undefined || typeof how === 'function') return real(...given)
    isCrashed = how === 'crash'
    if (tearsWrites && name === 'write' && (how === 'crash' || how === 'short-write')) {
      const [path, bytes] = given as [string, Uint8Array]
      void real(path, bytes.subarray(0, bytes.length >> 1))
      throw systemError(errnoOf(how), name)
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

  function happening(name: string): Fault['how'] | undefined {
    if (fault !== undefined && concerns(fault, name) && ++counted === fault.at) {
      const { how, lasts, next } = fault
      if (lasts) lasting.push(fault)
      met++
      fault = next
      counted = 0
      return how
    }
    return lasting.find((each) => concerns(each, name) && isLasting(each))?.how
  }

  const wrapped = Object.entries(files)
    .filter(([name]) => !ofMemoryAlone.has(name))
    .map(([name, value]) => [name, typeof value === 'object' ? value : (...given: unknown[]) => call(name, given)])
  return {
    ...(Object.fromEntries(wrapped) as Calls),
    calls,
    get hit() {
      return met > 0
    },
    get met() {
      return met
    },
    get isCrashed() {
      return isCrashed
    },
    fail(first) {
      fault = first
      lasting = []
      counted = 0
      if (first === undefined) return
      calls.length = 0
      met = 0
    },
  }
}

function concerns({ only }: Fault, name: string): boolean {
  return only === undefined || only.includes(name)
}

function isLasting({ lasts }: Fault): boolean {
  return typeof lasts === 'function' ? lasts() : lasts === true
}

function errnoOf(how: Exclude<Fault['how'], () => void>): string {
  if (how === 'crash') return 'CRASHED'
  return how === 'short-write' ? 'ENOSPC' : how
}

function pathsIn(given: unknown[]): string | undefined {
  return given.filter((value) => typeof value === 'string').join(' ') || undefined
}

const ofMemoryAlone = new Set(['losePower', 'put', 'overwrite', 'erase', 'relocate', 'tree'])
