import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectWithoutSdk, stdioTransport } from '../../src/core/mcp/index.js'
import { nodePrograms } from '../../src/hosts/node/mcp-servers.js'
import { echo, isAlive, oddProgram } from './odd-servers.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notewright-plain-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Ways {
  startMs?: number
  onTools?: (tools: readonly { name: string }[]) => void
  onEnd?: (why: Error) => void
}

function connect(args: string[], ways: Ways = {}) {
  const lines: string[] = []
  const transport = stdioTransport(
    {
      server: 'odd',
      command: process.execPath,
      args: [oddProgram, ...args],
      environment: { PATH: process.env.PATH ?? '' },
      onLine: (line) => lines.push(line),
    },
    nodePrograms,
  )
  return { lines, connected: connectWithoutSdk({ name: 'odd', transport, version: '1', ...ways }) }
}
const caller = (ms?: number) => ({
  session: 's',
  signal: ms === undefined ? new AbortController().signal : AbortSignal.timeout(ms),
})

describe('a server that is a program, used without the SDK', () => {
  it.each(['good', 'chatty'])('that is %s connects, lists tools, is called and ends', async (way) => {
    const { lines, connected } = connect([way])
    const connection = await connected
    expect(connection.server).toEqual({ name: 'odd-server', version: '1.2.3' })
    expect(connection.tools).toEqual([echo])
    expect((await connection.call('echo', { text: 'hello ✓' }, caller())).text).toBe('hello ✓')
    expect(lines).toEqual(['odd-server is there'])
    await connection.close()
  })

  it.each([
    ['dies', /exited \(exit code 3\): odd-server is there/],
    ['long-line', /a message of more than \d+ bytes, so it was disconnected/],
    ['notifications', /more than \d+ messages in ten seconds, so it was disconnected/],
  ])('that %s fails the call with a sentence, and does not hang', async (way, sentence) => {
    const ends: Error[] = []
    const connection = await connect([way], { onEnd: (why) => ends.push(why) }).connected
    await expect(connection.call('echo', { text: 'x' }, caller())).rejects.toThrow(sentence)
    await expect.poll(() => ends.map(({ message }) => message)).toEqual([expect.stringMatching(sentence)])
    await connection.close()
  })

  it.each(['hangs', 'lists-never'])('that %s is abandoned in time, and no process is left', async (way) => {
    await expect(connect([way], { startMs: 1500 }).connected).rejects.toThrow('did not answer in time')
  })

  it('that never answers a call times out with its caller', async () => {
    const connection = await connect(['calls-never']).connected
    await expect(connection.call('echo', { text: 'x' }, caller(200))).rejects.toMatchObject({ name: 'TimeoutError' })
    await connection.close()
  })

  it('that ignores the end of input is killed', async () => {
    const pid = join(folder, 'pid')
    const connection = await connect(['stubborn', pid]).connected
    await connection.close()
    expect(isAlive(Number(await readFile(pid, 'utf8')))).toBe(false)
  })

  it('is asked again when it says that its tools have changed', async () => {
    const file = join(folder, 'tools.json')
    await writeFile(file, JSON.stringify([echo]))
    const told: string[][] = []
    const connection = await connect(['lists', file], {
      onTools: (tools) => told.push(tools.map(({ name }) => name)),
    }).connected
    // In one stroke: the server reads the file whenever it has changed.
    await writeFile(`${file}.new`, JSON.stringify([echo, { ...echo, name: 'second' }]))
    await rename(`${file}.new`, file)
    await expect.poll(() => told.at(-1)).toEqual(['echo', 'second'])
    expect(connection.tools).toHaveLength(2)
    await connection.close()
  })

  it('that does not exist is reported in one sentence', async () => {
    const launch = { server: 'odd', command: 'no-such-program-here', args: [], environment: {} }
    const transport = stdioTransport(launch, nodePrograms)
    await expect(connectWithoutSdk({ name: 'odd', transport, version: '1' })).rejects.toThrow(
      'the program was not found',
    )
  })
})
