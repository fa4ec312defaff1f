import { describe, expect, it } from 'vitest'
import { connect, type TestClient } from '../../../../test/mcp/connect.js'

const files = { 'Home.md': '# Home\n', 'Garden/Beans.md': '# Beans\n' }
const open = (options = {}) => connect(files, { protocol: '2026-07-28', person: () => 'cancel', ...options })
const call = { name: 'append_note', arguments: { path: 'Home.md', content: 'More.' } }
const textOf = ({ host }: TestClient, path: string) => new TextDecoder().decode(host.memory.snapshot().get(path))

const accepted = (content: object) => ({ approval: { action: 'accept', content } })

describe('a client of the revision without requests from the server', () => {
  it('is told what is asked, and comes back with the answer', async () => {
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

  it('does nothing twice with one answer', async () => {
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

  it('cannot turn the answer to one call into another one', async () => {
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

  it('that comes back without an answer is asked the same again', async () => {
    const client = await open()
    const { result } = await client.request('tools/call', call)
    const { result: again } = await client.request('tools/call', { ...call, requestState: result.requestState })
    expect(again.inputRequests).toEqual(result.inputRequests)
    await client.close()
  })

  it('ticks the notes to share', async () => {
    const client = await open()
    const read = { name: 'file_read', arguments: { filePaths: ['Home.md', 'Garden/Beans.md'] } }
    const { result } = await client.request('tools/call', read)
    expect(result.inputRequests.approval.params.requestedSchema.properties.notes.items.enum).toHaveLength(2)
    const inputResponses = accepted({ notes: ['Garden/Beans.md'] })
    const done = await client.request('tools/call', { ...read, requestState: result.requestState, inputResponses })
    expect(done.result.structuredContent.files).toMatchObject([{ path: 'Garden/Beans.md' }])
    await client.close()
  })

  it('without anybody to ask is told the rule', async () => {
    const client = await open({ person: undefined })
    const { result } = await client.request('tools/call', call)
    expect(JSON.parse(result.content[0].text)).toMatchObject({
      code: 'needs-approval',
      hint: /append_note\(Home\.md\)/,
    })
    await client.close()
  })
})
