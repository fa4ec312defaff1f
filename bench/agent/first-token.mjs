#!/usr/bin/env node
// How much later the first word is seen because of us: the model's own stream against the same stream behind a
// dialect, and the AI SDK alone against our step around it. `node bench/agent/first-token.mjs [rounds]`

import { jsonSchema, streamText, tool } from 'ai'
import { bundled } from '../bundled.mjs'
import { median, percentile } from '../statistics.mjs'

globalThis.AI_SDK_LOG_WARNINGS = false
const rounds = Number(process.argv[2] ?? 300)
const { withDialect, askModel, profileFor } = await bundled('src/core/dialects/index.ts', 'src/core/model/index.ts')
const profile = { ...profileFor('anything'), parallelCalls: true }

/** Twenty tools and a conversation of ten calls, as a turn in the middle of its work has them. */
const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string', description: 'Path of the note' }, limit: { type: 'integer' } },
  required: ['path'],
}
const tools = Array.from({ length: 20 }, (_, at) => ({
  name: `tool_${at}`,
  description: 'Reads something from the notes and gives back what it has found there. '.repeat(3),
  inputSchema,
}))
const result = 'A line of a note with some words in it, <b>markup</b> and a [[link]].\n'.repeat(60)
const messages = [{ role: 'user', content: 'What do the notes say?' }]
for (let at = 0; at < 10; at++) {
  const call = { toolCallId: `c${at}`, toolName: `tool_${at}` }
  messages.push(
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { path: `${at}.md` } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: result } }] },
  )
}
const prompt = [
  { role: 'system', content: 'You answer from the notes. '.repeat(40) },
  ...messages.map((message) =>
    typeof message.content === 'string' ? { ...message, content: [{ type: 'text', text: message.content }] } : message,
  ),
]
const params = { prompt, tools: tools.map((each) => ({ type: 'function', ...each })) }

/** Sends one word after a moment, and then says when it did. */
function slowModel(sent) {
  const finish = {
    type: 'finish',
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: { inputTokens: {}, outputTokens: {} },
  }
  return {
    specificationVersion: 'v3',
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    async doStream() {
      sent.asked = performance.now()
      return {
        stream: new ReadableStream({
          async start(controller) {
            controller.enqueue({ type: 'stream-start', warnings: [] })
            await new Promise((resolve) => setTimeout(resolve, 2))
            controller.enqueue({ type: 'text-start', id: '0' })
            sent.at = performance.now()
            controller.enqueue({ type: 'text-delta', id: '0', delta: 'Hello' })
            await new Promise((resolve) => setTimeout(resolve, 2))
            controller.enqueue({ type: 'text-end', id: '0' })
            controller.enqueue(finish)
            controller.close()
          },
        }),
      }
    },
  }
}

/** Both halves of the delay: before the request goes out, and from the word sent to the word seen. */
const ways = {
  'stream, bare': (model) => throughStream(model),
  'stream, sentinel': (model) => throughStream(withDialect(model, { dialect: 'sentinel', profile })),
  'stream, use-tool': (model) => throughStream(withDialect(model, { dialect: 'use-tool', profile })),
  'stream, native reading text calls': (model) =>
    throughStream(withDialect(model, { dialect: 'native', textCalls: true, profile })),
  'AI SDK alone': throughSdk,
  'our step, native': (model) => throughStep(model),
  'our step, sentinel': (model) => throughStep(withDialect(model, { dialect: 'sentinel', profile })),
}

async function throughStream(model) {
  const { stream } = await model.doStream(params)
  const reader = stream.getReader()
  let seen
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (next.value.type === 'text-delta') seen ??= performance.now()
  }
  return seen
}

async function throughSdk(model) {
  const offered = tools.map(({ name, description }) => [
    name,
    tool({ description, inputSchema: jsonSchema(inputSchema) }),
  ])
  const { fullStream } = streamText({ model, messages, tools: Object.fromEntries(offered), maxRetries: 0 })
  let seen
  for await (const part of fullStream) if (part.type === 'text-delta') seen ??= performance.now()
  return seen
}

async function throughStep(model) {
  let seen
  for await (const event of askModel(model, { messages, tools, profile, signal: new AbortController().signal })) {
    if (event.type === 'text-delta') seen ??= performance.now()
  }
  return seen
}

const delays = Object.fromEntries(Object.keys(ways).map((name) => [name, { request: [], word: [] }]))
for (let round = -20; round < rounds; round++) {
  for (const [name, way] of Object.entries(ways)) {
    const sent = {}
    const model = slowModel(sent)
    const start = performance.now()
    const seen = await way(model)
    if (round < 0) continue
    delays[name].request.push(sent.asked - start)
    delays[name].word.push(seen - sent.at)
  }
}

const shown = (values) => `${median(values).toFixed(3)} (p95 ${percentile(values, 0.95).toFixed(3)})`
console.log(`first word, ms, median of ${rounds} rounds in turn`)
for (const [name, { request, word }] of Object.entries(delays)) {
  const both = request.map((ms, at) => ms + word[at])
  console.log(
    `${name.padEnd(36)} request ${shown(request).padEnd(22)} word ${shown(word).padEnd(22)} both ${shown(both)}`,
  )
}
