import { describe, expect, it } from 'vitest'
import { connect, type Person, type TestClient } from '../../../test/mcp/connect.js'
import { vaultNotifications } from './setup.js'

const files = {
  'Home.md': '# Home\n\nTo the [[Tomatoes]].\n',
  'Garden/Tomatoes.md': '---\ntags: [garden]\n---\n# Tomatoes\n\nTomatoes like sun.\n',
  'Garden/Beans.md': '# Beans\n\nBeans climb poles. #garden\n',
  'Secret.md': '---\nprivate: true\n---\nTomatoes are my secret.\n',
}

const yes: Person = () => ({ decision: 'allow once' })
const no: Person = () => ({ decision: 'no', reason: 'Not today.' })

const textOf = ({ host }: TestClient, path: string) => new TextDecoder().decode(host.memory.snapshot().get(path))

describe('a client', () => {
  it('is offered the search and file tools, each with its schemas and annotations', async () => {
    const client = await connect(files)
    const { result } = await client.request('tools/list')
    const names = result.tools.map(({ name }: { name: string }) => name)
    expect(names).toContain('search_notes')
    expect(names).toContain('write_note')
    expect(names).toContain('undo_changes')
    expect(names).not.toContain('web_fetch')
    expect(names).not.toContain('get_current_time')
    for (const tool of result.tools) {
      expect(tool).toMatchObject({ title: /./, description: /./, inputSchema: { type: 'object' } })
      expect(tool.outputSchema.type).toBe('object')
      expect(tool.annotations.openWorldHint).toBe(false)
    }
    const hints = Object.fromEntries(
      result.tools.map((tool: { name: string; annotations: object }) => [tool.name, tool.annotations]),
    )
    expect(hints.read_note).toMatchObject({ readOnlyHint: true })
    expect(hints.append_note).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(hints.delete_note).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    expect(JSON.stringify(result).length).toBeLessThan(29_500)
    // Clients show models these parts, in every conversation.
    const shown = result.tools.map(({ name, description, inputSchema }: Record<string, unknown>) => [
      name,
      description,
      inputSchema,
    ])
    expect(JSON.stringify(shown).length).toBeLessThan(15_500)
    // Keywords that JSON Schema draft 7, used by older clients, interprets differently.
    expect(JSON.stringify(result)).not.toMatch(/prefixItems|"items":false/)
    await client.close()
  })

  it('gets a result as data and as text', async () => {
    const client = await connect(files)
    const { result } = await client.call('search_notes', { query: 'tomatoes' })
    expect(result.structuredContent.results[0].path).toBe('Garden/Tomatoes.md')
    expect(JSON.parse(result.content[0].text)[0].path).toBe('Garden/Tomatoes.md')
    await client.close()
  })

  it('gets a failure as code, text and hint, and an unknown tool or method as a protocol error', async () => {
    const client = await connect(files)
    expect(await client.failure('read_note', { path: 'Gone.md' })).toEqual({
      code: 'not-found',
      text: 'Note not found: Gone.md',
      hint: 'Find its path with search_notes.',
    })
    expect(await client.failure('read_note', { path: 3 })).toMatchObject({ code: 'invalid-input' })
    expect((await client.call('nothing')).error).toMatchObject({ code: -32602, message: /Unknown tool: nothing/ })
    expect((await client.call('web_fetch', { url: 'https://example.org' })).error?.code).toBe(-32602)
    expect((await client.request('nothing/at-all')).error?.code).toBe(-32601)
    await client.close()
  })

  it('can use the tool names of other systems', async () => {
    const client = await connect(files)
    expect((await client.call('localSearch', { query: 'beans' })).result.structuredContent.results[0].path).toBe(
      'Garden/Beans.md',
    )
    await client.close()
  })

  it('is offered the tools named by --tools, and an unknown name is an error', async () => {
    const client = await connect(files, { tools: ['search', 'time', 'read_note'] })
    const { result } = await client.request('tools/list')
    const names = result.tools.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['search_notes', 'get_current_time', 'pomodoro', 'read_note']))
    expect(names).not.toContain('write_note')
    expect((await client.call('write_note', { path: 'A.md', content: 'x' })).error?.code).toBe(-32602)
    await client.close()
    const wrong = await connect(files, { tools: ['serach'] })
    expect((await wrong.request('tools/list')).error?.message).toContain('serach')
    await wrong.close()
  })

  it('with read-only access is offered only reading tools, and can use no others', async () => {
    const client = await connect(files, { session: { consent: 'read-only' }, person: yes })
    const { result } = await client.request('tools/list')
    expect(
      result.tools.every((tool: { annotations: { readOnlyHint: boolean } }) => tool.annotations.readOnlyHint),
    ).toBe(true)
    expect((await client.call('append_note', { path: 'Home.md', content: 'x' })).error?.code).toBe(-32602)
    await client.close()
  })

  it('that is limited to a folder sees no other notes', async () => {
    const scope = { reads: ['Garden'], writes: ['Garden'] }
    const client = await connect(files, { session: { scope, consent: 'auto' } })
    expect((await client.request('resources/list')).result.resources).toHaveLength(2)
    expect(await client.failure('read_note', { path: 'Home.md' })).toMatchObject({ code: 'not-found' })
    expect(await client.failure('write_note', { path: 'New.md', content: 'x' })).toMatchObject({ code: 'path' })
    expect((await client.call('write_note', { path: 'Garden/New.md', content: 'x' })).result.isError).toBeUndefined()
    await client.close()
  })
})

