import type { ChangeSet } from './change-set.js'
import { hashBytes } from './hash-bytes.js'

/** What a change set will do, as plain data that can be hashed and compared: every path, and every byte by its hash. */
export function describeSteps({ emptied = [], changes }: Pick<ChangeSet, 'emptied' | 'changes'>) {
  const steps = changes.map((change) => ({
    kind: change.kind,
    path: change.path,
    ...('to' in change && { to: change.to }),
    ...('before' in change && { before: change.before }),
    ...('after' in change && { after: hashBytes(change.after) }),
    ...('added' in change && { added: hashBytes(change.added) }),
    ...('hiddenBefore' in change && { isHidden: true }),
  }))
  return { emptied, steps }
}

/** Whether two sets, planned one after the other, come to the same. */
export function doTheSame(one: ChangeSet, other: ChangeSet): boolean {
  return JSON.stringify(describeSteps(one)) === JSON.stringify(describeSteps(other))
}
