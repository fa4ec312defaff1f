import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { percentile } from '../statistics.mjs'

/** Turns to measure the server's processor time: number of words and milliseconds between them. */
const turns = { '1,500 words at once': '1500:0', '300 words, 200 a second': '300:5' }
const model = 'compatible/test'

/**
 * A turn that is followed over the server, as the page does, against the same turn in the same process told as lines of
 * JSON, as `ask --format stream-json` does. By turns; the first ones are not counted.
 */
export async function measureTurn(vault, environment, { rounds = 20, warm = 4 } = {}) {
  const server = await startProcess(vault, environment)
  const figures = {}
  try {
    for (const [name, text] of Object.entries(turns)) {
      const [lines, followed] = [[], []]
      const ways = [
        [tellLines, lines],
        [follow, followed],
      ]
      for (let round = -warm; round < rounds; round++) {
        // The order alternates: the second one also pays for the first one's garbage collection.
        for (const [told, kept] of round % 2 === 0 ? ways : [...ways].reverse()) {
          const used = await told(server, text)
          if (round >= 0) kept.push(used)
        }
      }
      figures[`a turn of ${name}, as lines of JSON (ms of processor time)`] = usual(lines)
      figures[`a turn of ${name}, followed as by the page (ms)`] = usual(followed)
      figures[`a turn of ${name}: the page costs (%, at most 5)`] = (usual(followed) / usual(lines) - 1) * 100
    }
  } finally {
    await server.tell('stop')
  }
  return figures
}

/** Whatever else the machine does only adds to what a turn takes. */
const usual = (times) => percentile(times, 0.25)

async function startProcess(vault, environment) {
  const file = fileURLToPath(new URL('turn-process.mjs', import.meta.url))
  const child = fork(file, [vault, model], { env: environment, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  child.stdout.resume()
  const answer = () => new Promise((resolve) => child.once('message', (message) => resolve(message.answer)))
  const { url, code } = await answer()
  const headers = { origin: url, 'content-type': 'application/json' }
  const login = await fetch(`${url}/api/login`, { method: 'POST', headers, body: JSON.stringify({ code }) })
  headers.authorization = `Bearer ${(await login.json()).credential}`
  return {
    tell(order, text) {
      const answered = answer()
      child.send({ order, text })
      return answered
    },
    post: async (path, body) =>
      (await fetch(`${url}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json(),
    events: (session, signal) => fetch(`${url}/api/events?follow=${session}:0`, { headers, signal }),
  }
}

/** Both turns have a conversation of their own, which is there before anything is counted. */
async function tellLines(server, text) {
  await server.tell('open')
  const before = await server.tell('used')
  await server.tell('ask', text)
  const used = (await server.tell('used')) - before
  await server.tell('close')
  return used
}

async function follow(server, text) {
  const { id } = await server.post('sessions', { model })
  const leaving = new AbortController()
  const { body } = await server.events(id, leaving.signal)
  const before = await server.tell('used')
  await server.post(`sessions/${id}/turns`, { text })
  let told = ''
  // It is said at first that nothing runs, before the turn has begun.
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    told += part
    const isOver = told.lastIndexOf('"running":false') > told.lastIndexOf('"running":true')
    if (isOver && told.includes('"run-end"')) break
  }
  const used = (await server.tell('used')) - before
  leaving.abort()
  return used
}