describe('a change', () => {
  it('is shown to the user as a form, and made when approved', async () => {
    const client = await connect(files, { person: yes })
    const { result } = await client.call('append_note', { path: 'Home.md', content: 'More.' })
    expect(result.structuredContent).toEqual({ path: 'Home.md' })
    expect(client.forms[0].message).toContain('Append to Home.md')
    expect(client.forms[0].message).toContain('+More.')
    expect(client.forms[0].requestedSchema.properties.decision.enum).toEqual([
      'allow once',
      'allow for this session',
      'no',
    ])
    expect(textOf(client, 'Home.md')).toContain('More.')
    await client.close()
  })

  it.each<[string, Person, string]>([
    ['a no, whose reason the model reads', no, 'User cancelled tool execution: Not today.'],
    ['a form that is declined', () => 'decline', 'User cancelled tool execution'],
    ['a form that is closed', () => 'cancel', 'User cancelled tool execution'],
    ['a form that is sent back empty', () => ({}), 'User cancelled tool execution'],
    ['an answer that was not offered', () => ({ decision: 'allow always' }), 'User cancelled tool execution'],
  ])('is not made on %s', async (_, person, text) => {
    const client = await connect(files, { person })
    const before = client.host.memory.snapshot()
    expect(await client.failure('append_note', { path: 'Home.md', content: 'x' })).toMatchObject({
      code: 'denied',
      text,
    })
    expect(client.host.memory.snapshot()).toEqual(before)
    await client.close()
  })

  it('stays allowed for the session if the user says so, and not for the next client', async () => {
    const client = await connect(files, { person: () => ({ decision: 'allow for this session' }) })
    for (const content of ['one', 'two']) await client.call('append_note', { path: 'Home.md', content })
    expect(client.forms).toHaveLength(1)
    await client.close()
  })

  it('that a rule allows needs no form', async () => {
    const allowed = await connect(files, { session: { allow: ['append_note(Home.md)'] } })
    expect((await allowed.call('append_note', { path: 'Home.md', content: 'x' })).result.isError).toBeUndefined()
    await allowed.close()
  })

  it('that is very long is shortened in the form, which names its full size', async () => {
    const client = await connect(files, { person: yes })
    await client.call('write_note', { path: 'Long.md', content: 'A line of it.\n'.repeat(3000) })
    expect(client.forms[0].message.length).toBeLessThan(6000)
    expect(client.forms[0].message).toMatch(/The full text has [\d,]+ characters in 3,00\d lines/)
    expect(textOf(client, 'Long.md')).toHaveLength(42_000)
    await client.close()
  })

  it('is dropped when the client cancels its call', async () => {
    const client = await connect(files, { person: () => 'silence' })
    const before = client.host.memory.snapshot()
    void client.call('append_note', { path: 'Home.md', content: 'x' })
    await expect.poll(() => client.forms.length).toBe(1)
    client.notify('notifications/cancelled', { requestId: 2 })
    await expect.poll(() => client.vault.approvalQueue.pending()).toEqual([])
    expect(client.host.memory.snapshot()).toEqual(before)
    await client.close()
  })

  it('is dropped when the client disconnects', async () => {
    const client = await connect(files, { person: () => 'silence' })
    const before = client.host.memory.snapshot()
    void client.call('append_note', { path: 'Home.md', content: 'x' })
    await expect.poll(() => client.forms.length).toBe(1)
    await client.close()
    expect(client.host.memory.snapshot()).toEqual(before)
  })

  it('has the name of the client in log and history, and only this client can undo it', async () => {
    const client = await connect(files, { name: 'Claude Code', session: { consent: 'edit' }, person: yes })
    await client.host.notebook.apply({
      id: 'other',
      title: 'By someone else',
      session: 'cli-1',
      changes: [{ kind: 'append', path: 'Home.md' as never, added: new TextEncoder().encode('theirs\n') }],
    })
    await client.call('append_note', { path: 'Garden/Beans.md', content: 'mine' })
    expect(client.host.log.calls.at(-1)?.session).toMatch(/^mcp-claude-code-/)
    const { result } = await client.call('list_changes')
    expect(result.structuredContent.changes.map(({ title }: { title: string }) => title)).toEqual([
      'Append to Garden/Beans.md',
    ])
    expect((await client.call('undo_last_change')).result.structuredContent.paths).toEqual(['Garden/Beans.md'])
    expect(textOf(client, 'Garden/Beans.md')).toBe(files['Garden/Beans.md'])
    expect(textOf(client, 'Home.md')).toBe(`${files['Home.md']}theirs\n`)
    expect(await client.failure('undo_last_change')).toMatchObject({ code: 'not-found' })
    await client.close()
  })
})

