// Measures the session store: node bench/sessions/run.mjs [sessions=10000] (after npm run build)
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundled } from '../bundled.mjs'
import { repository } from '../data.mjs'

const sessions = Number(process.argv[2] ?? 10_000)
const longest = 5000
const folder = mkdtempSync(join(tmpdir(), 'notewright-bench-sessions-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const vault = join(folder, 'vault')
cpSync(join(repository, 'examples/vault'), vault, { recursive: true })
const environment = { ...process.env, NOTEWRIGHT_HOME: join(folder, 'home') }
const program = join(repository, 'dist/notewright.js')

function run(...words) {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [program, '--vault', vault, ...words], {
    env: environment,
    input: '',
    maxBuffer: 1e9,
  })
  if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
  return performance.now() - started
}

const { vaultSessions, vaultFolders, stateFolders, openNotebook, folderHost, vaultFromHost, configSchema } =
  await bundled(
    'src/hosts/node/sessions.ts',
    'src/hosts/node/state-folders.ts',
    'src/hosts/node/open-notebook.ts',
    'src/hosts/node/folder-host.ts',
    'src/core/session/index.ts',
    'src/core/config/index.ts',
  )
run('index')
const surroundings = { environment, platform: process.platform, home: folder, currentFolder: folder }
const { journal } = vaultFolders(stateFolders(surroundings), vault)
const store = vaultSessions(journal)

const message = 'Compost feeds the soil, and the beans want poles. '.repeat(8)
const event = (at) =>
  at % 50 === 0
    ? { type: 'run-start', turn: `t${at}`, mode: 'agent', model: 'offline', text: `Question ${at}` }
    : at % 50 === 1
      ? { type: 'messages', messages: [{ role: 'user', content: message }] }
      : at % 50 === 48
        ? { type: 'messages', messages: [{ role: 'assistant', content: [{ type: 'text', text: message }] }] }
        : at % 50 === 49
          ? { type: 'run-end', reason: 'answered', text: message, messages: [], steps: 1, usage: {} }
          : { type: 'text-delta', text: 'Compost feeds the soil. ' }
const about = { turns: 1, model: 'offline', waiting: [] }
const entry = (events) => ({ events: events.map((one) => ({ time: new Date().toISOString(), event: one })), about })

for (let at = 0; at < sessions; at++) {
  const writer = await store.write(`2026-01-01-${at}`)
  await writer.append(entry([0, 1, 2, 48, 49].map(event)))
  await writer.release()
  await store.rename(`2026-01-01-${at}`, `Session ${at} about soil`, 'words')
}
const state = { model: 'offline', mode: 'agent', consent: 'ask', seen: [], read: [], typed: ['Question'], grants: [] }
const writer = await store.write('long')
const times = []
for (let at = 0; at < longest; at++) {
  const started = performance.now()
  await writer.append({
    ...entry([event(at)]),
    about: { ...about, turns: longest / 50 },
    ...(at % 50 === 0 && { state }),
  })
  times.push(performance.now() - started)
}
await writer.release()
await store.close()
times.sort((a, b) => a - b)

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]
const often = (...words) => median(Array.from({ length: 7 }, () => run(...words)))
const before = process.memoryUsage().rss
const again = vaultSessions(journal)
await again.list()
await again.read('long')
const growth = process.memoryUsage().rss - before
await again.close()

const status = often('status', '--json')
const list = often('sessions', 'list', '--json')
const fresh = often('ask', '--mode', 'chat', '--json', 'hello')
const resumed = often('ask', '--mode', 'chat', '-r', 'long', '--json', 'hello')
/** A turn of a thousand words, as a quick model sends them; answers what share of it was spent on writing them down. */
async function shareOfWriting() {
  const folders = stateFolders(surroundings)
  const settings = configSchema.parse({})
  const notebook = await openNotebook({ root: vault, config: settings, folders })
  const host = folderHost(notebook, { settings, folders, surroundings })
  let written = 0
  let events = 0
  const timed = (work) => async (entry) => {
    const started = performance.now()
    const answer = await work(entry)
    written += performance.now() - started
    events += entry.events.length
    return answer
  }
  const write = async (id) => {
    const writer = await host.sessions.write(id)
    return { ...writer, append: timed(writer.append) }
  }
  const opened = vaultFromHost({ host: { ...host, sessions: { ...host.sessions, write } }, settings })
  const session = await opened.openSession({ model: talkative(1000, 2), mode: 'chat' })
  const started = performance.now()
  for await (const event of session.ask('Tell me all'))
    if (event.type === 'run-end' && event.failure) throw event.failure
  const took = performance.now() - started
  await opened.close()
  return { share: written / took, took, written, events }
}

/** A model that sends a number of words, one every few milliseconds. */
function talkative(words, everyMs) {
  const usage = { inputTokens: { total: 10 }, outputTokens: { total: words } }
  async function* parts() {
    yield { type: 'stream-start', warnings: [] }
    yield { type: 'text-start', id: 't' }
    for (let at = 0; at < words; at++) {
      if (at % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 5 * everyMs))
      yield { type: 'text-delta', id: 't', delta: `word${at} ` }
    }
    yield { type: 'text-end', id: 't' }
    yield { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } }
  }
  const stream = () => ReadableStream.from(parts())
  return {
    specificationVersion: 'v3',
    provider: 'bench',
    modelId: 'talkative',
    supportedUrls: {},
    doStream: async () => ({ stream: stream() }),
  }
}
const turn = await shareOfWriting()

const row = (what, value, bar) => console.log(`${what.padEnd(58)} ${value.padStart(10)}   ${bar}`)
row(`write one event, p95 (${longest} events)`, `${times[Math.floor(longest * 0.95)].toFixed(3)} ms`, '≤ 1 ms')
row(`sessions list --json of ${sessions + 1}`, `${list.toFixed(0)} ms`, `≤ 2 × status (${status.toFixed(0)} ms)`)
row(`a turn resumed after ${longest} events, above a new one`, `${(resumed - fresh).toFixed(0)} ms`, '≤ 100 ms')
row('memory to list all and read the long one', `${(growth / 1e6).toFixed(1)} MB`, '≤ 50 MB')
row(
  `writing in a turn of 1,000 deltas (${turn.events} events, ${turn.took.toFixed(0)} ms)`,
  `${(100 * turn.share).toFixed(1)} %`,
  '≤ 5 %',
)
