import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Stage, stage } from './cli-harness.js'
import { type ModelServer, modelServer, type Said } from './model-server.js'
import { type Serving, serving } from './serving.js'

let here: Stage
let server: ModelServer | undefined
let served: Serving | undefined

beforeEach(async () => {
  here = await stage()
})
afterEach(async () => {
  await served?.stop('SIGKILL')
  await server?.stop()
  await here.remove()
  served = server = undefined
})

async function serve(...script: Said[]): Promise<Serving> {
  return serveWithKey(undefined, ...script)
}

async function serveWithKey(key: string | undefined, ...script: Said[]): Promise<Serving> {
  await server?.stop()
  server = await modelServer(...script)
  served = await serving(here, ['--backend', 'compatible/test'], server.environment, undefined, key)
  return served
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at as a client would
type Any = any

const post = async ({ ask }: Serving, body: object): Promise<Any> => {
  const answer = await ask('/v1/responses', { method: 'POST', body: JSON.stringify(body) })
  return { http: answer.status, ...((await answer.json()) as object) }
}

const look = { type: 'function', name: 'look', parameters: { type: 'object', properties: { at: { type: 'string' } } } }
const base = { model: 'compatible/test', tools: [look] }
const output = (call_id: string, text: string) => ({ type: 'function_call_output', call_id, output: text })

it('a killed server returns its responses and parked calls after a restart, or says why not', async () => {
  const two = { say: 'Both. ', call: ['a', 'b'].map((at) => ({ name: 'look', input: { at } })) }
  const first = await serve(two, two, { stall: 'One moment' })
  const [kept, parked] = [
    await post(first, { ...base, input: 'Look.' }),
    await post(first, { ...base, input: 'Look.' }),
  ]
  const going = await post(first, { ...base, input: 'Go.', background: true })
  await expect.poll(() => server?.requests.length).toBe(3)
  await first.stop('SIGKILL')

  const second = await serveWithKey(first.key, { say: 'A pear and a plum.' })
  expect(await (await second.ask(`/v1/responses/${kept.id}`)).json()).toMatchObject({
    status: 'completed',
    output: kept.output,
  })
  expect(await (await second.ask(`/v1/responses/${going.id}`)).json()).toMatchObject({
    status: 'failed',
    error: { code: 'server_restarted' },
  })

  const idsOf = ({ output: items }: Any): string[] => items.flatMap(({ call_id }: Any) => call_id ?? [])
  const [a, b] = idsOf(kept)
  const input = [output(b, 'a plum'), output(a, 'a pear')]
  expect(await post(second, { ...base, previous_response_id: kept.id, input: input.slice(1) })).toMatchObject({
    http: 400,
    error: { code: 'tool_outputs_missing' },
  })
  const answered = await post(second, { ...base, previous_response_id: kept.id, input })
  expect(answered).toMatchObject({ http: 200, previous_response_id: kept.id })
  const [{ messages }] = server?.prompts().slice(-1) ?? []
  expect(messages.slice(-2).map(({ content }) => content)).toEqual(['a pear', 'a plum'])

  // Parked calls are found by the outputs alone, in whichever order.
  const byOutputs = await post(second, { ...base, input: idsOf(parked).map((id) => output(id, 'x')) })
  expect(byOutputs).toMatchObject({ http: 200, previous_response_id: parked.id })
  expect(await post(second, { ...base, input: [output('call_nobody_made', 'x')] })).toMatchObject({
    http: 400,
    error: { code: 'tool_outputs_unmatched' },
  })
  expect(await post(second, { ...base, previous_response_id: 'resp_gone', input: 'Hi' })).toMatchObject({
    http: 400,
    error: { code: 'previous_response_not_found' },
  })
})

/** In MB, where the system tells. */
function memoryOf({ child }: Serving): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** Sends a head and then more, as long as it is taken; answers the first line that comes back. */
function flood(port: number, head: string, more?: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(head)
      more?.(socket)
    })
    socket.setEncoding('utf8').on('data', (part) => {
      answer += part
      socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer.split('\r\n')[0]))
  })
}

it.skipIf(process.platform !== 'linux')(
  'huge and endless bodies, slow headers, ten thousand idle connections and deep nesting use no memory and block nobody',
  async () => {
    const under = await serve({ say: 'Still here.' })
    const port = Number(new URL(under.url).port)
    const head = (more: string) =>
      `POST /v1/responses HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${under.key}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`
    const megabyte = 'x'.repeat(1_000_000)
    const pouring = (chunked: boolean) => (socket: Socket) => {
      let left = 1074
      const pour = () => {
        while (left-- > 0 && !socket.destroyed) {
          if (!socket.write(chunked ? `${megabyte.length.toString(16)}\r\n${megabyte}\r\n` : megabyte)) break
        }
        if (left > 0) socket.once('drain', pour)
      }
      pour()
    }
    const trickling = (socket: Socket) => {
      const timer = setInterval(() => socket.write('x'), 1000)
      socket.once('close', () => clearInterval(timer))
    }
    const others = { isOver: false, served: 0, statuses: new Set<number>() }
    const everyone = (async () => {
      while (!others.isOver) {
        // A connection that has not sent its request yet may be closed to make room for another: a client tries again.
        const answer = await post(under, { model: 'compatible/test', input: 'Hi' }).catch(() => undefined)
        if (!answer) continue
        others.statuses.add(answer.http)
        others.served++
      }
    })()

    await post(under, { model: 'compatible/test', input: 'Hi' })
    const before = memoryOf(under)
    let most = before
    const watching = setInterval(() => {
      most = Math.max(most, memoryOf(under))
    }, 50)
    try {
      const idle: Socket[] = []
      for (let count = 0; count < 10_000; count++) {
        idle.push(connect(port, '127.0.0.1').on('error', () => {}))
        if (count % 500 === 499) await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const attacks = await Promise.all([
        flood(port, head('Content-Length: 1073741824'), pouring(false)),
        flood(port, head('Transfer-Encoding: chunked'), pouring(true)),
        flood(port, head('Content-Encoding: gzip\r\nContent-Length: 1073741824'), pouring(false)),
        flood(port, `GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `, trickling),
        flood(port, `GET /v1/models HTTP/1.1\r\nX-Large: ${'x'.repeat(100_000)}`),
      ])
      // A client that keeps sending on a closed connection may lose the answer to a reset, and one that has requested
      // nothing yet may be closed to make room for another.
      const statuses = attacks.map((line, at) => line.split(' ')[1] ?? (at < 3 ? 'reset' : 'nothing'))
      expect(statuses).toEqual(
        [/413|reset/, /413|reset/, /415|reset/, /408|nothing/, /431|nothing/].map((each) =>
          expect.stringMatching(each),
        ),
      )
      const deep = await under.ask('/v1/responses', { method: 'POST', body: '['.repeat(100_000) + ']'.repeat(100_000) })
      expect(deep.status).toBe(400)
      for (const socket of idle) socket.destroy()
    } finally {
      clearInterval(watching)
      others.isOver = true
      await everyone
    }
    expect([...others.statuses]).toEqual([200])
    expect(others.served).toBeGreaterThan(3)
    // Three bodies of 1 GB were sent. The server may hold 80 MB of bodies at a time, and some 50 MB of garbage come from
    // the requests of everyone else.
    expect(most - before).toBeLessThan(200)
  },
)
