// Measures the web page: `npm run build && node bench/web/run.mjs [--json] [--only load,turn,transcript,typing]`.
// Needs Chromium; typing also needs the generated vault of 10,000 notes and its data.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generatedVault } from '../vaults/generate.mjs'
import { writeQueries } from '../vaults/queries.mjs'
import { measureLoad } from './load.mjs'
import { served, wordServer } from './served.mjs'
import { longSession, measureTranscript } from './transcript.mjs'
import { measureTurn } from './turn.mjs'
import { measureTyping } from './typing.mjs'

const { values } = parseArgs({ options: { json: { type: 'boolean' }, only: { type: 'string' } } })
const isWanted = (name) => values.only === undefined || values.only.split(',').includes(name)

const folder = mkdtempSync(join(tmpdir(), 'notewright-bench-web-'))
const vault = join(folder, 'vault')
mkdirSync(vault)
writeFileSync(join(vault, 'Note.md'), '# Note\n\nBeans climb poles.\n')
// This process uses the same home as the server.
process.env.NOTEWRIGHT_HOME = join(folder, 'home')
const models = await wordServer()
const environment = { ...process.env, ...models.environment }
const figures = { cores: cpus().length, load: loadavg()[0].toFixed(1) }
const turns = 1000
try {
  const session = isWanted('transcript') ? await longSession(vault, turns) : undefined
  if (isWanted('turn')) Object.assign(figures, await measureTurn(vault, environment))
  if (session || isWanted('load')) {
    await onPage(await served(vault, environment, ['-m', 'compatible/test']), async (place) => {
      if (isWanted('load')) Object.assign(figures, await measureLoad(place))
      if (session) Object.assign(figures, await measureTranscript(place, session, turns))
    })
  }
  if (isWanted('typing')) {
    const { folder: notes } = generatedVault('10k')
    const { openVault } = await import(new URL('../../dist/library.js', import.meta.url).href)
    await (await openVault(notes)).close()
    const queries = readFileSync(writeQueries(notes, folder).short, 'utf8').trim().split('\n')
    const words = queries.map((line) => JSON.parse(line).query).slice(0, 120)
    await onPage(await served(notes, environment, ['-m', 'offline']), async (place) => {
      await indexed(place)
      Object.assign(figures, await measureTyping(place, notes, words))
    })
  }
} finally {
  models.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
const rounded = Object.entries(figures).map(([name, value]) => [
  name,
  typeof value === 'number' ? Math.round(value * 10) / 10 : value,
])
if (values.json) console.log(JSON.stringify(Object.fromEntries(rounded)))
else for (const [name, value] of rounded) console.log(`${name.padEnd(72)} ${value}`)

async function onPage(place, measure) {
  try {
    await measure(place)
  } finally {
    await place.stop()
  }
}

/** The index is complete, vectors too, before anything is timed. */
async function indexed({ page }) {
  await page.waitForFunction(
    () =>
      fetch('/api/index', { headers: { Authorization: `Bearer ${localStorage.getItem('notewright-login')}` } }).then(
        async (answer) => !(await answer.json()).running,
      ),
    undefined,
    { timeout: 300_000, polling: 1000 },
  )
}
