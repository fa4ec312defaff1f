import { describe, expect, it } from 'vitest'
import { memoryHost } from '../../../test/doubles/memory-host.js'
import { configSchema } from '../config/index.js'
import { vaultFromHost } from './opened-vault.js'
import { type IdleTimes, runningSessions } from './running-sessions.js'

const long = 3_600_000

async function stage(idle: IdleTimes) {
  const host = await memoryHost({ 'Soil.md': 'Compost feeds the soil.\n' })
  const vault = vaultFromHost({ host, settings: configSchema.parse({ model: 'offline' }) })
  const troubles: string[] = []
  const running = runningSessions(vault, (text) => troubles.push(text), idle)
  const { id } = await running.begin({})
  const ask = async (text: string) => {
    await running.ask(id, { text }, {})
    await expect.poll(() => running.isRunning(id)).toBe(false)
  }
  /** Opens the session like another program; returns a conflict if it is locked. */
  const openElsewhere = async () => {
    const writer = await host.sessions.write(id).catch((error) => error as { code: string })
    if ('code' in writer) return writer.code
    await writer.release()
    return 'opened'
  }
  return { running, id, ask, openElsewhere, troubles }
}

describe('a conversation that a front end has open', () => {
  it('can be continued elsewhere when no turn runs and no client follows it, and then here again', async () => {
    const { running, ask, openElsewhere, troubles } = await stage({ followedMs: long, unfollowedMs: 1 })
    await ask('What feeds the soil?')
    await expect.poll(openElsewhere).toBe('opened')
    await ask('And what else?')
    await expect.poll(openElsewhere).toBe('opened')
    expect(troubles).toEqual([])
    await running.close()
  })

  it('stays open while a client follows it, and is released when it leaves', async () => {
    const { running, id, ask, openElsewhere } = await stage({ followedMs: long, unfollowedMs: 1 })
    const leave = running.listen(id, () => {})
    await ask('What feeds the soil?')
    expect(await openElsewhere()).toBe('conflict')
    leave()
    await expect.poll(openElsewhere).toBe('opened')
    await running.close()
  })

  it('can be deleted while it is open here', async () => {
    const { running, id, ask, openElsewhere } = await stage({ followedMs: long, unfollowedMs: long })
    await ask('What feeds the soil?')
    expect(await openElsewhere()).toBe('conflict')
    expect(await running.remove(id)).toBe(true)
    expect(await running.remove(id)).toBe(false)
    await expect(running.find(id)).rejects.toMatchObject({ code: 'not-found' })
    await running.close()
  })

  it('is released after a longer time if a client follows it and does nothing', async () => {
    const { running, id, ask, openElsewhere } = await stage({ followedMs: 1, unfollowedMs: long })
    running.listen(id, () => {})
    await ask('What feeds the soil?')
    await expect.poll(openElsewhere).toBe('opened')
    await running.close()
  })

  it('answers a request that comes while it is being released', async () => {
    const { running, ask, troubles } = await stage({ followedMs: 0, unfollowedMs: 0 })
    for (let turn = 0; turn < 5; turn++) await ask('What feeds the soil?')
    expect(troubles).toEqual([])
    await running.close()
  })
})