describe('file_read', () => {
  it('lets the user choose the notes to share', async () => {
    const client = await connect(files, { person: () => ({ notes: ['Home.md'] }) })
    const { result } = await client.call('file_read', { filePaths: ['Home.md', 'Garden/Beans.md'] })
    expect(client.forms[0].requestedSchema.properties.notes).toMatchObject({
      type: 'array',
      items: { enum: ['Home.md', 'Garden/Beans.md'] },
    })
    expect(result.structuredContent.files.map(({ path }: { path: string }) => path)).toEqual(['Home.md'])
    expect(result.content[0].text).toContain('chose not to share: Garden/Beans.md')
    await client.close()
  })

  it('gives older clients a checkbox for each note', async () => {
    const client = await connect(files, { protocol: '2025-06-18', person: () => ({ notes_2: true, notes_1: false }) })
    const { result } = await client.call('file_read', { filePaths: ['Home.md', 'Garden/Beans.md'] })
    expect(client.forms[0].requestedSchema.properties.notes_2).toEqual({ type: 'boolean', title: 'Garden/Beans.md' })
    expect(result.structuredContent.files.map(({ path }: { path: string }) => path)).toEqual(['Garden/Beans.md'])
    await client.close()
  })

  it('shares nothing without an answer', async () => {
    const client = await connect(files, { expiryMs: 20 })
    expect(await client.failure('file_read', { filePaths: ['Home.md'] })).toMatchObject({ code: 'denied' })
    await client.close()
  })
})

