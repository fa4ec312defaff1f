import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silenceReport } from './step.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

interface Told {
  type: string
  waitMs?: number
}

/** Reads events as a step reads a reply. */
async function* whileWaiting(events: AsyncGenerator<Told, void>, why: 'prompt' | 'model') {
  const silence = silenceReport(why)
  try {
    for (;;) {
      const next = events.next()
      next.catch(() => {})
      for (let waiting = await silence.until(next); waiting; waiting = await silence.until(next)) yield waiting
      const { done, value } = await next
      if (done) return
      silence.see(value)
      yield value
    }
  } finally {
    silence.end()
    await events.return()
  }
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
  it('reports the wait every five seconds, until the first word', async () => {
    const told = await heard(async function* () {
      await pause(12_000)
      yield { type: 'text-delta' }
      await pause(60_000)
      yield { type: 'finish' }
    })
    const waiting = (seconds: number) => ({ type: 'waiting', why: 'prompt', seconds })
    expect(told).toEqual([waiting(5), waiting(10), { type: 'text-delta' }, { type: 'finish' }])
  })

  it('counts down to the next try, and then starts again', async () => {
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

  it('forwards errors, and ends its source when its reader leaves', async () => {
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
