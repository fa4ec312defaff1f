// Measures the time that `notewright serve` adds to a stream, against a proxy that only copies bytes, in one run on one backend.
//   npm run build && node bench/server/run.mjs [--json]
// The backend, the proxy and the server are processes of their own; the clients run here.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [role, target] = process.argv.slice(2)
if (role === 'backend') backend()
else if (role === 'proxy') proxy(new URL(target))
else await measure()

/** Says as many words as the last message asks for (`words:gapMs`), in the chunks of an OpenAI-compatible server. */
function backend() {
  const chunk = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'test', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const part of incoming) body += part
    const text = JSON.stringify(JSON.parse(body || '{"messages":[]}').messages)
    const [, words = '10', gapMs = '0'] = /(\d+):(\d+)/.exec(text) ?? []
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let at = 0; at < Number(words) && !response.destroyed; at++) {
      const isFree = response.write(chunk({ content: `word${at} ` }))
      if (Number(gapMs) > 0) await new Promise((resolve) => setTimeout(resolve, Number(gapMs)))
      else if (!isFree) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
    }
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
}

/** The least a server in between can do. */
function proxy(to) {
  const server = createServer((incoming, response) => {
    const { host: _, ...headers } = incoming.headers
    const passed = request(to, { method: incoming.method, path: incoming.url, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.pipe(response)
    })
    response.on('close', () => passed.destroy())
    passed.on('error', () => response.destroy())
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
}

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'notewright-bench-'))
  const vault = join(folder, 'vault')
  mkdirSync(vault)
  writeFileSync(join(vault, 'Note.md'), '# Note\n')
  const self = fileURLToPath(import.meta.url)
  const program = fileURLToPath(new URL('../../dist/notewright.js', import.meta.url))
  const models = await start([self, 'backend'])
  const passing = await start([self, 'proxy', `http://127.0.0.1:${models.line}`])
  const environment = {
    ...process.env,
    NOTEWRIGHT_HOME: join(folder, 'home'),
    NOTEWRIGHT_COMPATIBLE_URL: `http://127.0.0.1:${models.line}/v1`,
  }
  const words = [
    'serve',
    '--port',
    '0',
    '--json',
    '--vault',
    vault,
    '--backend',
    'compatible/test',
    '--dialect',
    'native',
  ]
  const serving = await start([program, ...words], environment)
  const { url, token } = JSON.parse(serving.line)
  const ours = { name: 'notewright serve', url, token, pid: serving.child.pid }
  const bare = {
    name: 'pass-through proxy',
    url: `http://127.0.0.1:${passing.line}`,
    token: 'x',
    pid: passing.child.pid,
  }
  try {
    for (const one of [bare, ours]) await streams(one, 10, 10, '20:0')
    // By turns, so that whatever else the machine does falls on both.
    const first = { bare: [], ours: [] }
    const burst = { bare: [], ours: [] }
    for (let round = 0; round < 10; round++) {
      for (const [name, one] of Object.entries({ bare, ours })) first[name].push(...(await sideBySide(one, 10, 5)))
    }
    for (let round = 0; round < 30; round++) {
      for (const [name, one] of Object.entries({ bare, ours })) {
        burst[name].push(...(await streams(one, 1, 10, '20:5')).map(({ firstMs }) => firstMs))
      }
    }
    // A word a millisecond in each stream: what is lost on the way is what could not keep up.
    const rate = async (one) => {
      const [startedAt, usedBefore] = [performance.now(), processorMs(one.pid)]
      const answers = await streams(one, 1, 10, '2000:1')
      const words = answers.reduce((sum, { chunks }) => sum + chunks, 0)
      const seconds = (performance.now() - startedAt) / 1000
      return { aSecond: words / seconds, usedMs: ((processorMs(one.pid) - usedBefore) / words) * 1000 }
    }
    const rates = { bare: await rate(bare), ours: await rate(ours) }
    const before = memory(ours.pid)
    const many = await streams(ours, 1, 200, '100:20')
    const peak = memory(ours.pid)
    await aborted(ours, 500)
    const warm = memory(ours.pid)
    await aborted(ours, 2000)
    const after = memory(ours.pid)
    report({
      cores: cpus().length,
      load: loadavg()[0].toFixed(1),
      'first token p50, proxy (ms)': at(first.bare, 0.5),
      'first token p50, ours (ms)': at(first.ours, 0.5),
      'added at p50 (ms, at most 5)': at(first.ours, 0.5) - at(first.bare, 0.5),
      'added at p99 (ms, at most 20)': at(first.ours, 0.99) - at(first.bare, 0.99),
      'added at p50 and p99 where all ten begin at once (ms)': [0.5, 0.99]
        .map((share) => (at(burst.ours, share) - at(burst.bare, share)).toFixed(1))
        .join(', '),
      'tokens a second, proxy': rates.bare.aSecond,
      'tokens a second, ours': rates.ours.aSecond,
      'share (at least 0.9)': rates.ours.aSecond / rates.bare.aSecond,
      'processor time for 1,000 tokens, proxy and ours (ms)': [rates.bare, rates.ours]
        .map(({ usedMs }) => usedMs.toFixed(0))
        .join(', '),
      '200 streams: errors (0)': many.filter(({ isWhole }) => !isWhole).length,
      'memory idle, with 200 streams (MB, at most 512)': `${before}, ${peak}`,
      'memory after 500 and after 2,500 aborted streams (MB)': `${warm}, ${after}`,
    })
  } finally {
    for (const { child } of [serving, passing, models]) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(words, env = process.env) {
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve)
    child.once('exit', (code) => reject(new Error(`${words[0]} ended with ${code}`)))
  })
  return { child, line: line.trim() }
}

