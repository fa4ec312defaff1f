/** A server at an address, behind a fetch of the host: greeted, registered, called, and left. */
export async function use({ connectServer, httpTransport, memoryReviewedTools, registry, toolServers }) {
  const echo = {
    name: 'echo',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    outputSchema: { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] },
  }
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'far', version: '1' },
    }),
    'tools/list': () => ({ tools: [echo] }),
    'tools/call': (params) => ({ content: [], structuredContent: { said: params.arguments.text } }),
  }
  const json = (message) =>
    new Response(JSON.stringify({ jsonrpc: '2.0', ...message }), { headers: { 'content-type': 'application/json' } })
  const fetch = async (_url, { method, body }) => {
    if (method !== 'POST') return new Response(null, { status: 405 })
    const { id, method: asked, params } = JSON.parse(body)
    if (id === undefined) return new Response(null, { status: 202 })
    const result = answers[asked]?.(params)
    return json(result ? { id, result } : { id, error: { code: -32601, message: 'Method not found' } })
  }
  const tools = registry()
  const seen = memoryReviewedTools()
  await seen.add('far', [echo])
  const troubles = []
  const servers = toolServers({
    servers: [
      { name: 'far', hash: '1', open: () => httpTransport({ server: 'far', url: 'https://example.org/mcp', fetch }) },
    ],
    connect: connectServer,
    registry: tools,
    seen,
    version: '1',
    onTrouble: (text) => troubles.push(text),
  })
  await servers.ready(10_000)
  const [{ tool, source }] = tools.all()
  const answer = await tool.run({ text: 'hello' }, { session: 'test', signal: new AbortController().signal })
  await servers.close()
  return { troubles, source, answer, left: tools.all().length }
}