describe('notes as resources', () => {
  it('come in pages of 100, without the hidden ones', async () => {
    const many = Object.fromEntries(Array.from({ length: 230 }, (_, at) => [`Note ${at}.md`, `${at}`]))
    const client = await connect({ ...many, 'Secret.md': files['Secret.md'] })
    const found: string[] = []
    let cursor: string | undefined
    const sizes: number[] = []
    do {
      const { result } = await client.request('resources/list', cursor === undefined ? {} : { cursor })
      sizes.push(result.resources.length)
      found.push(...result.resources.map(({ uri }: { uri: string }) => uri))
      cursor = result.nextCursor
    } while (cursor !== undefined)
    expect(sizes).toEqual([100, 100, 30])
    expect(new Set(found)).toEqual(new Set(Object.keys(many).map((path) => `note:///${encodeURIComponent(path)}`)))
    expect((await client.request('resources/list', { cursor: 'mine' })).error?.code).toBe(-32602)
    await client.close()
  })

  it('are read by URI, and hidden ones are reported as missing', async () => {
    const client = await connect(files)
    const { result } = await client.request('resources/read', { uri: 'note:///Garden/Beans.md' })
    expect(result.contents).toEqual([
      { uri: 'note:///Garden/Beans.md', mimeType: 'text/markdown', text: files['Garden/Beans.md'] },
    ])
    for (const path of ['Secret.md', 'Gone.md', '../etc/passwd', '.obsidian/app.json']) {
      const uri = `note:///${path}`
      expect((await client.request('resources/read', { uri })).error).toMatchObject({
        message: `Resource not found: ${uri}`,
      })
    }
    expect((await client.request('resources/read', { uri: 'file:///etc/passwd' })).error).toBeDefined()
    await client.close()
  })

  it('that are long come in parts, each naming the next', async () => {
    const client = await connect({ 'Long.md': 'A line of it.\n'.repeat(4000) })
    let uri: string | undefined = 'note:///Long.md'
    let text = ''
    while (uri !== undefined) {
      const { result } = await client.request('resources/read', { uri })
      const [, part, next] = /^(.*?)(?:\n\[Part \d+ of \d+; the next is (.*)\])?$/s.exec(result.contents[0].text)!
      text += part
      uri = next
    }
    expect(text).toBe('A line of it.\n'.repeat(4000))
    await client.close()
  })

  it('send notifications when subscribed notes change, and when notes are added or removed', async () => {
    const client = await connect(files)
    // Nothing else is asked for.
    await client.request('resources/subscribe', { uri: 'note:///Home.md' })
    client.host.memory.write('Home.md', 'changed')
    client.host.memory.write('Garden/Beans.md', 'changed')
    client.host.memory.write('Secret.md', '---\nprivate: true\n---\nchanged')
    const updated = () => client.heard.filter(({ method }) => method === 'notifications/resources/updated')
    await expect.poll(updated).toMatchObject([{ params: { uri: 'note:///Home.md' } }])
    client.host.memory.write('New.md', 'new')
    const changed = () => client.heard.filter(({ method }) => method === 'notifications/resources/list_changed').length
    await expect.poll(changed).toBe(1)
    await client.close()
  })

  it('are completed by parts of their paths, like tags', async () => {
    const client = await connect(files)
    const complete = async (name: string, value: string) => {
      const ref = { type: 'ref/resource', uri: 'note:///{+path}' }
      return (await client.request('completion/complete', { ref, argument: { name, value } })).result.completion.values
    }
    expect(await complete('path', 'bea')).toEqual(['Garden/Beans.md'])
    expect(await complete('path', 'secret')).toEqual([])
    expect(await complete('tag', 'gar')).toEqual(['garden'])
    await client.close()
  })

  it('are not listed if every call needs approval', async () => {
    const client = await connect(files, { session: { consent: 'ask-all' }, person: no })
    expect((await client.request('resources/list')).result.resources).toEqual([])
    expect((await client.request('resources/read', { uri: 'note:///Home.md' })).error?.message).toContain('cancelled')
    await client.close()
  })
})

describe('prompts', () => {
  it('contain the written-out request, and require their arguments', async () => {
    const client = await connect(files)
    const { result } = await client.request('prompts/list')
    expect(result.prompts.map(({ name }: { name: string }) => name)).toEqual([
      'summarise_note',
      'weekly_review',
      'find_contradictions',
    ])
    const got = await client.request('prompts/get', { name: 'summarise_note', arguments: { path: 'Home.md' } })
    expect(got.result.messages[0].content.text).toContain('"Home.md"')
    expect((await client.request('prompts/get', { name: 'summarise_note' })).error?.code).toBe(-32602)
    await client.close()
  })
})

