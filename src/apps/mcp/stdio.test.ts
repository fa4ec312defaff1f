import { PassThrough } from 'node:stream'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { connect } from '../../../test/mcp/connect.js'
import { handshakeVersions } from './server-info.js'
import { lineTransport } from './stdio.js'

async function open(options: Parameters<typeof lineTransport>[2] = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const said: { id?: unknown; error?: { code: number; message: string } }[] = []
  output.on('data', (chunk) =>
    said.push(
      ...String(chunk)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ),
  )
  const heard: unknown[] = []
  const transport = lineTransport(input, output, { maxBytes: 1000, ...options })
  transport.onmessage = (message) => void heard.push(message)
  await transport.start()
  return { input, said, heard, transport }
}

const ping = (id: number, more = '') => `{"jsonrpc":"2.0","id":${id},"method":"ping"${more}}\n`

describe('lines', () => {
  it('are read however they are split', async () => {
    const { input, heard } = await open()
    for (const character of ping(1) + ping(2)) input.write(character)
    input.write(`${ping(3)}${ping(4)}`)
    expect(heard).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }])
  })

  it.each([
    ['an id at the end', `{"jsonrpc":"2.0","method":"tools/call","params":{"x":"${'a'.repeat(5000)}"},"id":7}\n`, 7],
    [
      'an id at the start',
      `{"jsonrpc":"2.0","id":"seven","method":"x","params":{"x":"${'a'.repeat(5000)}"}}\n`,
      'seven',
    ],
    ['an id inside its parameters alone', `{"jsonrpc":"2.0","params":{"id":8,"x":"${'a'.repeat(5000)}"}}\n`, null],
  ])('that are too long, with %s, get an error, and the next one is read', async (_, line, id) => {
    const { input, said, heard } = await open()
    for (let at = 0; at < line.length; at += 100) input.write(line.slice(at, at + 100))
    input.write(ping(2))
    expect(said).toMatchObject([{ id, error: { code: -32600 } }])
    expect(heard).toMatchObject([{ id: 2 }])
  })

  it.each([
    ['{"jsonrpc":"2.0","id":1,', -32700],
    ['nonsense', -32700],
    [`[${Array.from({ length: 10 }, (_, at) => ping(at).trim()).join()}]`, -32600],
    ['{"id":1,"method":"ping"}', -32600],
    ['"text"', -32600],
    ['null', -32600],
  ])('that are not a message, such as %s, get an error', async (line, code) => {
    const { input, said, heard } = await open()
    input.write(`${line}\n\n${ping(2)}`)
    expect(said).toMatchObject([{ error: { code } }])
    expect(heard).toMatchObject([{ id: 2 }])
  })

  it('with too many open requests are refused one by one', async () => {
    const { input, said, transport } = await open({ maxOpen: 2 })
    input.write(ping(1) + ping(2) + ping(3))
    expect(said).toMatchObject([{ id: 3, error: { code: -32000 } }])
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} })
    input.write(ping(4))
    expect(said).toHaveLength(2)
  })
})

describe('the first answer', () => {
  it('is the same as the answer of the SDK', async () => {
    const protocols = [...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < '2026'), '1999-01-01']
    expect(handshakeVersions).toEqual(SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < '2026'))
    for (const protocolVersion of protocols) {
      const client = await connect({ 'A.md': 'a' })
      const clientInfo = { name: 'Second', version: '1' }
      // A second handshake is not greeted: it gets the machinery's answer.
      const second = await client.request('initialize', { protocolVersion, capabilities: {}, clientInfo })
      const { handshake } = await import('./server-info.js')
      expect(second.result).toEqual(handshake({ names: ['Notes'] }, protocolVersion))
      await client.close()
    }
  })

  it('is an error for an invalid handshake', async () => {
    const client = await connect({ 'A.md': 'a' })
    expect((await client.request('initialize', { protocolVersion: 7 })).error).toBeDefined()
    await client.close()
  })
})
