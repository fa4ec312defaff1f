import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { timeLimit } from './run.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the time limit of a turn', () => {
  it('leaves out every moment in which anything was waited for, however the waits overlap', () => {
    const limit = timeLimit(10_000, new AbortController().signal)
    const first = limit.leaveOut()
    vi.advanceTimersByTime(8000)
    const second = limit.leaveOut()
    vi.advanceTimersByTime(1000)
    first()
    expect(limit.isOver()).toBe(false)
    vi.advanceTimersByTime(4000)
    second()
    // 13 seconds went by, all of them in one of the two waits.
    expect(limit.isOver()).toBe(false)
    vi.advanceTimersByTime(9999)
    expect(limit.isOver()).toBe(false)
    vi.advanceTimersByTime(2)
    expect(limit.isOver()).toBe(true)
    limit.stop()
  })

  it('counts the time between two waits', () => {
    const limit = timeLimit(10_000, new AbortController().signal)
    limit.leaveOut()()
    vi.advanceTimersByTime(6000)
    const end = limit.leaveOut()
    vi.advanceTimersByTime(60_000)
    end()
    end()
    expect(limit.isOver()).toBe(false)
    vi.advanceTimersByTime(4001)
    expect(limit.isOver()).toBe(true)
    limit.stop()
  })
})
