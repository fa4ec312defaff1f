import type { ModelReply, ModelRequest, Schema, Tool } from './request.js'
import { think } from './think.js'

/** The same model behind a server without tools: it reads of them in its instructions, and writes calls as it is told to. */
export function thinkInText(request: ModelRequest): ModelReply {
  const system = request.messages
    .filter(({ role }) => role === 'system')
    .map(({ text }) => text)
    .join('\n')
  const tools = taughtTools(system)
  const isClosed = /may not call|no tool (?:can|may) be called|do not call any tool/i.test(
    request.messages.at(-1)?.text ?? '',
  )
  const [, only] = /must call the tool (\S+) and no other/.exec(system) ?? []
  const messages = request.messages.flatMap((message) => {
    const results = [...message.text.matchAll(resultBlock)].map(([, , , , text]) => text)
    const words = message.text.replace(resultBlock, '').trim()
    if (message.role !== 'user' || results.length === 0) return [message]
    return [
      ...results.map((text) => ({ role: 'tool' as const, text })),
      ...(words === '' ? [] : [{ ...message, text: words }]),
    ]
  })
  const said = think({
    ...request,
    messages,
    tools,
    choice: isClosed
      ? 'none'
      : only
        ? { name: only }
        : /must call at least one tool/.test(system)
          ? 'required'
          : 'auto',
    parallel: !/Write at most one call/.test(system),
    json: request.json ?? jsonRule(system),
  })
  if (!said.calls) return said
  const blocks = said.calls.map(({ name, arguments: input }) =>
    system.includes('<use_tool>\n')
      ? `<use_tool>\n<name>${name}</name>\n<args>\n${input}\n</args>\n</use_tool>`
      : `<tool_call>{"name": ${JSON.stringify(name)}, "arguments": ${input}}</tool_call>`,
  )
  return { reasoning: said.reasoning, text: [said.text, ...blocks].join('\n') }
}

const resultBlock = /\[tool_result #(\w+) \d+ ([\w.:/-]*)( error)?\]\n([\s\S]*?)\n\[\/tool_result #\1\]/g

function taughtTools(system: string): Tool[] {
  const [, list = ''] = system.split('Available tools:\n\n')
  const found = list.matchAll(/^### (\S+)\n([\s\S]*?)Arguments \(JSON Schema\): (\{.*\})$/gm)
  return [...found].map(([, name, description, schema]) => ({
    name,
    description: description.trim(),
    schema: JSON.parse(schema) as Schema,
  }))
}

function jsonRule(system: string): ModelRequest['json'] {
  const [, schema] = /one JSON value that fits this JSON Schema: (\{.*\})$/m.exec(system) ?? []
  return schema === undefined ? undefined : { schema: JSON.parse(schema) as Schema }
}
