import type { JsonObject } from '../reader-event.js'
import type { Literal } from './read-literal.js'

export interface JudgedCalls {
  complete: JsonObject[]
  /** The one that could not be read, though it was meant as a call. */
  broken?: { value: JsonObject; message: string }
}

/**
 * Decides whether a value that no marker announces is a call, or an array of calls; undefined when it is something else.
 * One that cannot be read is a call if it `means` one.
 */
export function judgeCalls(
  literal: Literal,
  is: (value: JsonObject) => boolean,
  means: (value: JsonObject) => boolean,
): JudgedCalls | undefined {
  const value = literal.ok ? literal.value : literal.partial
  const elements: unknown[] = Array.isArray(value) ? value : [value]
  if (elements.length === 0 || !elements.every(isObject)) return undefined
  const outer = Array.isArray(value) ? 2 : 1
  const isComplete = literal.ok || (literal.problem === 'cut' && literal.isBetween && literal.depth <= outer)
  if (isComplete && elements.every(is)) return { complete: elements }
  if (literal.ok || literal.depth <= outer) return undefined
  const complete = elements.slice(0, -1)
  const last = elements[elements.length - 1]
  if (!complete.every(is) || !means(last)) return undefined
  return { complete, broken: { value: last, message: literal.message } }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
