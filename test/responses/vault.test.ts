import { afterEach, describe, expect, it } from 'vitest'
import { configSchema } from '../../src/core/config/index.js'
import { vaultFromHost } from '../../src/core/session/index.js'
import { redPng } from '../browser/red-png.js'
import { memoryHost } from '../doubles/memory-host.js'
import { type ScriptedStep, scriptedModel } from '../doubles/scripted-model.js'
import { type TestEndpoint, testEndpoint } from './endpoint.js'

const opened: TestEndpoint[] = []
afterEach(async () => {
  for (const endpoint of opened.splice(0)) await endpoint.close()
})

const files = {
  'Beans.md': '# Beans\n\nBeans climb poles and fix nitrogen.\n',
  'Soup.md': '# Soup\n\nSoak the beans overnight.\n',
}

/** The vault served as a model whose replies are scripted. */
async function served(steps: Parameters<typeof scriptedModel>[0], allow: string[] = []) {
  const host = await memoryHost(files)
  const vault = vaultFromHost({ host, settings: configSchema.parse({}) })
  const model = scriptedModel(steps)
  const endpoint = await testEndpoint(
    {},
    {
      vault: {
        name: 'garden',
        openSession: (options) => vault.openSession({ ...options, keep: false, model, consent: 'locked', allow }),
      },
    },
  )
  opened.push(endpoint)
  return { endpoint, model, host }
}

const read: ScriptedStep = { call: [{ name: 'read_note', input: { path: 'Beans.md' } }] }
const answer: ScriptedStep = { say: 'They climb poles [[Beans]].' }
const ask = { model: 'notewright', input: 'What do beans do?' }

