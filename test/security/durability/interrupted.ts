import type { Fault } from '../../doubles/faulty-files.js'
import { expectLinksWhole, expectSettles, expectUndone, expectWhole } from '../../recovery/expect-whole.js'
import type { Interruption, PersonalAct } from '../../recovery/interruptions.js'
import { liveThrough, type Survived } from '../../recovery/live-through.js'
import { isFull } from '../floor.js'
import type { Check } from '../security-case.js'

const stride = isFull ? 1 : 7
const calls = 170

/** Faults that stay, and faults in the rollback of a fault. */
export function faultsInRollbackChecks(): Check[] {
  const kinds = {
    sync: ['sync', 'syncAll', 'syncFolder'],
    rename: ['rename', 'link', 'remove'],
    write: ['write'],
  } as const
  const lasting = Object.entries(kinds).map(([name, only]) => ({
    name: `${name} fails from the k-th call on: every note old or new, and history and undo say the truth`,
    timeoutMs: 300_000,
    run: async () => {
      for (const change of ['rename', 'edit', 'append']) {
        for (let at = 1; at <= 24; at++) await hold({ change, fault: { at, how: 'EIO', lasts: true, only } })
      }
    },
  }))
  return [
    ...lasting,
    {
      name: 'one error and a kill inside the rollback: every note old or new, and history and undo say the truth',
      timeoutMs: 600_000,
      run: async () => {
        for (const change of ['rename', 'edit', 'append']) {
          for (let at = 1; at <= calls; at += stride) {
            for (let kill = 1; kill <= 60; kill += stride) {
              await hold({ change, fault: { at, how: 'EIO', next: { at: kill, how: 'crash' } } })
            }
          }
        }
      },
    },
  ]
}

/** A kill in apply, a user, a kill in recovery. */
export function personInBetweenChecks(): Check[] {
  return [
    {
      name: "the person's bytes are kept exactly, and every note is on one side",
      timeoutMs: 600_000,
      run: () => everyMeeting(expectWhole),
    },
    {
      name: 'the change set is named with both versions recoverable, and settled each way',
      timeoutMs: 600_000,
      run: () => everyMeeting(expectSettles),
    },
    {
      name: 'no link leads to a note that was never moved',
      timeoutMs: 600_000,
      run: () =>
        everyMeeting(async ({ starts }, survived) => {
          if (starts[0].act?.how === 'edit') await expectLinksWhole(survived)
        }),
    },
  ]
}

async function hold({ change, fault }: { change: string; fault: Fault }): Promise<void> {
  const interruption: Interruption = { change, fault, losesPower: false, starts: [{}] }
  for (const expectation of [expectWhole, expectUndone]) {
    await explained(interruption, async () => expectation(interruption, await liveThrough(interruption)))
  }
}

async function everyMeeting(
  expectation: (interruption: Interruption, survived: Survived) => Promise<void>,
): Promise<void> {
  for (const how of ['edit', 'delete', 'rename'] as PersonalAct['how'][]) {
    for (let at = 40; at <= calls; at += stride) {
      for (let kill = 3; kill <= 80; kill += 3 * stride) {
        const interruption: Interruption = {
          change: 'rename',
          fault: { at, how: 'crash' },
          losesPower: false,
          starts: [{ act: { note: 2 + (at % 3), how }, fault: { at: kill, how: 'crash' } }],
        }
        await explained(interruption, async () => expectation(interruption, await liveThrough(interruption)))
      }
    }
  }
}

async function explained(interruption: Interruption, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new Error(JSON.stringify(interruption), { cause: error })
  }
}
