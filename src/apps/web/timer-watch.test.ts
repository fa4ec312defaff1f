import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryHost } from '../../../test/doubles/memory-host.js'
import { configSchema } from '../../core/config/index.js'
import { vaultFromHost } from '../../core/session/index.js'
import { timerWatch } from './timer-watch.js'
import type { WebSetup } from './web-setup.js'

afterEach(() => {
  vi.useRealTimers()
})

describe('the watch for timers', () => {
  it('looks again after a look that failed', async () => {
    const host = await memoryHost({ 'A.md': 'a\n' })
    await host.timers.set('pomodoro', { startedAt: host.clock.now().getTime() - 26 * 60_000, minutes: 25 })
    const vault = vaultFromHost({ host, settings: configSchema.parse({}) })
    const open = vault.openSession
    let looks = 0
    vault.openSession = async (options) => {
      if (++looks === 1) throw new Error('a tool could not be read')
      return open(options)
    }
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const said: string[] = []
    const stop = timerWatch({ vault } as unknown as WebSetup).listen((text) => said.push(text))
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(looks).toBe(1))
    await expect
      .poll(() => {
        vi.advanceTimersByTime(1000)
        return said
      })
      .toEqual([expect.stringContaining('Your pomodoro of')])
    stop()
  })
})
