import type { ContentHash, StagedStep } from '../../../core/vault/index.js'

/** What a change made of a text, as far as it differs: the bytes between a common start and a common end. */
export interface AfterImage {
  hash: ContentHash
  /** The before-image it differs from, and how many bytes both begin and end with. */
  base: ContentHash
  start: number
  end: number
  bytes: Uint8Array
}

/**
 * What undo needs to keep later edits: only who knows what a change left behind can tell them from the change. Notes
 * that a change made go as a whole, so nothing is kept of these.
 */
export function afterImages(steps: readonly StagedStep[]): AfterImage[] {
  const removed = new Map(steps.flatMap((step) => (step.kind === 'remove' ? [[step.path, step.before]] : [])))
  return steps.flatMap((step) => {
    if (step.kind !== 'write') return []
    const base = step.before ?? (step.origin === undefined ? undefined : removed.get(step.origin))
    if (base === undefined) return []
    const { start, end } = commonEnds(base.bytes, step.after)
    const bytes = step.after.subarray(start, step.after.length - end)
    return [{ hash: step.hash, base: base.hash, start, end, bytes }]
  })
}

export function rebuilt(base: Uint8Array, { start, end, bytes }: Pick<AfterImage, 'start' | 'end' | 'bytes'>): Buffer {
  return Buffer.concat([base.subarray(0, start), bytes, base.subarray(base.length - end)])
}

function commonEnds(one: Uint8Array, other: Uint8Array): { start: number; end: number } {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start++
  let end = 0
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  return { start, end }
}
