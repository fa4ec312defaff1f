import { lstat } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Config } from '../../../../core/config/index.js'
import { tokenFile } from '../../../../hosts/node/keys/index.js'
import type { Finding } from './finding.js'

/** Whether `notewright serve` could start: its port is free, and its token nobody else's to read. */
export async function checkServe({ serve }: Pick<Config, 'serve'>, state: string): Promise<Finding[]> {
  return [await checkPort(serve.port), await checkToken(serve, state)]
}

async function checkPort(port: number): Promise<Finding> {
  const subject = 'Server port'
  if (port === 0) return { subject, state: 'ok', text: 'any that is free' }
  const error = await whyNot(port)
  if (error === undefined) return { subject, state: 'ok', text: `${port} is free` }
  if (error !== 'EADDRINUSE') {
    return {
      subject,
      state: 'warn',
      text: `${port} cannot be opened (${error})`,
      advice: 'Choose another: notewright config set serve.port 8428',
    }
  }
  const advice = 'If it is not notewright serve itself, choose another: notewright config set serve.port 8428'
  return { subject, state: 'warn', text: `${port} is taken by a program that runs`, advice }
}

/** Opens the port for a moment; the system's word for what is in the way. */
function whyNot(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)))
  })
}

async function checkToken({ token }: Config['serve'], state: string): Promise<Finding> {
  const subject = 'Server token'
  if (token !== undefined) return { subject, state: 'ok', text: 'as serve.token says' }
  const { path } = tokenFile({ state })
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined) return { subject, state: 'ok', text: 'made when notewright serve first starts' }
  if (!found.isFile()) return { subject, state: 'fail', text: `${path} is no file`, advice: `Remove it: rm '${path}'` }
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    return { subject, state: 'fail', text: `${path} can be read by others`, advice: 'notewright serve --new-token' }
  }
  return { subject, state: 'ok', text: `${path}, yours alone` }
}
