import fc from 'fast-check'
import type { Fault } from '../doubles/faulty-files.js'

/** An edit by a user while no process of Notewright runs. */
export interface PersonalAct {
  /** Which of the notes that the change touches, counted round. */
  note: number
  how: 'edit' | 'save-anew' | 'delete' | 'rename'
}

/** One scenario: an interrupted change, interrupted starts, and edits by a user in between. */
export interface Interruption {
  change: string
  /** While the change is applied, and rolled back after a first error. */
  fault: Fault
  /** Whether what was not synced is lost at the end of each process. */
  losesPower: boolean
  /** Before each start what a user does, and what goes wrong during the start. */
  starts: { act?: PersonalAct; fault?: Fault }[]
}

const syncs = ['sync', 'syncAll', 'syncFolder'] as const
const names = ['rename', 'link', 'remove'] as const

function faultIn(calls: number, nested: number): fc.Arbitrary<Fault> {
  const fault = fc.record(
    {
      at: fc.integer({ min: 1, max: calls }),
      how: fc.constantFrom<Fault['how'][]>('EIO', 'ENOSPC', 'crash', 'crash'),
      lasts: fc.boolean(),
    },
    { requiredKeys: ['at', 'how'] },
  )
  const counted = fc.oneof(
    fault,
    fc.tuple(fault, fc.constantFrom(syncs, names, ['write'] as const)).map(([each, only]) => ({
      ...each,
      at: 1 + (each.at % 12),
      only,
    })),
  )
  if (nested === 0) return counted
  return fc.tuple(counted, fc.option(faultIn(60, nested - 1))).map(([first, next]) => {
    // A call that fails for good fails for good, and after a crash nothing follows.
    return next === null || first.lasts || first.how === 'crash' ? first : { ...first, next }
  })
}

const act: fc.Arbitrary<PersonalAct> = fc.record({
  note: fc.nat(12),
  how: fc.constantFrom('edit', 'edit', 'save-anew', 'delete', 'rename'),
})

export function interruptions(changes: readonly string[]): fc.Arbitrary<Interruption> {
  const start = fc.record({ act, fault: faultIn(80, 1) }, { requiredKeys: [] })
  return fc.record({
    change: fc.constantFrom(...changes),
    fault: faultIn(170, 2),
    losesPower: fc.constantFrom(false, false, true),
    starts: fc.array(start, { maxLength: 3 }),
  })
}
