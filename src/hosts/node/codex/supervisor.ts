import { modelFailure } from '../../../core/model/index.js'
import { type AppServer, startAppServer } from './app-server.js'
import { codexContext } from './codex-context.js'
import type { Launch } from './codex-process.js'

/** Keeps one Codex process: starts it when it is first needed, and again when it has died, each time more slowly. */
export interface Supervisor {
  server(): Promise<AppServer>
}

export interface Patience {
  firstWaitMs: number
  longestWaitMs: number
  /** A process that lived this long had not failed to start. */
  stableMs: number
}

const usualPatience: Patience = { firstWaitMs: 500, longestWaitMs: 30_000, stableMs: 30_000 }

export function supervisor(launch: () => Promise<Launch>, patience = usualPatience): Supervisor {
  let current: Promise<AppServer> | undefined
  let failures = 0
  let notBefore = 0

  async function start(): Promise<AppServer> {
    const description = await launch().catch((error) => {
      current = undefined
      throw error
    })
    const startedAt = Date.now()
    try {
      const server = await startAppServer(description)
      void server.ended.then(() => {
        current = undefined
        if (Date.now() - startedAt >= patience.stableMs) failures = 0
        backOff()
      })
      return server
    } catch (error) {
      current = undefined
      backOff()
      throw error
    }
  }

  function backOff(): void {
    notBefore = Date.now() + Math.min(patience.longestWaitMs, patience.firstWaitMs * 2 ** failures)
    failures++
  }

  return {
    server() {
      if (current !== undefined) return current
      const waitMs = notBefore - Date.now()
      if (waitMs > 0) return Promise.reject(tooSoon(waitMs))
      current = start()
      return current
    },
  }
}

/** Whoever asked waits and asks again, as for a server that is overloaded. */
function tooSoon(waitMs: number) {
  return modelFailure('overloaded', codexContext(''), 'Codex has just died and is not started again at once.', {
    hint: 'Try again in a while. notewright doctor looks at Codex.',
    retryAfterMs: waitMs,
  })
}
