import { spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { howOften } from '../runner/how-often.js'
import { program, type Stage, stage } from './cli-harness.js'

let place: Stage
beforeAll(async () => {
  place = await stage()
})
afterAll(() => place.remove())

/** The real program, started as an editor starts it. */
function startAgent(...words: string[]) {
  const child = spawn(process.execPath, [program, 'acp', '-m', 'offline', ...words], { env: place.environment })
  let errors = ''
  child.stdin.on('error', () => {})
  child.stderr.on('data', (chunk) => (errors += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, errors: () => errors }
}

describe('notewright acp', () => {
  it('answers an editor from its folder, with the sources, and changes a note after permission', async () => {
    const { child, ended } = startAgent()
    const said: string[] = []
    const asked: string[] = []
    const editor = client({ name: 'test' })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        asked.push(params.toolCall.title ?? '')
        return { outcome: { outcome: 'selected', optionId: 'once' } }
      })
      .onNotification(methods.client.session.update, ({ params: { update } }) => {
        if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
          said.push(update.content.text)
        }
      })
    const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>)
    await editor.connectWith(stream, async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1 })
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd: place.vault, mcpServers: [] })
      const ask = (text: string) =>
        agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })
      expect(await ask('late blight')).toEqual({ stopReason: 'end_turn' })
      expect(said.join('')).toContain('Late blight comes with warm rain')
      expect(said.join('')).toContain('Garden/Tomatoes.md#L')
      await ask('append "- chard" to Garden/Compost')
      expect(asked).toHaveLength(1)
      expect(await place.read('Garden/Compost.md')).toContain('- chard')
    })
    child.stdin.end()
    expect(await ended).toBe(0)
  })

  it('refuses a folder without notes, with what to do', async () => {
    const { child, ended } = startAgent()
    const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>)
    await client({ name: 'test' }).connectWith(stream, async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1 })
      const opening = agent.request(methods.agent.session.new, { cwd: place.home, mcpServers: [] })
      await expect(opening).rejects.toThrow('--vault')
    })
    child.stdin.end()
    await ended
  })

  it('survives malformed messages, and still answers', { timeout: 300_000 }, async () => {
    const { child, ended } = startAgent('--vault', place.vault)
    const answers = new Map<unknown, { result?: unknown }>()
    let unfinished = ''
    child.stdout.on('data', (chunk) => {
      const lines = (unfinished + chunk).split('\n')
      unfinished = lines.pop() ?? ''
      // Standard output is the protocol alone: anything else fails here.
      for (const line of lines) answers.set(JSON.parse(line).id, JSON.parse(line))
    })
    for (let count = 0; count < howOften(200, 10_000); count++) {
      const isTaken = child.stdin.write(`${malformed(count)}\n`)
      if (!isTaken) await new Promise((resolve) => child.stdin.once('drain', resolve))
    }
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'initialize', params: { protocolVersion: 1 } })}\n`,
    )
    await expect.poll(() => answers.get('last')?.result, { timeout: 200_000 }).toMatchObject({ protocolVersion: 1 })
    child.stdin.end()
    expect(await ended).toBe(0)
  })
})

const methodNames = [...Object.values(methods.agent.session), 'initialize', 'authenticate', 'no/such', '', 7, null]
const values = [undefined, null, 0, -1, 'x', '../../etc/passwd', [], {}, [[]], { a: { b: [1] } }, '\u0000', true]
const cuts = ['{', '{"jsonrpc":', '[]', '[{}]', 'null', '"text"', '1e999', '\u0000', '{"id":1}', '   ', '\ufeff{}']

/** The same list in every run: text cut short, and requests whose fields have the wrong type or are missing. */
function malformed(count: number): string {
  if (count % 5 === 0) return cuts[(count / 5) % cuts.length] ?? ''
  const pick = <Value>(list: readonly Value[], step: number) => list[Math.floor(count / step) % list.length]
  const fields = ['sessionId', 'cwd', 'prompt', 'mcpServers', 'configId', 'value', 'cursor', 'modeId']
  const params = Object.fromEntries(fields.map((name, at) => [name, pick(values, 1 + at * 3)]))
  const id = pick([count, `${count}`, null, undefined, {}, -0.5], 2)
  return JSON.stringify({ jsonrpc: pick(['2.0', '1.0', undefined], 7), id, method: pick(methodNames, 1), params })
}
