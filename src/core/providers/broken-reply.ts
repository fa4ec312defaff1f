import type { Failure } from '../errors.js'

/**
 * How the connection of a call broke. A byte stream that fails takes with it everything the SDK has read but not yet
 * handed on, so it is ended quietly instead, and the failure travels beside it: by the call's own signal.
 */
const failures = new WeakMap<AbortSignal, Failure>()

export function noteBrokenReply(signal: AbortSignal, failure: Failure): void {
  failures.set(signal, failure)
}

export function brokenReply(signal: AbortSignal): Failure | undefined {
  return failures.get(signal)
}
