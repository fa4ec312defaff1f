import { describe, expect, it } from 'vitest'
import { howOften } from '../../../test/runner/how-often.js'
import { expiredEntries, type RetentionEntry } from './journal.js'

const day = 86_400_000

/** Entries made at these times, in days, each of one byte. */
const entriesAt = (...days: number[]): RetentionEntry[] =>
  days.map((at, index) => ({ sequence: index + 1, time: at * day, isOpen: false, bytes: 1 }))

const kept = (entries: RetentionEntry[], retention: Parameters<typeof expiredEntries>[1]) => {
  const dropped = expiredEntries(entries, retention)
  return entries.map(({ sequence }) => sequence).filter((sequence) => !dropped.has(sequence))
}

describe('the retention of the journal', () => {
  it('keeps the changes of the last days of use, and always the newest ones', () => {
    const daily = entriesAt(...Array.from({ length: 50 }, (_, at) => at))
    expect(kept(daily, { changes: 5, days: 30 }).length).toBe(31)
    expect(kept(daily, { changes: 40, days: 30 }).length).toBe(40)
  })

  it.each([
    ['ten years ahead', 3652],
    ['40 days behind', -40],
    ['400 days behind', -400],
  ])('does not change by one write at a clock %s', (_, jump) => {
    const before = [1, 2, 3, 4].map((hour) => hour / 24)
    for (const days of [
      [...before, jump],
      [...before, jump, 0.5],
      [jump, ...before],
    ]) {
      expect(kept(entriesAt(...days), { changes: 1, days: 30 }).length).toBe(days.length)
    }
  })

  it('keeps at least the newest ones, however the clock jumps, unless there is no room', () => {
    for (let turn = 0; turn < howOften(300, 20_000); turn++) {
      const days = Array.from(
        { length: 1 + Math.floor(Math.random() * 80) },
        () => (Math.random() - 0.5) * 10 ** (turn % 5),
      )
      const entries = entriesAt(...days)
      const changes = Math.floor(Math.random() * 60)
      const newest = entries.slice(-Math.max(1, changes)).map(({ sequence }) => sequence)
      const left = kept(entries, { changes, days: 1 + (turn % 40) })
      expect(left.slice(-newest.length)).toEqual(newest)
      // Removed entries are older than all that stay.
      expect(left).toEqual(entries.slice(-left.length).map(({ sequence }) => sequence))
    }
  })

  it('ages by a day at most from one change to the next', () => {
    const leaps = entriesAt(...Array.from({ length: 20 }, (_, at) => at * 4000))
    expect(kept(leaps, { changes: 1, days: 30 }).length).toBe(20)
    expect(kept(leaps, { changes: 1, days: 10 }).length).toBe(11)
  })

  it('stays within its size, dropping the oldest first; the newest and open entries stay', () => {
    const entries = entriesAt(1, 2, 3, 4, 5)
    expect(kept(entries, { bytes: 3 })).toEqual([3, 4, 5])
    expect(kept(entries, { bytes: 0 })).toEqual([5])
    entries[0].isOpen = true
    expect(kept(entries, { bytes: 3 })).toEqual([1, 3, 4, 5])
  })
})
