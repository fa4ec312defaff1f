import { client, methods, type RequestPermissionRequest, type SessionNotification } from '@agentclientprotocol/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { memoryHost } from '../../../test/doubles/memory-host.js'
import { type ScriptedStep, scriptedModel } from '../../../test/doubles/scripted-model.js'
import { configSchema } from '../../core/config/index.js'
import { vaultFromHost } from '../../core/session/index.js'
import { notePath } from '../../core/vault/index.js'
import { acpAgent } from './agent.js'

const notes = {
  'Garden/Peas.md': '# Peas\n\nPeas like cool soil.\n',
  'Garden/Beans.md': '# Beans\n\nBeans climb poles. See [[Peas]].\n',
}

type Choose = (request: RequestPermissionRequest) => string | undefined

/** An editor connected to the agent in memory. It answers permission requests with the option that `choose` names. */
async function editor(steps: readonly ScriptedStep[], choose: Choose = () => 'once') {
  const host = await memoryHost(notes)
  const vault = vaultFromHost({ host, settings: configSchema.parse({}) })
  const model = scriptedModel(steps)
  const troubles: string[] = []
  const updates: SessionNotification['update'][] = []
  const asked: RequestPermissionRequest[] = []
  const { app, close } = acpAgent({
    version: '1.0.0',
    openVault: async () => ({ vault, root: '/vault' }),
    session: { model },
    models: async () => ['offline'],
    onTrouble: (text) => troubles.push(text),
  })
  const connection = client({ name: 'test' })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      asked.push(params)
      const optionId = choose(params)
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } }
    })
    .onRequest(methods.client.fs.readTextFile, async ({ params }) => ({ content: `text of ${params.path}` }))
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .connect(app)
  onTestFinished(async () => {
    connection.close()
    await close()
    await vault.close()
  })
  const { agent } = connection
  await agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: true }, session: { notices: {} } },
  })
  const { sessionId, ...choices } = await agent.request(methods.agent.session.new, { cwd: '/vault', mcpServers: [] })
  return {
    agent,
    sessionId,
    choices,
    updates,
    asked,
    troubles,
    model,
    prompt: (text: string) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    read: async (path: string) => (await host.memory.read(notePath(path)))?.text,
  }
}

const texts = (updates: SessionNotification['update'][], kind: 'agent_message_chunk' | 'user_message_chunk') =>
  updates.flatMap((update) =>
    update.sessionUpdate === kind && update.content.type === 'text' ? [update.content.text] : [],
  )

const append = { name: 'append_note', input: { path: 'Garden/Peas.md', content: '- sow in March\n' } }

