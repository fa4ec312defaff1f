// npm run bench [-- --only quality,10k,rename] [--runs 3] [--no-build] [--no-store]
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkBars, renderBars } from './bars.mjs'
import { cacheFolder, hasData, repository } from './data.mjs'
import { describeCommit, describeMachine } from './machine.mjs'
import { measureCosine } from './measures/cosine.mjs'
import { measureIndexAndQuery } from './measures/index-and-query.mjs'
import { measureQuality } from './measures/quality.mjs'
import { measureRename } from './measures/rename.mjs'
import { measureReview } from './measures/review.mjs'
import { prepareOurs } from './ours.mjs'
import { installPeers } from './peers/install.mjs'
import { hasRipgrep } from './peers/ripgrep.mjs'
import { newRecord } from './record.mjs'
import { renderSkipped, renderTables } from './table.mjs'
import { generatedVault } from './vaults/generate.mjs'
import { noteFiles } from './vaults/note-files.mjs'
import { unpackVault } from './vaults/unpack.mjs'

const groups = {
  quality: { run: measureQuality },
  'tasks-docs': {
    needs: ['vaults', 'tasks-docs.tar.gz'],
    run: (setup) => measureIndexAndQuery(realVault('tasks-docs'), setup),
  },
  'blue-book': {
    needs: ['vaults', 'blue-book.tar.gz'],
    run: (setup) => measureIndexAndQuery(realVault('blue-book'), setup),
  },
  '1k': { needs: ['vaults'], isExtra: true, run: (setup) => measureIndexAndQuery(generatedVault('1k'), setup) },
  '10k': { needs: ['vaults'], run: (setup) => measureIndexAndQuery(generatedVault('10k'), setup) },
  '100k': { needs: ['vaults'], run: (setup) => measureIndexAndQuery(generatedVault('100k'), setup) },
  rename: { needs: ['vaults'], run: (setup) => measureRename(generatedVault('10k'), setup) },
  'rename-1k': { needs: ['vaults'], isExtra: true, run: (setup) => measureRename(generatedVault('1k'), setup) },
  cosine: { run: measureCosine },
  review: { run: measureReview },
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    runs: { type: 'string', default: '3' },
    peers: { type: 'string' },
    'no-build': { type: 'boolean', default: false },
    'no-store': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (options.help) {
  console.log(`npm run bench -- [--only ${Object.keys(groups).join('|')}] [--runs 3] [--peers fts5-porter,minisearch] [--no-build] [--no-store]

Without --only everything runs but the small vaults meant for trying the benchmark itself (1k, rename-1k).
The data folder is NOTEWRIGHT_DATA, else ../shared/data beside the repository. Example:
  npm run bench -- --only quality,10k`)
  process.exit(0)
}

const chosen =
  options.only?.flatMap((list) => list.split(',')) ?? Object.keys(groups).filter((name) => !groups[name].isExtra)
const unknown = chosen.filter((name) => !(name in groups))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There is: ${Object.keys(groups).join(', ')}.`)
  process.exit(2)
}

const started = new Date()
const machine = describeMachine()
const version = describeCommit()
const resultsFile = join(repository, 'bench', 'results', `${started.toISOString().slice(0, 10)}-${version.commit}.json`)
const record = newRecord(earlierResults())
const notInstalled = installPeers()
const setup = {
  record,
  runs: Math.max(1, Number.parseInt(options.runs, 10) || 3),
  scratch: mkdtempSync(join(cacheFolder, 'run-')),
  oursMissing: prepareOurs({ builds: !options['no-build'] }),
  peers: choosePeers([
    { id: 'fts5-porter', isIndexed: true },
    { id: 'minisearch', isIndexed: true, isSlow: true, missing: notInstalled },
    { id: 'orama', isIndexed: true, isSlow: true, missing: notInstalled },
    { id: 'flexsearch', isIndexed: true, isSlow: true, missing: notInstalled },
    { id: 'ripgrep', missing: hasRipgrep() ? undefined : 'rg is not installed' },
    { id: 'scan', isSlow: true },
  ]),
  qualityPeers: choosePeers([
    { id: 'fts5-porter' },
    { id: 'fts5-unicode61' },
    { id: 'fts5-trigram' },
    { id: 'minisearch', missing: notInstalled },
    { id: 'orama', missing: notInstalled },
    { id: 'flexsearch', missing: notInstalled },
    { id: 'scan' },
  ]),
  say: (line) => console.error(`· ${line}`),
}

process.on('exit', () => rmSync(setup.scratch, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

for (const name of chosen) {
  const { needs, run } = groups[name]
  if (needs && !hasData(...needs))
    record.skip('everything', 'everyone', name, `the data folder does not hold ${needs.join('/')}`)
  else await run(setup)
}
report()

function report() {
  const bars = checkBars(record)
  const text = [heading(), renderTables(record), renderBars(bars), renderSkipped(record)].filter(Boolean).join('\n\n')
  console.log(`\n${text}`)
  if (options['no-store']) return

  const stored = { date: started.toISOString(), ...version, machine, runs: setup.runs, bars, ...record.stored() }
  mkdirSync(dirname(resultsFile), { recursive: true })
  writeFileSync(resultsFile, `${JSON.stringify(stored, null, 2)}\n`)
  writeFileSync(join(dirname(resultsFile), 'latest.md'), `${text}\n`)
}

function heading() {
  const changed = version.hasUncommittedChanges ? ' with uncommitted changes' : ''
  const { cpu, cores, memoryGB, system, node } = machine
  return `# Benchmark of ${started.toISOString().slice(0, 10)}

Commit ${version.commit}${changed}. ${cpu}, ${cores} cores, ${memoryGB} GB, ${system}, Node ${node}.
Medians of ${setup.runs} ${setup.runs === 1 ? 'run' : 'runs'}, lowest and highest in brackets; every engine in a process of its own, on the same files.`
}

/** Groups may be run one after the other: what this commit already has on this machine and day is kept and shown. */
function earlierResults() {
  if (options['no-store'] || version.hasUncommittedChanges || !existsSync(resultsFile)) return undefined
  const earlier = JSON.parse(readFileSync(resultsFile, 'utf8'))
  const isSame = !earlier.hasUncommittedChanges && JSON.stringify(earlier.machine) === JSON.stringify(machine)
  return isSame ? earlier : undefined
}

function choosePeers(list) {
  const wanted = options.peers?.split(',')
  return wanted === undefined ? list : list.filter(({ id }) => wanted.includes(id))
}

function realVault(name) {
  const folder = unpackVault(name)
  return { name, folder, notes: noteFiles(folder).length }
}
