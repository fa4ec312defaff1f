// A server on standard input and output that behaves as its first argument says.
import { readFileSync, watchFile, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [how = 'good', ...rest] = process.argv.slice(2)
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const description = how === 'words' ? rest[0] : 'Says what it was told.'
const echo = {
  name: 'echo',
  description,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

if (how === 'pid') writeFileSync(rest[0], String(process.pid))
// One that does not end with its input.
if (how === 'stubborn') {
  writeFileSync(rest[0], String(process.pid))
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
}

// Has the tools that stand in a file, and says so when they change.
if (how === 'lists')
  watchFile(rest[0], { interval: 50 }, () => send({ method: 'notifications/tools/list_changed' })).unref()

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'odd-server', version: '1.2.3' },
  }),
  'tools/list': () => ({ tools: how === 'lists' ? JSON.parse(readFileSync(rest[0], 'utf8')) : [echo] }),
  'tools/call': ({ arguments: { text } }) => ({
    content: [{ type: 'text', text: how === 'environment' ? JSON.stringify(process.env) : text }],
  }),
}

// Asks the user before it answers, and says what they said.
let asking
function asksFirst(id) {
  asking = id
  const requestedSchema = {
    type: 'object',
    properties: { bed: { type: 'string', title: 'Which bed' } },
    required: ['bed'],
  }
  send({ id: 'question', method: 'elicitation/create', params: { message: 'Where shall it grow?', requestedSchema } })
}

function misbehaves(method) {
  if (how === 'hangs') return true
  if (how === 'lists-never') return method === 'tools/list'
  if (method !== 'tools/call') return false
  if (how === 'calls-never') return true
  if (how === 'dies') process.exit(3)
  if (how === 'long-line') flood('x'.repeat(1 << 20), 200)
  if (how === 'notifications') {
    const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    flood(`${line}\n`.repeat(1000), 1000)
  }
  return ['long-line', 'notifications'].includes(how)
}

function flood(piece, times) {
  if (times > 0) process.stdout.write(piece, () => flood(piece, times - 1))
}

if (how === 'chatty') process.stdout.write('Listening on standard input\n{"not": "a message"}\n')
process.stderr.write('odd-server is there\n')
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (id === 'question')
    return send({ id: asking, result: { content: [{ type: 'text', text: JSON.stringify(result) }] } })
  if (how === 'asks' && method === 'tools/call') return asksFirst(id)
  if (id === undefined || misbehaves(method)) return
  send({ id, result: answers[method]?.(params) ?? {} })
})
