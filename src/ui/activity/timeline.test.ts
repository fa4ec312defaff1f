import { expect, it } from 'vitest'
import type { LoggedCall, LoggedRequest } from '../../core/tools/index.js'
import type { HistoryEntry } from '../../core/vault/index.js'
import { timelineOf } from './timeline.js'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const call = (id: string, second: number, turn?: string) => ({ id, timestamp: at(second), turn }) as LoggedCall
const request = (sha256: string, second: number, turn?: string) =>
  ({ sha256, time: at(second), turn }) as unknown as LoggedRequest

it('puts calls and requests of a turn together, and all of it by time, the newest first', () => {
  const timeline = timelineOf({
    calls: [call('c1', 2, 't1'), call('c2', 3, 't1'), call('c3', 9)],
    requests: [request('r1', 1, 't1'), request('r2', 20, 't2')],
    changes: [{ id: 'x', time: Date.parse(at(5)) } as unknown as HistoryEntry],
  })
  expect(
    timeline.map((entry) =>
      'change' in entry
        ? entry.change.id
        : [...entry.requests.map(({ sha256 }) => sha256), ...entry.calls.map(({ id }) => id)].join(' '),
    ),
  ).toEqual(['r2', 'c3', 'x', 'r1 c1 c2'])
})
