import type { Fault } from '../../doubles/faulty-files.js'
import { randomNumbers } from '../torture.js'
import type { CallKind, PlannedFault } from './plan.js'
import type { Trouble } from './world.js'

/** Which calls of a disk are of each kind, and how many of them a piece of work makes at most. */
export type KindsOfCalls = Record<CallKind, { only?: readonly string[]; reach?: number }>

export const kindsOfFileAccess: KindsOfCalls = {
  any: {},
  sync: { only: ['sync', 'syncAll', 'syncFolder'] },
  names: { only: ['rename', 'link', 'remove', 'makeFolder', 'removeFolder'] },
  bytes: { only: ['open', 'write', 'setMode', 'truncate'] },
  look: { only: ['stat', 'statOpen', 'read', 'openFolder', 'listFolder', 'realPath', 'close', 'closeFolder'] },
}

/** Planned faults as the disk knows them, each after the one before. */
export function asFault(
  { faults, seed, onPerson, onClock }: Trouble,
  kill: 'crash' | (() => void),
  kinds: KindsOfCalls,
): Fault | undefined {
  const random = randomNumbers(seed)
  const hows = { person: onPerson, clock: onClock, kill }
  return faults.reduceRight<Fault | undefined>((next, { at, calls, how, lasts }: PlannedFault) => {
    const again = lasts === 'at random' ? () => random() < 0.3 : lasts === 'on'
    const real = how === 'person' || how === 'clock' || how === 'kill' ? hows[how] : how
    const { only, reach = at } = kinds[calls]
    return { at: 1 + ((at - 1) % reach), only, how: real, lasts: again, next }
  }, undefined)
}