describe('an editor', () => {
  it('gets the answer as it streams, the calls with their outcome, and sources that open at their line', async () => {
    const { prompt, updates } = await editor([
      { call: [{ name: 'read_note', input: { path: 'Garden/Peas.md' } }] },
      { say: 'They like it cool: "Peas like cool soil." [[Garden/Peas]]' },
    ])
    expect(await prompt('Where do peas grow?')).toEqual({ stopReason: 'end_turn' })
    const calls = updates.flatMap((update) => (update.sessionUpdate === 'tool_call' ? [update] : []))
    expect(calls).toMatchObject([{ kind: 'read', locations: [{ path: '/vault/Garden/Peas.md' }] }])
    expect(updates).toContainEqual(
      expect.objectContaining({
        sessionUpdate: 'tool_call_update',
        toolCallId: calls[0]?.toolCallId,
        status: 'completed',
      }),
    )
    const answer = texts(updates, 'agent_message_chunk').join('')
    expect(answer).toContain('They like it cool')
    expect(answer).toContain('1. [Garden/Peas.md:3](file:///vault/Garden/Peas.md#L3)')
  })

  it('is asked before a change, with the diff, and the change is made after Allow', async () => {
    const { prompt, asked, read } = await editor([{ call: [append] }, { say: 'Done.' }])
    await prompt('Add it')
    const [request] = asked
    expect(request?.toolCall.content).toContainEqual({
      type: 'diff',
      path: '/vault/Garden/Peas.md',
      oldText: '# Peas\n\nPeas like cool soil.',
      newText: '# Peas\n\nPeas like cool soil.\n- sow in March',
    })
    expect(request?.options.map(({ kind }) => kind)).toContain('allow_always')
    expect(await read('Garden/Peas.md')).toContain('sow in March')
  })

  it.each([
    ['denies', 'deny'],
    ['closes the request', undefined],
    ['names an option that was not offered', 'always-everything'],
  ])('changes nothing when the user %s', async (_, option) => {
    const { prompt, updates, read } = await editor([{ call: [append] }, { say: 'All right.' }], () => option)
    await prompt('Add it')
    expect(await read('Garden/Peas.md')).toBe(notes['Garden/Peas.md'])
    expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'failed' }))
  })

  it('asks once when the user allows the rest of the chat', async () => {
    const { prompt, asked, read } = await editor(
      [{ call: [append] }, { say: 'One.' }, { call: [append] }, { say: 'Two.' }],
      () => 'session',
    )
    await prompt('Add it')
    await prompt('Again')
    expect(asked).toHaveLength(1)
    expect((await read('Garden/Peas.md'))?.match(/sow in March/g)).toHaveLength(2)
  })

  it('cancels a turn while the model is silent, and while the user is asked', async () => {
    const silent = await editor([{ stall: true }])
    const running = silent.prompt('Anything')
    await silent.agent.notify(methods.agent.session.cancel, { sessionId: silent.sessionId })
    expect(await running).toEqual({ stopReason: 'cancelled' })

    const waiting: { cancel?: () => void } = {}
    const asking = await editor([{ call: [append] }], () => {
      waiting.cancel?.()
      return undefined
    })
    waiting.cancel = () => void asking.agent.notify(methods.agent.session.cancel, { sessionId: asking.sessionId })
    expect(await asking.prompt('Add it')).toEqual({ stopReason: 'cancelled' })
    expect(await asking.read('Garden/Peas.md')).toBe(notes['Garden/Peas.md'])
  })

  it('lists, loads with the whole conversation, resumes, closes and deletes sessions', async () => {
    const { agent, sessionId, prompt, updates } = await editor([{ call: [append] }, { say: 'Added.' }])
    await prompt('Add it')
    await agent.request(methods.agent.session.close, { sessionId })
    const { sessions } = await agent.request(methods.agent.session.list, {})
    expect(sessions).toMatchObject([{ sessionId, cwd: '/vault', title: 'Add it' }])
    updates.length = 0
    await agent.request(methods.agent.session.load, { sessionId, cwd: '/vault', mcpServers: [] })
    expect(texts(updates, 'user_message_chunk')).toEqual(['Add it'])
    expect(texts(updates, 'agent_message_chunk').join('')).toContain('Added.')
    expect(updates).toContainEqual(
      expect.objectContaining({
        sessionUpdate: 'tool_call_update',
        content: [expect.objectContaining({ type: 'diff', path: '/vault/Garden/Peas.md' })],
      }),
    )
    await agent.request(methods.agent.session.close, { sessionId })
    await agent.request(methods.agent.session.resume, { sessionId, cwd: '/vault' })
    expect(await prompt('And now?')).toEqual({ stopReason: 'end_turn' })
    await agent.request(methods.agent.session.delete, { sessionId })
    expect((await agent.request(methods.agent.session.list, {})).sessions).toEqual([])
    await expect(
      agent.request(methods.agent.session.load, { sessionId, cwd: '/vault', mcpServers: [] }),
    ).rejects.toMatchObject({ code: -32002 })
  })

  it('chooses model, mode and approval level, and gets an error that lists the choices for others', async () => {
    const { agent, sessionId, choices, prompt, asked } = await editor([{ call: [append] }, { say: 'Done.' }])
    expect(choices.modes?.currentModeId).toBe('agent')
    expect(choices.configOptions?.map(({ id }) => id)).toEqual(['model', 'mode', 'approvals'])
    const set = (configId: string, value: string) =>
      agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value })
    await set('approvals', 'edit')
    await prompt('Add it')
    expect(asked).toEqual([])
    await set('mode', 'chat')
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'agent' })
    const { configOptions } = await set('model', 'offline')
    expect(configOptions).toContainEqual(expect.objectContaining({ id: 'model', currentValue: 'offline' }))
    await expect(set('approvals', 'none')).rejects.toThrow('Use one of: read-only')
    await expect(set('colour', 'red')).rejects.toThrow('Use one of: model, mode, approvals.')
    await expect(agent.request(methods.agent.session.setMode, { sessionId, modeId: 'x' })).rejects.toThrow('agent')
  })

  it('names notes by their links, and passes on files that are open elsewhere', async () => {
    const { agent, sessionId, model } = await editor([{ say: 'Read.' }])
    await agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [
        { type: 'text', text: 'Compare' },
        { type: 'resource_link', name: 'Peas.md', uri: 'file:///vault/Garden/Peas.md#L1:3' },
        { type: 'resource_link', name: 'plan.txt', uri: 'file:///elsewhere/plan.txt' },
        { type: 'resource', resource: { uri: 'file:///vault/Garden/Beans.md', text: 'unsaved text' } },
      ],
    })
    const sent = JSON.stringify(model.prompts)
    expect(sent).toContain('[[Garden/Peas.md]]')
    expect(sent).toContain('text of /elsewhere/plan.txt')
    expect(sent).toContain('unsaved text')
  })

  it('gets a clear error for an empty prompt, an unknown chat, and a second prompt at once', async () => {
    const { agent, sessionId, prompt } = await editor([{ stall: true }])
    await expect(prompt(' ')).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('empty') })
    await expect(
      agent.request(methods.agent.session.prompt, { sessionId: 'none', prompt: [{ type: 'text', text: 'Hi' }] }),
    ).rejects.toMatchObject({ code: -32002 })
    const running = prompt('Anything')
    await expect(prompt('More')).rejects.toThrow('still answering')
    await agent.notify(methods.agent.session.cancel, { sessionId })
    await running
  })

  it('is told that its own MCP servers are not started', async () => {
    const { agent, updates, troubles } = await editor([{ say: 'Hi.' }])
    const server = { name: 'files', command: '/bin/files', args: [], env: [] }
    await agent.request(methods.agent.session.new, { cwd: '/vault', mcpServers: [server] })
    expect(troubles.join()).toContain('MCP servers of the editor are not used: files.')
    expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'notice' }))
  })

  it('gets the failure of a model as an error with its advice', async () => {
    const { prompt } = await editor([{ fail: new Error('The server is down.') }])
    await expect(prompt('Anything')).rejects.toMatchObject({ code: -32603 })
  })
})
