import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { whileWaiting } from './while-waiting.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

interface Told {
  type: string
  waitMs?: number
}

async function heard(events: () => AsyncGenerator<Told, void>): Promise<unknown[]> {
  const told: unknown[] = []
  const all = (async () => {
    for await (const event of whileWaiting(events(), 'prompt')) told.push(event)
  })()
  all.catch(() => {})
  await vi.runAllTimersAsync()
  await all
  return told
}

describe('while nothing has come', () => {
  it('tells every five seconds how long, and nothing more after the first word', async () => {
    const told = await heard(async function* () {
      await pause(12_000)
      yield { type: 'text-delta' }
      await pause(60_000)
      yield { type: 'finish' }
    })
    const waiting = (seconds: number) => ({ type: 'waiting', why: 'prompt', seconds })
    expect(told).toEqual([waiting(5), waiting(10), { type: 'text-delta' }, { type: 'finish' }])
  })

  it('counts down to the next try, and then counts anew', async () => {
    const told = await heard(async function* () {
      yield { type: 'retry', waitMs: 12_000 }
      await pause(12_000 + 7000)
      yield { type: 'text-delta' }
    })
    expect(told).toEqual([
      { type: 'retry', waitMs: 12_000 },
      { type: 'waiting', why: 'retry', seconds: 7 },
      { type: 'waiting', why: 'retry', seconds: 2 },
      { type: 'waiting', why: 'prompt', seconds: 3 },
      { type: 'text-delta' },
    ])
  })

  it('passes on what goes wrong, and ends what it listens to when nobody listens any more', async () => {
    const broken = heard(async function* () {
      yield { type: 'notice' }
      await pause(6000)
      throw new Error('broken')
    })
    await expect(broken).rejects.toThrow('broken')
    let isEnded = false
    const events = (async function* () {
      try {
        await pause(6000)
        yield { type: 'text-delta' }
      } finally {
        isEnded = true
      }
    })()
    const listening = (async () => {
      for await (const event of whileWaiting(events, 'model')) if (event.type === 'waiting') break
    })()
    await vi.runAllTimersAsync()
    await listening
    expect(isEnded).toBe(true)
  })
})
