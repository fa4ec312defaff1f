import type { Fault, FileAccess } from '../../../src/hosts/node/files/index.js'
import { randomNumbers } from '../torture.js'
import type { CallKind, PlannedFault } from './plan.js'
import type { Trouble } from './world.js'

const callsOf: Record<CallKind, readonly (keyof FileAccess)[] | undefined> = {
  any: undefined,
  sync: ['sync', 'syncAll', 'syncFolder'],
  names: ['rename', 'link', 'remove', 'makeFolder', 'removeFolder'],
  bytes: ['open', 'write', 'setMode', 'truncate'],
  look: ['stat', 'statOpen', 'read', 'openFolder', 'listFolder', 'realPath', 'close', 'closeFolder'],
}

/** Planned faults as the disk knows them, each after the one before. */
export function asFault({ faults, seed, onPerson, onClock }: Trouble, kill: 'crash' | (() => void)): Fault | undefined {
  const random = randomNumbers(seed)
  const hows = { person: onPerson, clock: onClock, kill }
  return faults.reduceRight<Fault | undefined>((next, { at, calls, how, lasts }: PlannedFault) => {
    const again = lasts === 'at random' ? () => random() < 0.3 : lasts === 'on'
    const real = how === 'person' || how === 'clock' || how === 'kill' ? hows[how] : how
    return { at, only: callsOf[calls], how: real, lasts: again, next }
  }, undefined)
}
