import { EventEmitter } from 'node:events'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { RunningSessions } from '../../../core/session/index.js'
import type { MountContext, ServerEnv } from '../../server/index.js'
import type { PageLogin } from '../login.js'
import type { TimerWatch } from '../timer-watch.js'
import type { WebSetup } from '../web-setup.js'
import { mountEvents } from './events.js'

/** A response as far as a stream of events uses it. */
class Outgoing extends EventEmitter {
  destroyed = false
  writableEnded = false
  useChunkedEncodingByDefault = true
  writeHead() {}
  write() {}
  destroy() {
    this.destroyed = true
  }
  end() {
    this.writableEnded = true
  }
}

async function opened({ ending, outgoing = new Outgoing() }: { ending: AbortSignal; outgoing?: Outgoing }) {
  const routes = new Hono<ServerEnv>()
  let listening = 0
  const listen = () => {
    listening++
    return () => {
      listening--
    }
  }
  const running = { listen, isRunning: () => false } as unknown as RunningSessions
  const timers = { listen } as unknown as TimerWatch
  const logins = { onRevoked: () => () => {}, isSignedIn: () => true }
  const login = { browserOf: () => undefined } as unknown as PageLogin
  mountEvents(routes, { logins } as unknown as WebSetup, { running, timers, login }, { ending } as MountContext)
  await routes.request('/events', {}, { outgoing } as unknown as ServerEnv['Bindings'])
  return { outgoing, listening: () => listening }
}

describe('the events of a page without a conversation', () => {
  it('end at once where the server is already closing', async () => {
    const { outgoing, listening } = await opened({ ending: AbortSignal.abort() })
    await expect.poll(() => outgoing.writableEnded).toBe(true)
    expect(listening()).toBe(0)
  })

  it('end at once where the page has already gone', async () => {
    const outgoing = new Outgoing()
    outgoing.destroy()
    const { listening } = await opened({ ending: new AbortController().signal, outgoing })
    await expect.poll(listening).toBe(0)
  })

  it('go on until the page leaves', async () => {
    const { outgoing, listening } = await opened({ ending: new AbortController().signal })
    await expect.poll(listening).toBe(1)
    outgoing.destroy()
    outgoing.emit('close')
    await expect.poll(listening).toBe(0)
  })
})
