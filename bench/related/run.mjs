// How often a note whose link was taken out is among the first ten related notes, beside FTS5 asked with the note's text.
// Usage: node bench/related/run.mjs [--vaults FOLDER] [--vault NAME] [--most N] [--set name=value …]
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundled } from '../bundled.mjs'
import { cacheFolder } from '../data.mjs'
import { fts5Porter } from '../peers/fts5.mjs'
import { questionVaults, vaultFolder } from '../questions/vaults.mjs'
import { median, percentile } from '../statistics.mjs'
import { generatedVault } from '../vaults/generate.mjs'
import { noteFiles } from '../vaults/note-files.mjs'
import { takeOutLinks } from './take-out-links.mjs'

const { values: options } = parseArgs({
  options: {
    /** Folder that holds the fetched vaults, each under its name. */
    vaults: { type: 'string', default: process.env.NOTEWRIGHT_QUESTION_VAULTS },
    vault: { type: 'string', multiple: true },
    /** Notes judged of each half of a vault. */
    most: { type: 'string', default: '300' },
    /** Constants to try. */
    set: { type: 'string', multiple: true, default: [] },
    /** Leave FTS5 out, while constants are tried. */
    alone: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})

/** Words that FTS5 is asked with. */
const mostAsked = 200

const { configSchema, openNotebook, relatedWeights, stateFolders } = await bundled(
  'src/core/config/index.ts',
  'src/core/index/related.ts',
  'src/hosts/node/open-notebook.ts',
  'src/hosts/node/state-folders.ts',
)
for (const [name, value] of options.set.map((each) => each.split('='))) relatedWeights[name] = Number(value)

const rows = []
for (const vault of options.only === 'speed' ? [] : questionVaults) {
  if (options.vault && !options.vault.includes(vault.name)) continue
  const folder = vaultFolder(vault, options.vaults)
  if (folder === undefined) console.log(`${vault.name}: left out, not found (${vault.source ?? 'in the data folder'})`)
  else for (const words of ['gone', 'kept']) rows.push(...(await judge(vault.name, folder, words)))
}
if (rows.length > 0) report(rows)
if (options.only !== 'quality') await speed()

async function judge(name, folder, words) {
  const kept = join(cacheFolder, 'related', `${name}-${words}`)
  if (!existsSync(kept)) {
    const scratch = `${kept}.${process.pid}`
    mkdirSync(scratch, { recursive: true })
    const notebook = await opened(folder, join(scratch, 'first'))
    const lost = await takeOutLinks(notebook.index, folder, join(scratch, 'vault'), words === 'kept')
    await notebook.close()
    rmSync(join(scratch, 'first'), { recursive: true })
    writeFileSync(join(scratch, 'lost.json'), JSON.stringify(lost))
    renameSync(scratch, kept)
  }
  const notebook = await opened(join(kept, 'vault'), join(kept, 'home'))
  const lost = JSON.parse(readFileSync(join(kept, 'lost.json'), 'utf8'))
  const probes = [true, false].flatMap((isOdd) =>
    spaced(
      lost.filter((each) => each.isOdd === isOdd),
      Number(options.most),
    ),
  )
  const fts5 = options.alone ? undefined : textIndex(join(kept, 'vault'), kept)
  const judged = []
  for (const { path, target, isOdd } of probes) {
    const related = (await notebook.index.related({ path, limit: 10 })).notes.map((note) => note.path)
    const place = { Notewright: related.indexOf(target) }
    if (fts5) place['FTS5 porter'] = (await byText(fts5, notebook.index, path)).indexOf(target)
    judged.push({ vault: name, words, isOdd, place })
  }
  fts5?.close()
  await notebook.close()
  return judged
}

async function opened(root, home) {
  const environment = { ...process.env, NOTEWRIGHT_HOME: home }
  const folders = stateFolders({ environment, platform: process.platform, home, currentFolder: home })
  const notebook = await openNotebook({ root, config: configSchema.parse({}), folders })
  await notebook.update()
  return notebook
}

function textIndex(vault, folder) {
  const engine = fts5Porter(folder)
  engine.build(
    noteFiles(vault).map((file) => ({
      path: file.slice(vault.length + 1),
      title: file.slice(file.lastIndexOf('/') + 1, -3),
      body: readFileSync(file, 'utf8'),
    })),
  )
  return { ...engine, textOf: (path) => readFileSync(join(vault, path), 'utf8') }
}

/** FTS5's hits for the note's name and its whole text. As in ours, the note itself and notes linked with it are left out. */
async function byText(fts5, index, path) {
  const linked = new Set([path])
  for (const { target } of await index.linksFrom(path)) linked.add(target)
  for (const { source } of await index.linksTo(path)) linked.add(source)
  const name = path.slice(path.lastIndexOf('/') + 1, -3)
  const found = fts5.query(askedWords(`${name} ${fts5.textOf(path)}`), 10 + linked.size)
  return found.filter((each) => !linked.has(each)).slice(0, 10)
}

/** Each word once, and not all of a long note's: FTS5 would take seconds. */
function askedWords(text) {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, mostAsked).join(' ')
}

function spaced(all, most) {
  const step = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(all.length, most) }, (_, at) => all[Math.floor(at * step)])
}

function report(rows) {
  console.log(
    '| vault | link’s words | half | notes | engine | among 10 | MRR@10 |\n| --- | --- | --- | --: | --- | --: | --: |',
  )
  const groups = new Map()
  for (const row of rows)
    for (const vault of [row.vault, 'all'])
      for (const [engine, place] of Object.entries(row.place)) {
        const key = [vault, row.words, row.isOdd ? 'chosen on' : 'held out', engine].join(' | ')
        groups.set(key, [...(groups.get(key) ?? []), place])
      }
  for (const [key, places] of groups) {
    const [vault, words, half, engine] = key.split(' | ')
    const share = places.filter((place) => place >= 0).length / places.length
    const mrr = places.reduce((sum, place) => sum + (place < 0 ? 0 : 1 / (place + 1)), 0) / places.length
    console.log(
      `| ${vault} | ${words} | ${half} | ${places.length} | ${engine} | ${share.toFixed(3)} | ${mrr.toFixed(3)} |`,
    )
  }
}

/** Related notes of a thousand notes of the generated vault, each asked once, after forty others. */
async function speed() {
  const made = join(cacheFolder, 'v10k')
  const vault = existsSync(made) ? made : generatedVault('10k').folder
  const notebook = await opened(vault, join(cacheFolder, 'related', 'v10k-home'))
  const paths = spaced(
    (await notebook.index.notes()).map(({ path }) => path),
    1040,
  )
  const [times, busy] = [[], []]
  for (const path of paths) {
    const [startedAt, before] = [performance.now(), process.cpuUsage()]
    await notebook.index.related({ path })
    times.push(performance.now() - startedAt)
    const { user, system } = process.cpuUsage(before)
    busy.push((user + system) / 1000)
  }
  await notebook.close()
  const [wall, cpu] = [times.slice(40), busy.slice(40)]
  const p95 = percentile(wall, 0.95)
  const verdict = p95 <= 20 ? 'holds' : 'does NOT hold'
  console.log(`\nrelated notes at 10k: median ${median(wall).toFixed(2)} ms, p95 ${p95.toFixed(2)} ms (20: ${verdict})`)
  console.log(`the processor's time: median ${median(cpu).toFixed(2)} ms, p95 ${percentile(cpu, 0.95).toFixed(2)} ms`)
}
