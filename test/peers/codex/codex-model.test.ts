import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askModel, type ModelMessage, type ReplyEvent } from '../../../src/core/model/index.js'
import { openApprovedCodex } from '../../codex/recorded-codex.js'
import { type ServedModel, serveModel } from '../scripted-model/serve-model.js'
import { codexHome, codexPath, codexVersions } from './real-codex.js'

const weather = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

describe.each(codexVersions)('Codex %s in front of a scripted model', (version) => {
  let served: ServedModel
  let model: Awaited<ReturnType<typeof openApprovedCodex>>
  let startedServers: string

  beforeAll(async () => {
    served = await serveModel({ pieceMs: 2 })
    const { home, startedServers: file } = await codexHome(served.url)
    startedServers = file
    model = await openApprovedCodex('scripted', {
      environment: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home },
      state: await mkdtemp(join(tmpdir(), 'notewright-state-')),
      settings: { path: codexPath(version), tools: [], environment: [] },
    })
  })
  afterAll(() => served.close())

  async function ask(messages: ModelMessage[], signal = new AbortController().signal): Promise<ReplyEvent[]> {
    const events: ReplyEvent[] = []
    for await (const event of askModel(model, { system: 'Be brief.', messages, tools: [weather], signal })) {
      events.push(event)
    }
    return events
  }

  it('calls two tools at once and answers from their results', async () => {
    const asked: ModelMessage[] = [{ role: 'user', content: 'How is the weather in Oslo and in Paris?' }]
    const first = await ask(asked)
    const calls = first.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
    expect(calls.map(({ input }) => input)).toEqual([{ city: 'Oslo' }, { city: 'Paris' }])
    const end = first.at(-1)!
    expect(end).toMatchObject({ type: 'finish', reason: 'tool-calls' })
    const results = calls.map(({ id, name, input }) => ({
      type: 'tool-result' as const,
      toolCallId: id,
      toolName: name,
      output: { type: 'text' as const, value: `Sunny in ${(input as { city: string }).city}` },
    }))
    const message = (end as Extract<ReplyEvent, { type: 'finish' }>).message as ModelMessage
    const second = await ask([...asked, message, { role: 'tool', content: results }])
    const text = second.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
    expect(text).toBe('This is what I found: Sunny in Oslo; Sunny in Paris')
  })

  it('offers its model none of its own tools that reach beyond the conversation, and starts none of its servers', async () => {
    await ask([{ role: 'user', content: 'Hello' }])
    const { tools = [] } = served.requests.at(-1) as { tools?: { name: string }[] }
    const own = tools.map(({ name }) => name).filter((name) => name !== 'get_weather')
    // 0.89 cannot be told to leave these out. None acts without being stopped: see own-tools.ts.
    const harmless = [
      'list_mcp_resources',
      'list_mcp_resource_templates',
      'read_mcp_resource',
      'update_plan',
      'view_image',
    ]
    expect(own).toEqual(version === '0.166' ? [] : harmless)
    expect(existsSync(startedServers)).toBe(false)
  })

  it('keeps its own instructions and hears ours beside them', async () => {
    await ask([{ role: 'user', content: 'Hello' }])
    const sent = JSON.stringify(served.requests.at(-1))
    expect(sent).toContain('You are a coding agent running in the Codex CLI')
    expect(sent).toContain('Be brief.')
  })

  it('stops asking its model when nobody listens', async () => {
    const before = served.left()
    const stop = new AbortController()
    const listen = async () => {
      const request = { messages: [{ role: 'user' as const, content: 'Count from 1 to 2000' }], signal: stop.signal }
      for await (const event of askModel(model, request))
        if (event.type === 'text-delta') stop.abort(new Error('enough'))
    }
    await expect(listen()).rejects.toThrow('enough')
    await expect.poll(() => served.left()).toBe(before + 1)
  })
})
