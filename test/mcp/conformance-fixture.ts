import {
  type CallToolResult,
  type InputRequiredResult,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'

/**
 * The names that the conformance suite calls (its scenarios describe them), served by our own transport, gate and
 * sessions. What the vault's server answers is not tested by this: only that the protocol around it is kept.
 */
export function fixtureServer(): Server {
  const server = new Server(
    { name: 'fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
    },
  )
  server.setRequestHandler('tools/list', async () => ({ tools: Object.entries(tools).map(described) }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }, context) => {
    const tool = tools[name]
    if (tool === undefined) return failed(`Unknown tool: ${name}`)
    try {
      return await tool.call(given, context)
    } catch (error) {
      return failed((error as Error).message)
    }
  })
  server.setRequestHandler('resources/list', async () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri.slice(7), mimeType })),
  }))
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
    const made = id && {
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    }
    const found = made || resources[uri]
    if (!found) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, ...found }] }
  })
  server.setRequestHandler('resources/subscribe', async () => ({}))
  server.setRequestHandler('resources/unsubscribe', async () => ({}))
  server.setRequestHandler('prompts/list', async () => ({
    prompts: Object.entries(prompts).map(([name, { arguments: wanted = [] }]) => ({
      name,
      description: name,
      arguments: wanted.map((one) => ({ name: one, required: true })),
    })),
  }))
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }) => ({
    messages: prompts[name].messages(given).map((content) => ({ role: 'user' as const, content })),
  }))
  server.setRequestHandler('completion/complete', async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }))
  return server
}

type Given = Record<string, unknown>

interface FixtureTool {
  schema?: Record<string, unknown>
  call(given: Given, context: ServerContext): Promise<CallToolResult | InputRequiredResult>
}

const described = ([name, { schema }]: [string, FixtureTool]): Tool => ({
  name,
  description: name.replaceAll('_', ' '),
  inputSchema: (schema ?? { type: 'object', properties: {} }) as Tool['inputSchema'],
})

const texts = (...all: string[]): CallToolResult => ({ content: all.map((text) => ({ type: 'text', text })) })
const failed = (text: string): CallToolResult => ({ ...texts(text), isError: true })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const text = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] })

/** One red pixel, and silence. */
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

const embedded = (uri: string, mimeType: string, content: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: content } }) as const

async function elicit({ mcpReq }: ServerContext, message: string, properties: Given, required: string[] = []) {
  const requestedSchema = { type: 'object', properties, required }
  const { action, content = {} } = await mcpReq.send({
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema },
  })
  return texts(`User response: action=${action}, content=${JSON.stringify(content)}`)
}

const titled = (...values: string[]) => values.map((value) => ({ const: value, title: `Title of ${value}` }))

const tools: Record<string, FixtureTool> = {
  test_simple_text: { call: async () => texts('This is a simple text response for testing.') },
  test_image_content: { call: async () => ({ content: [{ type: 'image', data: picture, mimeType: 'image/png' }] }) },
  test_audio_content: { call: async () => ({ content: [{ type: 'audio', data: sound, mimeType: 'audio/wav' }] }) },
  test_embedded_resource: {
    call: async () => ({
      content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  },
  test_multiple_content_types: {
    call: async () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: picture, mimeType: 'image/png' },
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  test_tool_with_logging: {
    async call(_, { mcpReq }) {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.log('info', data)
        await pause(50)
      }
      return texts('Done.')
    },
  },
  test_tool_with_progress: {
    async call(_, { mcpReq }) {
      const progressToken = mcpReq._meta?.progressToken ?? 0
      for (const progress of [0, 50, 100]) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
        await pause(50)
      }
      return texts('Done.')
    },
  },
  test_error_handling: {
    call: async () => {
      throw new Error('This tool intentionally returns an error for testing')
    },
  },
  test_reconnection: {
    async call(_, { http }) {
      http?.closeSSE?.()
      await pause(100)
      return texts('Reconnection test completed successfully.')
    },
  },
  test_sampling: {
    schema: text('prompt'),
    async call({ prompt }, { mcpReq }) {
      const messages = [{ role: 'user', content: { type: 'text', text: prompt } }]
      const { content } = await mcpReq.send({ method: 'sampling/createMessage', params: { messages, maxTokens: 100 } })
      return texts(`LLM response: ${JSON.stringify(content)}`)
    },
  },
  test_elicitation: {
    schema: text('message'),
    call: ({ message }, context) =>
      elicit(context, String(message), { response: { type: 'string', description: 'Your response' } }, ['response']),
  },
  test_elicitation_sep1034_defaults: {
    call: (_, context) =>
      elicit(context, 'Please look at these fields', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
  },
  test_elicitation_sep1330_enums: {
    call: (_, context) =>
      elicit(context, 'Please choose', {
        untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        titledSingle: { type: 'string', oneOf: titled('value1', 'value2', 'value3') },
        legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
        untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
        titledMulti: { type: 'array', items: { anyOf: titled('value1', 'value2', 'value3') } },
      }),
  },
  json_schema_2020_12_tool: {
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
    call: async (given) => texts(JSON.stringify(given)),
  },
}

const resources: Record<string, { mimeType: string } & ({ text: string } | { blob: string })> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: picture },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched resource content' },
}

type Content =
  | ReturnType<typeof embedded>
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }

const says = (words: string): Content => ({ type: 'text', text: words })

const prompts: Record<string, { arguments?: string[]; messages(given: Record<string, string>): Content[] }> = {
  test_simple_prompt: { messages: () => [says('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    messages: ({ arg1, arg2 }) => [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    messages: ({ resourceUri }) => [
      embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      says('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: {
    messages: () => [{ type: 'image', data: picture, mimeType: 'image/png' }, says('Please analyze the image above.')],
  },
}
