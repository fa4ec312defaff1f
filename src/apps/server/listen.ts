import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Failure } from '../../core/errors.js'

/** Opens a port, 0 for any that is free; answers which it became. */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)))
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const hints: Record<string, [string, string]> = {
    EADDRINUSE: [
      `Port ${port} is taken by another program.`,
      'Choose another with --port, or any that is free: --port 0',
    ],
    EACCES: [`Port ${port} may not be opened by you.`, 'Choose one above 1023 with --port.'],
    EADDRNOTAVAIL: [`${host} is no address of this machine.`, 'Use --host 127.0.0.1'],
    ENOTFOUND: [`There is no host named ${host}.`, 'Use --host 127.0.0.1'],
  }
  const known = hints[error.code ?? '']
  return known === undefined ? error : new Failure('internal', known[0], { hint: known[1] })
}
