// Our MCP server beside two others on the vault of 10,000 notes, over stdio, in one run: `node bench/mcp/run.mjs [rounds]`.
// Prints a table and the bars; stores nothing. Run it on a quiet machine.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundled } from '../bundled.mjs'
import { cacheFolder, repository } from '../data.mjs'
import { median, percentile } from '../statistics.mjs'
import { generatedVault } from '../vaults/generate.mjs'
import { noteFiles } from '../vaults/note-files.mjs'
import { writeQueries } from '../vaults/queries.mjs'
import { startServer } from './client.mjs'

const rounds = Number(process.argv[2] ?? 9)
const folder = fileURLToPath(new URL('.', import.meta.url))
if (!existsSync(join(folder, 'node_modules'))) {
  console.error('Installing the other servers (once)…')
  spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
}
const made = join(cacheFolder, 'v10k')
const vault = realpathSync(existsSync(made) ? made : generatedVault('10k').folder)
const home = mkdtempSync(join(tmpdir(), 'notewright-bench-mcp-'))
const env = { ...process.env, NOTEWRIGHT_HOME: home }
const ours = join(repository, 'dist', 'notewright.js')
const installed = (path) => join(folder, 'node_modules', path)

const servers = {
  notewright: { argv: [ours, 'mcp', '--vault', vault], search: (query) => ['search_notes', { query }] },
  mcpvault: {
    argv: [installed('@bitbonsai/mcpvault/dist/server.js'), vault],
    search: (query) => ['search_notes', { query }],
  },
  'server-filesystem': {
    argv: [installed('@modelcontextprotocol/server-filesystem/dist/index.js'), vault],
    search: (query) => ['search_files', { path: vault, pattern: `**/*${query.split(' ')[0]}*` }],
  },
}

try {
  execFileSync(process.execPath, [ours, 'index', '--vault', vault], { env, stdio: 'ignore' })
  const queries = readFileSync(writeQueries(vault, home).short, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).query)
  const found = Object.fromEntries(Object.keys(servers).map((name) => [name, { starts: [] }]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, { argv }] of Object.entries(servers)) {
      const server = await startServer(argv, env)
      found[name].starts.push(server.startMs)
      await server.stop()
    }
  }
  for (const [name, { argv, search }] of Object.entries(servers)) {
    const server = await startServer(argv, env)
    const asked = name === 'notewright' ? queries : queries.slice(0, 8)
    const times = []
    for (const [at, query] of asked.entries()) {
      const { ms } = await server.call(...search(query))
      if (at >= Math.min(40, asked.length / 4)) times.push(ms)
    }
    found[name].search = times
    found[name].listBytes = (await server.request('tools/list')).bytes
    if (name === 'notewright') found[name].backlinks = await backlinks(server)
    found[name].megabytes = server.megabytes()
    found[name].largest = server.largest()
    await server.stop()
  }
  found.notewright.inProcess = await inProcess(queries)
  show(found)
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function backlinks(server) {
  const times = []
  const paths = noteFiles(vault).map((file) => file.slice(vault.length + 1))
  for (let at = 0; at < 240; at++) {
    const { ms } = await server.call('list_backlinks', { path: paths[(at * 7919) % paths.length] })
    if (at >= 40) times.push(ms)
  }
  for (const [name, input] of [
    ['get_file_tree', {}],
    ['get_tag_list', {}],
    ['vault_search', { query: 'the' }],
    ['search_notes', { query: 'the', top_k: 50 }],
  ]) {
    await server.call(name, input)
  }
  return times
}

/** The same tool without a protocol around it. */
async function inProcess(queries) {
  const { configSchema, openNotebook, runTool, sessionOn, stateFolders } = await bundled(
    'src/core/tools/index.ts',
    'src/core/config/index.ts',
    'src/hosts/node/open-notebook.ts',
    'src/hosts/node/state-folders.ts',
    'test/session/session-on.ts',
  )
  const folders = stateFolders({ environment: env, platform: process.platform, home, currentFolder: home })
  const notebook = await openNotebook({ root: vault, config: configSchema.parse({}), folders })
  const { setup } = await sessionOn(notebook, { home })
  const times = []
  for (const [at, query] of queries.entries()) {
    const from = performance.now()
    await runTool({ id: 'bench', name: 'search_notes', input: { query } }, setup)
    if (at >= 40) times.push(performance.now() - from)
  }
  await notebook.close()
  return times
}

function show(found) {
  const ms = (value) => (value === undefined ? '' : `${value.toFixed(1)} ms`)
  console.table(
    Object.fromEntries(
      Object.entries(found).map(([name, { starts, search, backlinks, megabytes, listBytes, largest }]) => [
        name,
        {
          'start to initialised': ms(median(starts)),
          'search p50': ms(median(search)),
          'search p95': ms(percentile(search, 0.95)),
          'backlinks p50': ms(backlinks && median(backlinks)),
          memory: `${megabytes.toFixed(0)} MB`,
          'tools/list': `${listBytes} B`,
          'largest reply': `${largest} B`,
        },
      ]),
    ),
  )
  const { notewright, mcpvault } = found
  const [start, search, inside] = [median(notewright.starts), median(notewright.search), median(notewright.inProcess)]
  console.log(`search_notes in process: p50 ${ms(inside)}`)
  const bars = [
    ['start <= 0.5 of mcpvault', start / median(mcpvault.starts), 0.5],
    ['start <= 400 ms', start, 400],
    ['search p50 <= 0.05 of mcpvault', search / median(mcpvault.search), 0.05],
    ['search p50 <= in process + 5 ms', search - inside, 5],
    ['backlinks p50 <= 5 ms', median(notewright.backlinks), 5],
    ['memory <= 250 MB', notewright.megabytes, 250],
    ['tools/list <= 20 KB', notewright.listBytes, 20_480],
    ['largest reply <= 64 KB', notewright.largest, 65_536],
  ]
  for (const [what, value, bar] of bars)
    console.log(`${value <= bar ? 'holds ' : 'FAILS '} ${what}: ${value.toFixed(3)}`)
  if (bars.some(([, value, bar]) => value > bar)) process.exitCode = 1
}