describe('the vault as a model', () => {
  it('is listed with its four modes', async () => {
    const { endpoint } = await served([answer])
    const { data } = (await (await endpoint.get('/v1/models')).json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual([
      'notewright',
      'notewright/vault-qa',
      'notewright/plan',
      'notewright/chat',
    ])
    expect((await endpoint.get('/v1/models/notewright/vault-qa')).status).toBe(200)
    expect((await endpoint.get('/v1/models/gpt-4o')).status).toBe(404)
  })

  it('streams its answer with its steps as a summary and its sources as annotations', async () => {
    const { endpoint } = await served([read, answer])
    const { final, events } = await endpoint.stream(ask)
    expect(final).toMatchObject({ status: 'completed', model: 'notewright' })
    const [steps, message] = final.output
    expect(steps).toMatchObject({ type: 'reasoning', summary: [{ text: expect.stringContaining('Reading') }] })
    expect(message.content[0]).toMatchObject({
      text: 'They climb poles [[Beans]].',
      annotations: [
        { type: 'url_citation', url: 'obsidian://open?vault=garden&file=Beans.md', start_index: 17, end_index: 26 },
      ],
    })
    expect(events.map(({ type }) => type).every((type) => /^response\.|^error$/.test(type))).toBe(true)
  })

  it('sends its steps as items to a client that includes them', async () => {
    const { endpoint } = await served([read, answer])
    const { final } = await endpoint.stream({ ...ask, include: ['notewright:steps'] })
    expect(final.output).toMatchObject([
      { type: 'notewright:step', tool: 'read_note', arguments: { path: 'Beans.md' }, ok: true },
      { type: 'message' },
    ])
  })

  it.each(['vault-qa', 'chat'])('answers in the mode of notewright/%s', async (mode) => {
    const { endpoint, model } = await served([answer])
    const { final } = await endpoint.stream({ ...ask, model: `notewright/${mode}` })
    expect(final).toMatchObject({ status: 'completed', model: `notewright/${mode}` })
    expect(JSON.stringify(model.prompts[0].prompt).includes('fix nitrogen')).toBe(mode === 'vault-qa')
  })

  it('makes only changes that a rule allows', async () => {
    const append: ScriptedStep = { call: [{ name: 'append_note', input: { path: 'Soup.md', content: 'Salt.' } }] }
    const refused = await served([append, answer])
    await refused.endpoint.stream({ model: 'notewright', input: 'Add salt.' })
    expect(await textOf(refused.host, 'Soup.md')).toBe(files['Soup.md'])
    const allowed = await served([append, answer], ['append_note(Soup.md)'])
    await allowed.endpoint.stream({ model: 'notewright', input: 'Add salt.' })
    expect(await textOf(allowed.host, 'Soup.md')).toContain('Salt.')
  })

  it('returns calls of client tools, runs its own, and continues with the outputs', async () => {
    const both: ScriptedStep = {
      say: 'Let me see.',
      call: [
        { name: 'read_note', input: { path: 'Beans.md' } },
        { name: 'get_weather', input: '{ "place": "Oslo" }' },
      ],
    }
    const { endpoint, model } = await served([both, answer])
    const tools = [{ type: 'function', name: 'get_weather', parameters: { type: 'object' } }]
    const first = await endpoint.stream({ ...ask, tools })
    expect(first.final.status).toBe('completed')
    const call = first.final.output.at(-1)
    expect(call).toMatchObject({ type: 'function_call', name: 'get_weather', arguments: '{ "place": "Oslo" }' })
    const output = { type: 'function_call_output', call_id: call.call_id, output: 'snow' }
    const second = await endpoint.stream({
      model: 'notewright',
      input: [output],
      tools,
      previous_response_id: first.final.id,
    })
    expect(second.final.output.at(-1)).toMatchObject({ type: 'message' })
    const prompt = JSON.stringify(model.prompts[1].prompt)
    expect(prompt).toContain('fix nitrogen')
    expect(prompt).toContain('snow')
    // The same from a client that sends the whole conversation.
    const echoed = [{ role: 'user', content: ask.input }, ...first.final.output, output]
    expect((await endpoint.stream({ model: 'notewright', input: echoed, tools, store: false })).final.status).toBe(
      'completed',
    )
    expect(JSON.stringify(model.prompts[2].prompt)).toContain('snow')
  })

  it('remembers the conversation, and uses system messages of the client as instructions', async () => {
    const { endpoint, model } = await served([answer, { say: 'Yes.' }])
    const first = await endpoint.respond({ ...ask, instructions: 'Answer in rhymes.' })
    await endpoint.respond({ model: 'notewright', input: 'Sure?', previous_response_id: first.id })
    expect(JSON.stringify(model.prompts[0].prompt[0])).toContain('Answer in rhymes.')
    expect(JSON.stringify(model.prompts[1].prompt)).toContain('They climb poles')
  })

  it('answers on chat completions too', async () => {
    const { endpoint } = await served([read, answer])
    const body = { model: 'notewright', messages: [{ role: 'user', content: ask.input }], max_tokens: 500, top_p: 1 }
    const whole = await (await endpoint.post('/v1/chat/completions', body)).json()
    expect(whole).toMatchObject({
      choices: [{ finish_reason: 'stop', message: { content: 'They climb poles [[Beans]].' } }],
    })
  })

  it('passes pictures on to the model', async () => {
    const { endpoint, model } = await served([answer])
    const picture = `data:image/png;base64,${Buffer.from(redPng(2, 2)).toString('base64')}`
    const content = [
      { type: 'input_text', text: 'What is it?' },
      { type: 'input_image', image_url: picture },
    ]
    expect(await endpoint.respond({ ...ask, input: [{ role: 'user', content }] })).toMatchObject({
      status: 'completed',
    })
    // This model accepts no pictures, and is told which one it misses.
    expect(JSON.stringify(model.prompts[0]?.prompt)).toContain('PNG picture, 2 × 2')
  })

  it('takes instructions that follow the input', async () => {
    const { endpoint, model } = await served([answer])
    const input = [
      { role: 'user', content: 'What do beans do?' },
      { role: 'system', content: 'Answer in French.' },
    ]
    expect(await endpoint.respond({ ...ask, input })).toMatchObject({ status: 'completed' })
    expect(JSON.stringify(model.prompts[0]?.prompt)).toContain('Answer in French.')
  })

  it.each([
    [
      'client tools in a mode other than agent',
      { model: 'notewright/chat', tools: [{ type: 'function', name: 'x' }] },
      'tools',
    ],
    ['a choice of tools', { tools: [{ type: 'function', name: 'x' }], tool_choice: 'required' }, 'tool_choice'],
    ['max_tool_calls', { max_tool_calls: 1 }, 'max_tool_calls'],
    [
      'an image at a web address',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://example.org/a.png' }] }] },
      'input',
    ],
    ['nothing said last', { input: [{ role: 'assistant', content: 'Hello' }] }, 'input'],
  ])('refuses %s and names the field', async (_what, more, param) => {
    const { endpoint } = await served([answer])
    expect(await endpoint.respond({ ...ask, ...more })).toMatchObject({ status: 400, error: { param } })
  })
})

async function textOf(host: Awaited<ReturnType<typeof memoryHost>>, path: string): Promise<string> {
  return (await host.memory.read(path as never))?.text ?? ''
}
