// Measures the overhead of a tool call, without the tool's own work: `node bench/tools/run.mjs [calls]`. Prints a table only.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundled } from '../bundled.mjs'
import { cacheFolder, repository } from '../data.mjs'
import { describeMachine } from '../machine.mjs'
import { median, percentile } from '../statistics.mjs'
import { generatedVault } from '../vaults/generate.mjs'
import { writeQueries } from '../vaults/queries.mjs'

const calls = Number(process.argv[2] ?? 1000)
const { builtInTools, configSchema, openNotebook, registry, runTool, sessionOn, stateFolders } = await bundled(
  'src/core/tools/index.ts',
  'src/core/config/index.ts',
  'src/hosts/node/open-notebook.ts',
  'src/hosts/node/state-folders.ts',
  'test/session/session-on.ts',
)

const made = join(cacheFolder, 'v10k')
const vault = realpathSync(existsSync(made) ? made : generatedVault('10k').folder)
const home = mkdtempSync(join(tmpdir(), 'notewright-bench-tools-'))
try {
  const environment = { ...process.env, NOTEWRIGHT_HOME: home }
  const program = join(repository, 'dist', 'notewright.js')
  if (!existsSync(program)) execFileSync(process.execPath, ['scripts/build.mjs', '--quiet'], { cwd: repository })
  execFileSync(process.execPath, [program, 'index', '--vault', vault], { env: environment, stdio: 'ignore' })

  const folders = stateFolders({ environment, platform: process.platform, home, currentFolder: home })
  // Rules as someone may have them, so that deciding has something to look at.
  const permissions = {
    allow: ['append_note(Inbox/**)', 'edit_note(Projects/**)'],
    ask: ['writes(tag:#final)'],
    deny: ['delete_note', 'writes(folder:Archive)'],
  }
  const config = { ...configSchema.parse({}), permissions }
  const notebook = await openNotebook({ root: vault, config, folders })
  const tools = registry(builtInTools)
  tools.register(nothing(builtInTools), 'custom')
  const { setup } = await sessionOn(notebook, { home, tools, settings: { permissions } })
  const notes = (await notebook.index.notes()).map(({ path }) => path)
  const call = async (name, input) => {
    const startedAt = performance.now()
    const result = await runTool({ id: 'bench', name, input }, setup)
    const ms = performance.now() - startedAt
    if (!result.ok) throw new Error(`${name} failed: ${result.text}`)
    return ms
  }
  const search = async (query) => {
    const startedAt = performance.now()
    await notebook.index.search({ query, limit: 10 })
    return performance.now() - startedAt
  }

  const overhead = await measured((at) => call('do_nothing', { path: notes[at % notes.length], count: at }))
  const reading = await measured((at) => call('read_note', { path: notes[(at * 7919) % notes.length] }))
  const queries = ['short', 'long'].flatMap((kind) =>
    readFileSync(writeQueries(vault, home)[kind], 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).query),
  )
  for (const query of queries.slice(0, 40)) await call('search_notes', { query })
  const [bare, whole, added] = [[], [], []]
  for (const [at, query] of queries.entries()) {
    // The second of two equal searches finds everything warm, so each goes first every other time.
    const pair = at % 2 === 0 ? [await search(query), 0] : [0, await call('search_notes', { query })]
    if (at % 2 === 0) pair[1] = await call('search_notes', { query })
    else pair[0] = await search(query)
    bare.push(pair[0])
    whole.push(pair[1])
    added.push(pair[1] - pair[0])
  }
  await notebook.close()

  const { cpu, cores, node } = describeMachine()
  console.log(`${notes.length.toLocaleString('en')} notes, ${cpu}, ${cores} cores, Node ${node}\n`)
  const rows = [
    ['runTool: validate, decide, log (no fsync)', overhead, 1],
    ['read_note', reading, 3],
    ['search alone', bare],
    ['search_notes', whole],
    ['search_notes minus search', added, 2],
  ]
  console.log('| measure | median ms | p95 ms | p95 at most |\n| --- | --- | --- | --- |')
  for (const [name, values, bar] of rows) {
    const p95 = percentile(values, 0.95)
    const verdict = bar === undefined ? '' : `${bar} ${p95 <= bar ? 'holds' : 'does NOT hold'}`
    console.log(`| ${name} | ${median(values).toFixed(2)} | ${p95.toFixed(2)} | ${verdict} |`)
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** A tool that does nothing with usual arguments: what is left is what every call pays. */
function nothing(all) {
  const { input, output, ...words } = all.find(({ name }) => name === 'read_note')
  return {
    ...words,
    name: 'do_nothing',
    input: {
      jsonSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, count: { type: 'number' } },
        required: ['path'],
        additionalProperties: false,
      },
    },
    reaches: async ({ path }) => ({ notes: [path] }),
    run: async () => 'done',
    render: (text) => text,
    notesIn: undefined,
    summary: () => 'done',
  }
}

async function measured(work) {
  for (let at = 0; at < 200; at++) await work(at)
  const timings = []
  for (let at = 0; at < calls; at++) timings.push(await work(at + 200))
  return timings
}
