import { type RunningServer, startServer } from '../../../server/index.js'
import type { Invocation } from '../../program/invocation.js'
import { tokenFor } from '../../session/server-token.js'
import { withVault } from '../../session/with-session.js'
import { jsonLine, visibleLine } from '../../terminal/index.js'
import { openDoors } from './open-doors.js'
import { checkHost, printToken } from './serve-token.js'

export interface ServeOptions {
  port?: number
  host: string
  allowRemote?: boolean
  backend?: string
  dialect?: string
  codexTools?: string[]
  allow?: string[]
  showToken?: boolean
  newToken?: boolean
}

/** Serves the vault until it is told to stop. */
export async function serve(invocation: Invocation, options: ServeOptions): Promise<void> {
  if (options.showToken || options.newToken) return printToken(invocation, options)
  const { terminal, signal } = invocation
  await checkHost(invocation, options)
  await withVault(
    invocation,
    async (vault, folders) => {
      const { settings } = vault
      vault.notebook.follow()
      const token = await tokenFor(invocation)
      const doors = await openDoors({ invocation, options, vault, folders })
      const server = await startServer({
        host: options.host,
        port: options.port ?? settings.serve.port,
        token,
        doors,
        origins: settings.serve.origins,
        log: (line) => terminal.trace(visibleLine(line)),
      })
      announce(invocation, server, token)
      await until(signal)
      if (!terminal.json) terminal.say('Finishing open replies.')
      await server.close()
    },
    // Whoever is slow to start comes later: clients need not wait for it.
    { ...options, isRemote: true, serversMs: 0 },
  )
}

function announce({ terminal }: Invocation, { url }: RunningServer, token: string): void {
  if (terminal.json) terminal.print(jsonLine({ url, token }))
  else {
    terminal.print(`Listening on ${url}`)
    terminal.print('The token that clients send as their API key: notewright serve --show-token')
  }
}

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