/** Opens concurrent streams, several times; returns the time of each first word, the number of words, and whether it ended. */
async function streams(to, times, count, what) {
  const answers = []
  for (let time = 0; time < times; time++) {
    answers.push(...(await Promise.all(Array.from({ length: count }, () => stream(to, what)))))
  }
  return answers
}

/** Runs clients with one stream after the other, not in step; returns the times of the first words. */
async function sideBySide(to, clients, each) {
  const begun = Array.from({ length: clients }, async (_, client) => {
    await new Promise((resolve) => setTimeout(resolve, client * 13))
    const answers = []
    for (let left = each; left > 0; left--) answers.push((await stream(to, '20:5')).firstMs)
    return answers
  })
  return (await Promise.all(begun)).flat()
}

function stream({ url, token }, what, leaveAt = Number.POSITIVE_INFINITY) {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let [chunks, firstMs, text] = [0, 0, '']
    const done = () => resolve({ firstMs, chunks, isWhole: text.endsWith('data: [DONE]\n\n') })
    const body = JSON.stringify({ model: 'compatible/test', stream: true, messages: [{ role: 'user', content: what }] })
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const sent = request(`${url}/v1/chat/completions`, { method: 'POST', headers }, (answer) => {
      answer.setEncoding('utf8').on('data', (part) => {
        const found = part.split('word').length - 1
        if (found > 0 && chunks === 0) firstMs = performance.now() - startedAt
        chunks += found
        text = (text + part).slice(-100)
        if (chunks >= leaveAt) sent.destroy()
      })
      answer.on('close', done)
    })
    sent.on('error', done)
    sent.end(body)
  })
}

async function aborted(to, count) {
  for (let left = count; left > 0; left -= 50) {
    await Promise.all(Array.from({ length: 50 }, () => stream(to, '1000:2', 3)))
  }
  await new Promise((resolve) => setTimeout(resolve, 1000))
}

/** In MB; only Linux tells it here. */
function memory(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** Processor time of a process, to a hundredth of a second. Linux only. */
function processorMs(pid) {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

function at(values, share) {
  return [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))]
}

function report(figures) {
  const rounded = Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      typeof value === 'number' ? Math.round(value * 100) / 100 : value,
    ]),
  )
  if (process.argv.includes('--json')) console.log(JSON.stringify(rounded))
  else for (const [name, value] of Object.entries(rounded)) console.log(`${name.padEnd(56)} ${value}`)
}
