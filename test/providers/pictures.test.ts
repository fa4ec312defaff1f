import { LLMock } from '@copilotkit/aimock'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/core/agent/index.js'
import { configSchema } from '../../src/core/config/index.js'
import { withDialect } from '../../src/core/dialects/index.js'
import { openModel } from '../../src/core/providers/index.js'
import { vaultFromHost } from '../../src/core/session/index.js'
import { memoryHost } from '../doubles/memory-host.js'
import { sampleFiles } from '../samples/sample-files.js'
import { everyProvider } from './every-provider.js'
import { type Loopback, loopback } from './loopback.js'
import { ollamaServer } from './ollama-server.js'

const { png, jpeg, pdf } = sampleFiles
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const dataUrl = (bytes: Uint8Array, type: string) => `data:${type};base64,${base64(bytes)}`

/** A model of each that looks at pictures, and how its provider wants them. */
const wires: Record<string, { model: string; image: object; pdf?: object }> = {
  openai: {
    model: 'gpt-4o',
    image: { type: 'input_image', image_url: dataUrl(png, 'image/png') },
    pdf: { type: 'input_file', filename: 'plan.pdf', file_data: dataUrl(pdf, 'application/pdf') },
  },
  anthropic: {
    model: 'claude-3-5-haiku-latest',
    image: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(png) } },
    pdf: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64(pdf) } },
  },
  gemini: {
    model: 'gemini-2.0-flash',
    image: { inlineData: { mimeType: 'image/png', data: base64(png) } },
    pdf: { inlineData: { mimeType: 'application/pdf', data: base64(pdf) } },
  },
  openrouter: {
    model: 'anthropic/claude-3.5-haiku',
    image: { type: 'image_url', image_url: { url: dataUrl(png, 'image/png') } },
    pdf: { type: 'file', file: { filename: 'plan.pdf', file_data: dataUrl(pdf, 'application/pdf') } },
  },
  ollama: { model: 'llama3.2-vision', image: { type: 'image_url', image_url: { url: dataUrl(png, 'image/png') } } },
  lmstudio: { model: 'qwen2.5-vl-7b', image: { type: 'image_url', image_url: { url: dataUrl(png, 'image/png') } } },
  compatible: { model: 'pixtral-12b', image: { type: 'image_url', image_url: { url: dataUrl(png, 'image/png') } } },
}

let mock: LLMock
let proxy: Loopback

beforeEach(async () => {
  mock = new LLMock({ port: 0, host: '127.0.0.1' })
  await mock.start()
  mock.onMessage('Which plant', { content: 'A quince.', finishReason: 'stop' })
  // The request as it is sent; the mock answers it only if it understands it.
  proxy = await loopback(async (response, { path, body }) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer x', 'x-api-key': 'x' }
    const answer = await fetch(`${mock.url}${path}`, { method: 'POST', headers, body })
    const type = answer.headers.get('content-type') ?? 'text/plain'
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text())
  })
})

afterEach(async () => {
  await proxy.stop()
  await mock.stop()
})

/** One turn of a session with that model: a picture of the vault, one that is handed over, and a PDF. */
async function turnWith(name: string, environment: Record<string, string | undefined>, dialect = 'native') {
  const host = await memoryHost({ 'Files/bed.png': png, 'Files/plan.pdf': pdf })
  host.openModel = async (asked, _dialect, wish) => {
    const opened = await openModel(asked, { environment, fetch, ...wish })
    return { ...opened, model: withDialect(opened.model, { dialect, profile: opened.profile, name: asked }) }
  }
  const vault = vaultFromHost({ host, settings: configSchema.parse({}), approvalOptions: { remote: true } })
  const session = await vault.openSession({ id: 's', model: name, autoTitle: false })
  const events: AgentEvent[] = []
  const files = [{ name: 'leaf.jpg', bytes: jpeg }]
  for await (const event of session.ask({ text: 'Which plant is in @bed.png and @plan.pdf?', files }))
    events.push(event)
  await vault.close()
  return { events, requests: host.log.requests }
}

const notices = (events: AgentEvent[]) => events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))

describe.each(everyProvider)('pictures for $name', ({ name, environment }) => {
  const provider = name.split('/')[0]
  const { model, image, pdf: document } = wires[provider]
  const isTaken = document !== undefined

  it.each(['native', 'sentinel'])("are sent in the provider's format, in the dialect %s", async (dialect) => {
    const { events, requests } = await turnWith(`${provider}/${model}`, environment(proxy.url), dialect)
    expect(events.at(-1)).toMatchObject({ reason: 'answered', text: 'A quince.' })
    // Before it, some are asked how much fits.
    const sent = proxy.requests.filter(({ body }) => body !== '').at(-1)!
    const found = partsIn(JSON.parse(sent.body))
    expect(found).toContainEqual(expect.objectContaining(image))
    expect(sent.body).toContain(base64(jpeg))
    if (isTaken) expect(found).toContainEqual(expect.objectContaining(document))
    else expect(sent.body).not.toContain(base64(pdf))
    expect(notices(events)).toEqual(
      isTaken ? [] : [`Files/plan.pdf was not sent: ${provider}/${model} doesn't accept PDFs.`],
    )
    // The ledger says what of the vault was in it, and what was handed over.
    expect(requests.at(-1)).toMatchObject({
      bytes: Buffer.byteLength(sent.body),
      notes: ['Files/bed.png', ...(isTaken ? ['Files/plan.pdf'] : [])],
      files: ['leaf.jpg'],
    })
  })
})

it('are sent to Ollama’s own API in its format', async () => {
  const server = await ollamaServer({ model: () => ({ say: 'A quince.' }) })
  const { events } = await turnWith('ollama/llava:7b', server.environment)
  expect(events.at(-1)).toMatchObject({ reason: 'answered', text: 'A quince.' })
  const { messages } = server.seen.at(-1)!
  expect(messages.at(-1)).toMatchObject({ role: 'user', images: [base64(jpeg), base64(png)] })
  expect(messages.at(-1)!.content).toContain('Which plant')
  await server.stop()
})

it('are not sent to a model that accepts none', async () => {
  const { environment } = everyProvider.find(({ name }) => name.startsWith('lmstudio'))!
  const { events, requests } = await turnWith('lmstudio/qwen3-8b', environment(proxy.url))
  expect(events.at(-1)).toMatchObject({ reason: 'answered' })
  for (const { body } of proxy.requests) for (const bytes of [png, jpeg, pdf]) expect(body).not.toContain(base64(bytes))
  expect(requests.every(({ notes, files }) => notes.length === 0 && files === undefined)).toBe(true)
  expect(notices(events)).toHaveLength(3)
})

/** Every object in a body, however deep. */
function partsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(partsIn)]
}
