import { Failure } from '../../../../core/errors.js'
import { isLoopbackHost } from '../../../server/index.js'
import type { Invocation } from '../../program/invocation.js'
import { readSettings } from '../../session/locate-vault.js'
import { openTokenFile, tokenFor } from '../../session/server-token.js'

export async function printToken(invocation: Invocation, { newToken }: { newToken?: boolean }): Promise<void> {
  const { terminal } = invocation
  const { config } = await readSettings(invocation)
  if (newToken && config.serve.token !== undefined) {
    throw new Failure('conflict', 'The setting serve.token says which token is used.', {
      hint: 'Change it there, or take it out of the settings first.',
    })
  }
  const token = newToken ? await (await openTokenFile(invocation)).renew() : await tokenFor(invocation)
  if (terminal.json) terminal.printJson({ token })
  else terminal.print(token)
  if (newToken) terminal.say('A server that is running keeps the old one until it is started again.')
}

/** Other machines are let in only by someone who said so twice: with the flag, and with a token of their own. */
export async function checkHost(
  invocation: Invocation,
  { host, allowRemote }: { host: string; allowRemote?: boolean },
): Promise<void> {
  if (isLoopbackHost(host)) return
  if (!allowRemote) {
    throw new Failure('invalid-input', `${host} would let other machines in.`, {
      hint: 'Leave --host out to serve this machine alone, or add --allow-remote.',
    })
  }
  const { config } = await readSettings(invocation)
  if (config.serve.token === undefined) {
    throw new Failure('invalid-input', 'To let other machines in, set a token of your own first.', {
      hint: 'For example: NOTEWRIGHT_SERVE_TOKEN=$(openssl rand -hex 32) notewright serve --host … --allow-remote',
    })
  }
}
