// Our client as a program: greets the server at the address it is given, and calls each of its tools once.
import { connectServer, httpTransport } from '../../../src/core/mcp/index.js'

const url = process.argv.at(-1)!
const transport = await httpTransport({ server: 'conformance', url, fetch })
const connection = await connectServer({
  name: 'conformance',
  version: '1',
  transport,
  // A user who takes what is proposed.
  async ask({ form }) {
    const fields = Object.entries(form.properties)
    const values = fields.flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]]))
    return { kind: 'answered', values: Object.fromEntries(values) }
  },
})
for (const { name, inputSchema } of connection.tools) {
  const { properties = {} } = inputSchema as { properties?: Record<string, { type: string }> }
  const input = Object.entries(properties).map(([field, { type }]) => [field, type === 'number' ? 5 : 'text'])
  const context = { session: 'conformance', signal: AbortSignal.timeout(20_000) }
  await connection.call(name, Object.fromEntries(input), context)
}
await connection.close()
process.exit()
