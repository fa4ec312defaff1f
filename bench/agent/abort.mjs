// How long it takes from pressing stop to the end of a turn, in each state a turn can be in, and to the end of its
// connections. `node bench/agent/abort.mjs [turns]`
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundled } from '../bundled.mjs'
import { median, percentile } from '../statistics.mjs'

const turns = Number(process.argv[2] ?? 200)
const {
  builtInTools,
  configSchema,
  defaultProfile,
  nodeWeb,
  openModel,
  openFolderNotebook,
  registry,
  run,
  sessionOn,
  scriptedModel,
  stateFolders,
} = await bundled(
  'src/core/agent/index.ts',
  'src/core/model/index.ts',
  'src/core/tools/index.ts',
  'src/core/config/index.ts',
  'test/doubles/scripted-model.ts',
  'src/core/providers/index.ts',
  'src/hosts/node/open-notebook.ts',
  'src/hosts/node/web.ts',
  'src/hosts/node/state-folders.ts',
  'test/session/session-on.ts',
)

const home = mkdtempSync(join(tmpdir(), 'notewright-bench-abort-'))
const environment = { NOTEWRIGHT_HOME: join(home, 'home') }
const folders = stateFolders({ environment, platform: process.platform, home, currentFolder: home })
const config = configSchema.parse({})
const server = await silentServer()
const root = join(home, 'vault')
writeNotes('first')
const notebook = await openFolderNotebook({ root, config, folders })
await notebook.update({ vectors: false })
const setup = await openTools()
try {
  const states = {
    'waiting for the provider': waiting,
    streaming,
    'in a tool (loading a page)': inTool,
    'in an approval': inApproval,
    'in an index build': indexing,
  }
  console.log(`from stop to the end of the turn, ms, ${turns} turns each (bars: end p99 ≤ 100 ms, sockets ≤ 1000 ms)`)
  console.log(`${'state'.padEnd(30)}${['p50', 'p99', 'max', 'sockets p99'].map((head) => head.padStart(13)).join('')}`)
  for (const [name, enter] of Object.entries(states)) {
    const ends = []
    const closings = []
    // The first turns warm the code up.
    for (let turn = -3; turn < turns; turn++) {
      const { end, closed } = await stopOnce(await enter(turn))
      if (turn < 0) continue
      ends.push(end)
      if (closed !== undefined) closings.push(closed)
    }
    const shown = [median(ends), percentile(ends, 0.99), Math.max(...ends)].map((ms) => ms.toFixed(2).padStart(13))
    const sockets = closings.length === 0 ? '–' : percentile(closings, 0.99).toFixed(2)
    console.log(name.padEnd(30) + shown.join('') + sockets.padStart(13))
  }
} finally {
  await notebook.close()
  server.closeAllConnections()
  server.close()
  rmSync(home, { recursive: true, force: true })
}

/** Runs a turn, stops it as soon as it is in its state, and times what follows. */
async function stopOnce({ model, tools = setup, isIn, hasSocket }) {
  const stop = new AbortController()
  let stoppedAt
  const press = () => {
    stoppedAt ??= performance.now()
    stop.abort(new Error('stopped'))
  }
  isIn.press = press
  const closing = hasSocket ? once(server, 'reply-closed') : undefined
  const agent = {
    model,
    modelName: 'bench',
    profile: defaultProfile,
    tools,
    toolset: tools.registry.all().map(({ tool }) => tool),
    signal: stop.signal,
  }
  let reason
  for await (const event of run({ id: 'turn', text: 'Go.', mode: 'agent' }, agent)) {
    isIn.see?.(event)
    if (event.type === 'run-end') reason = event.reason
  }
  const end = performance.now() - stoppedAt
  if (reason !== 'stopped') throw new Error(`The turn ended with ${reason}.`)
  await closing
  return { end, closed: hasSocket ? performance.now() - stoppedAt : undefined }
}

async function waiting() {
  const isIn = {}
  server.answer = () => setImmediate(() => isIn.press())
  return { model: await providersModel(), isIn, hasSocket: true }
}

async function streaming() {
  server.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const delta = { content: 'word ' }
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta }] }
    const timer = setInterval(() => response.write(`data: ${JSON.stringify(chunk)}\n\n`), 1)
    response.on('close', () => clearInterval(timer))
  }
  let words = 0
  const isIn = { see: ({ type }) => type === 'text-delta' && ++words === 5 && setImmediate(isIn.press) }
  return { model: await providersModel(), isIn, hasSocket: true }
}

async function inTool() {
  const isIn = {}
  server.answer = () => setImmediate(() => isIn.press())
  // The page is on this machine, which tools may not reach, so they get a public address for it.
  const web = nodeWeb({
    userAgent: 'bench',
    resolve: async () => ['93.184.215.14'],
    connect: () => ({ address: '127.0.0.1', port: server.address().port }),
  })
  const model = scriptedModel([{ call: [{ name: 'web_fetch', input: { url: 'http://example.org/' } }] }])
  return { model, isIn, hasSocket: true, tools: await openTools(() => ({ verdict: 'allow' }), { web }) }
}

async function inApproval() {
  const isIn = {}
  const asker = () => {
    setImmediate(() => isIn.press())
    return new Promise(() => {})
  }
  const call = { name: 'write_note', input: { path: 'New.md', content: 'Never.' } }
  return { model: scriptedModel([{ call: [call] }]), isIn, tools: await openTools(asker) }
}

async function indexing(turn) {
  writeNotes(turn)
  const isIn = { see: ({ type }) => type === 'tool-progress' && setImmediate(isIn.press) }
  return { model: scriptedModel([{ call: [{ name: 'index_vault', input: {} }] }]), isIn }
}

async function providersModel() {
  const environment = { NOTEWRIGHT_COMPATIBLE_URL: `http://127.0.0.1:${server.address().port}/v1` }
  return (await openModel('compatible/m', { environment, fetch })).model
}

/** Never ends a reply; says when the other side has closed it. */
async function silentServer() {
  const made = createServer(async (request, response) => {
    for await (const _ of request);
    response.on('close', () => made.emit('reply-closed'))
    made.answer(response)
  })
  made.listen(0, '127.0.0.1')
  await once(made, 'listening')
  return made
}

/** Enough of them that a build is still at work when it is stopped. */
function writeNotes(turn) {
  mkdirSync(root, { recursive: true })
  for (let at = 0; at < 400; at++) {
    writeFileSync(join(root, `Note ${at}.md`), `# Note ${at}\n\n${`Words ${turn} of ${at}. `.repeat(300)}\n`)
  }
}

async function openTools(asker, context = {}) {
  const tools = registry(builtInTools)
  const approvalOptions = asker && { askPerson: async () => asker() }
  const { setup: opened } = await sessionOn(notebook, { home, tools, approvalOptions })
  return { ...opened, context: { ...opened.context, ...context } }
}
