import type { Failure } from '../errors.js'
import type { ServerTransport } from './connect-server.js'
import { type HttpAddress, mostMissed, watchedFetch } from './watched-fetch.js'

/** Reconnecting a stream: the server may say when, but not so that it keeps us busy or waiting for good. */
const soonestMs = 250
const latestMs = 60_000
/** How long saying goodbye may take. */
const goodbyeMs = 1000

/**
 * A server at a web address. Redirects to other hosts are not followed, since its headers would go with them. One that
 * cannot be reached, has forgotten us or floods counts as gone.
 */
export async function httpTransport(address: HttpAddress): Promise<ServerTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const transport = new StreamableHTTPClientTransport(new URL(address.url), {
    // The core types only what it uses of a request.
    fetch: watchedFetch(address, lost),
    requestInit: { headers: address.headers },
    redirectPolicy: 'same-origin',
    reconnectionOptions: {
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: latestMs,
      reconnectionDelayGrowFactor: 2,
      maxRetries: mostMissed,
    },
    reconnectionScheduler(reconnect, ms) {
      const timer = setTimeout(reconnect, Math.min(Math.max(ms, soonestMs), latestMs))
      return () => clearTimeout(timer)
    },
  })
  const close = transport.close.bind(transport)
  let isClosed = false
  transport.close = async () => {
    if (isClosed) return
    isClosed = true
    await sayGoodbye(transport)
    await close()
  }

  function lost(failure: Failure): void {
    if (isClosed) return
    isClosed = true
    // Whoever has asked hears the reason first.
    setTimeout(() => {
      transport.onerror?.(failure)
      void close()
    })
  }
  return transport
}

async function sayGoodbye(transport: { terminateSession(): Promise<void> }): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, goodbyeMs)
  })
  await Promise.race([transport.terminateSession().catch(() => undefined), late])
  clearTimeout(timer)
}