describe('several vaults', () => {
  it('are chosen by an argument, and by the host of a URI', async () => {
    const client = await connect(files, { more: { Work: { 'Plan.md': 'The plan.' } } })
    const { result } = await client.request('tools/list')
    expect(result.tools[0].inputSchema.properties.vault.enum).toEqual(['Notes', 'Work'])
    expect((await client.call('read_note', { path: 'Plan.md', vault: 'Work' })).result.structuredContent.content).toBe(
      'The plan.',
    )
    expect(await client.failure('read_note', { path: 'Plan.md' })).toMatchObject({ code: 'not-found' })
    expect(await client.failure('read_note', { path: 'Plan.md', vault: 'Other' })).toMatchObject({
      code: 'invalid-input',
      hint: 'Vaults: Notes, Work.',
    })
    const read = await client.request('resources/read', { uri: 'note://Work/Plan.md' })
    expect(read.result.contents[0].text).toBe('The plan.')
    await client.close()
  })
})

describe('the log', () => {
  const told = ({ heard }: TestClient) =>
    heard.filter(({ method }) => method === 'notifications/message').map(({ params }) => params as unknown as Told)
  interface Told {
    level: string
    logger: string
    data: Record<string, unknown>
  }

  it('is silent until the client sets a level, and then sends messages of that level without text of notes', async () => {
    const client = await connect(files, { session: { consent: 'auto' } })
    await client.call('append_note', { path: 'Home.md', content: 'CANARY one' })
    expect(told(client)).toEqual([])

    expect((await client.request('logging/setLevel', { level: 'info' })).result).toEqual({})
    await client.call('append_note', { path: 'Home.md', content: 'CANARY two' })
    await client.call('read_note', { path: 'CANARY.md' })
    expect(told(client)).toMatchObject([
      { level: 'info', logger: 'notewright', data: { message: 'Changed the vault.', tool: 'append_note', notes: 1 } },
      { level: 'warning', data: { message: 'The call failed.', tool: 'read_note', code: 'not-found' } },
    ])
    expect(JSON.stringify(told(client))).not.toContain('CANARY')

    await client.request('logging/setLevel', { level: 'error' })
    await client.call('read_note', { path: 'Gone.md' })
    expect(told(client)).toHaveLength(2)
    await client.close()
  })

  it('rejects an unknown level', async () => {
    const client = await connect(files)
    expect((await client.request('logging/setLevel', { level: 'loud' })).error?.code).toBe(-32602)
    expect((await client.request('logging/setLevel', {})).error?.code).toBe(-32602)
    await client.close()
  })

  it('sends events that belong to no request', async () => {
    const news = vaultNotifications()
    const client = await connect(files, { news: news.news })
    await client.request('logging/setLevel', { level: 'info' })
    news.progress({ phase: 'reading', done: 0, total: 4 })
    news.progress({ phase: 'reading', done: 2, total: 4 })
    news.trouble('The index could not be kept.')
    await client.request('ping')
    expect(told(client)).toMatchObject([
      { level: 'info', data: { message: 'Index: reading, 4 in all.' } },
      { level: 'warning', data: { message: 'The index could not be kept.' } },
    ])
    await client.close()
  })

  it('has a level per request in the newer revision, which has none per connection', async () => {
    const client = await connect(files, { protocol: '2026-07-28' })
    const call = (more: object) =>
      client.request('tools/call', { name: 'read_note', arguments: { path: 'Gone.md' }, ...more })
    await call({})
    expect(told(client)).toEqual([])
    await call({ _meta: { 'io.modelcontextprotocol/logLevel': 'warning' } })
    expect(told(client)).toMatchObject([{ level: 'warning', data: { tool: 'read_note', code: 'not-found' } }])
    await call({ _meta: { 'io.modelcontextprotocol/logLevel': 'error' } })
    expect(told(client)).toHaveLength(1)
    expect((await client.request('logging/setLevel', { level: 'info' })).error?.code).toBe(-32601)
    await client.close()
  })
})

describe('index_vault', () => {
  it('sends its progress to a client that asks for it', async () => {
    const client = await connect(files)
    client.host.memory.write('Fresh.md', 'fresh')
    const params = { name: 'index_vault', arguments: {}, _meta: { progressToken: 'p' } }
    expect((await client.request('tools/call', params)).result.structuredContent.notes).toBe(4)
    const steps = client.heard.filter(({ method }) => method === 'notifications/progress')
    expect(steps.length).toBeGreaterThan(0)
    const told = steps.map(({ params }) => (params as unknown as { progress: number }).progress)
    expect(told).toEqual([...new Set(told)].sort((a, b) => a - b))
    await client.close()
  })
})
