import type { Failure } from '../errors.js'
import type { ConnectServer, ServerTransport } from './connection.js'
import { type HttpAddress, limitedFetch, maxFailedReopens } from './limited-fetch.js'

/** Connects with the protocol's own package, which is loaded when there is a server to connect to. */
export const connectServer: ConnectServer = async (setup) => {
  const { openConnection } = await import('./sdk-connection.js')
  return openConnection(setup)
}

/** Limits for the reconnect delay that a server may ask for. */
const minReconnectMs = 250
const maxReconnectMs = 60_000
/** Timeout for ending the session on the server. */
const maxTerminateMs = 1000

/**
 * A server at a web address. Redirects to other hosts are not followed, since the headers would be sent there. The
 * connection is lost when the server cannot be reached, has dropped the session, or sends too much.
 */
export async function httpTransport(address: HttpAddress): Promise<ServerTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const transport = new StreamableHTTPClientTransport(new URL(address.url), {
    fetch: limitedFetch(address, onLost),
    requestInit: { ...(address.headers && { headers: address.headers }) },
    redirectPolicy: 'same-origin',
    reconnectionOptions: {
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: maxReconnectMs,
      reconnectionDelayGrowFactor: 2,
      maxRetries: maxFailedReopens,
    },
    reconnectionScheduler(reconnect, ms) {
      const timer = setTimeout(reconnect, Math.min(Math.max(ms, minReconnectMs), maxReconnectMs))
      return () => clearTimeout(timer)
    },
  })
  const close = transport.close.bind(transport)
  let isClosed = false
  transport.close = async () => {
    if (isClosed) return
    isClosed = true
    await terminate(transport)
    await close()
  }

  function onLost(failure: Failure): void {
    if (isClosed) return
    isClosed = true
    // Deferred, so that the pending request fails with its own reason first.
    setTimeout(() => {
      transport.onerror?.(failure)
      void close()
    })
  }
  return transport
}

async function terminate(transport: { terminateSession(): Promise<void> }): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxTerminateMs)
  })
  // Best effort: the connection is closed anyway.
  await Promise.race([transport.terminateSession().catch(() => undefined), late])
  clearTimeout(timer)
}
