import { PassThrough } from 'node:stream'
import { type McpSetup, servedVaults, serveOnStdio } from '../../src/apps/mcp/index.js'
import { configSchema } from '../../src/core/config/index.js'
import { type OpenedVault, vaultFromHost } from '../../src/core/session/index.js'
import { type MemoryHost, memoryHost } from '../doubles/memory-host.js'

type Message = Record<string, unknown> & { id?: number | string | null; method?: string; params?: Fields }
type Fields = Record<string, never> & Record<string, unknown>

/** The response to a request, as it was on the wire. */
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind
  result?: any
  error?: { code: number; message: string; data?: unknown }
}

/** The user's answer to a form: content, `decline`, `cancel`, or nothing at all. */
export type Person = (form: Form) => Record<string, unknown> | 'decline' | 'cancel' | 'silence'

export interface Form {
  message: string
  requestedSchema: { properties: Record<string, Record<string, unknown>>; required?: string[] }
}

export interface ConnectOptions extends Omit<McpSetup, 'vaults'> {
  /** Absent: the client cannot ask anybody. */
  person?: Person
  name?: string
  protocol?: string
  settings?: Record<string, unknown>
  /** Another client of the same vault, whose connection may be over: the vault is as it left it. */
  after?: TestClient
  /** How long a request waits for an answer. */
  expiryMs?: number
  /** Further vaults by name, beside `Notes`. */
  more?: Record<string, Record<string, string>>
}

export interface TestClient {
  host: MemoryHost
  vault: OpenedVault
  request(method: string, params?: object): Promise<Answer>
  call(name: string, input?: object): Promise<Answer>
  /** The failure a call came to, as the model reads it. */
  failure(name: string, input?: object): Promise<{ code: string; text: string; hint?: string }>
  send(line: string): void
  notify(method: string, params?: object): void
  /** Notifications and forms, in their order. */
  heard: Message[]
  forms: Form[]
  /** Ends the connection alone. */
  leave(): Promise<void>
  close(): Promise<void>
}

const modern = '2026-07-28'

/** A client of a server on a vault in memory, over the very lines that real ones send. */
export async function connect(files: Record<string, string>, options: ConnectOptions = {}): Promise<TestClient> {
  const {
    person,
    name = 'Test Client',
    protocol = '2025-11-25',
    settings = {},
    more = {},
    expiryMs,
    after,
    ...rest
  } = options
  const hosts = { Notes: after?.host ?? (await memoryHost(files)) } as Record<string, MemoryHost>
  for (const [vault, own] of Object.entries(more)) hosts[vault] = await memoryHost(own)
  const opened = Object.fromEntries(
    Object.entries(hosts).map(([vault, host]) => [
      vault,
      vaultFromHost({ host, settings: configSchema.parse(settings), approvalOptions: { remote: true, expiryMs } }),
    ]),
  )
  if (after !== undefined) opened.Notes = after.vault
  const vaults = servedVaults(Object.fromEntries(Object.entries(opened).map(([at, one]) => [at, async () => one])))
  const [input, output] = [new PassThrough(), new PassThrough()]
  const serving = serveOnStdio({
    client: { trustsForms: true },
    ...rest,
    vaults,
    input,
    output,
    signal: new AbortController().signal,
  })
  const waiting = new Map<unknown, (answer: Answer) => void>()
  const client: TestClient = {
    host: hosts.Notes,
    vault: opened.Notes,
    heard: [],
    forms: [],
    request(method, params = {}) {
      const id = ++count
      const sent = protocol === modern ? { ...params, _meta: { ...envelope(), ...metaOf(params) } } : params
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        client.send(JSON.stringify({ jsonrpc: '2.0', id, method, params: sent }))
      })
    },
    call: (tool, given = {}) => client.request('tools/call', { name: tool, arguments: given }),
    async failure(tool, given) {
      const { result } = await client.call(tool, given)
      return result?.isError ? JSON.parse(result.content[0].text) : { code: 'none', text: JSON.stringify(result) }
    },
    send: (line) => void input.write(`${line}\n`),
    notify: (method, params) => client.send(JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })),
    async leave() {
      input.end()
      await serving
    },
    async close() {
      await client.leave()
      await Promise.all(Object.values(opened).map((one) => one.close()))
    },
  }
  let count = 0
  const clientCapabilities = person ? { elicitation: {} } : {}
  const clientInfo = { name, version: '1' }
  const envelope = () => ({
    'io.modelcontextprotocol/protocolVersion': modern,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': clientCapabilities,
  })

  function hear(message: Message): void {
    if (message.method === undefined) {
      waiting.get(message.id)?.(message as Answer)
      waiting.delete(message.id)
      return
    }
    client.heard.push(message)
    if (message.method !== 'elicitation/create') return
    const form = message.params as unknown as Form
    client.forms.push(form)
    const said = person?.(form) ?? 'cancel'
    if (said === 'silence') return
    const result = typeof said === 'string' ? { action: said } : { action: 'accept', content: said }
    client.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
  }

  let unfinished = ''
  output.on('data', (chunk) => {
    const lines = (unfinished + chunk).split('\n')
    unfinished = lines.pop() ?? ''
    for (const line of lines) hear(JSON.parse(line))
  })
  if (protocol !== modern) {
    await client.request('initialize', { protocolVersion: protocol, capabilities: clientCapabilities, clientInfo })
    client.notify('notifications/initialized')
  }
  return client
}

const metaOf = (params: object): object => (params as { _meta?: object })._meta ?? {}
