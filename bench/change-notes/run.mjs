// Measures a change of many notes with three operations: `node bench/change-notes/run.mjs [notes]`. Prints a table and
// stores nothing. Processor time stands beside the elapsed time, since a busy machine slows only the second.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundled } from '../bundled.mjs'
import { describeMachine } from '../machine.mjs'

const notes = Number(process.argv[2] ?? 6500)
const bars = { planned: 5000, applied: 10_000, peak: 400 }

const { builtInTools, folderVault, openNotebook, parseInput, sqliteStore } = await bundled(
  'src/core/tools/built-in.ts',
  'src/core/tools/tool-input.ts',
  'src/core/index/index.ts',
  'src/hosts/node/folder-vault/folder-vault.ts',
  'src/hosts/node/sqlite-store/sqlite-store.ts',
)

const work = mkdtempSync(join(tmpdir(), 'notewright-bench-change-'))
try {
  const root = join(work, 'vault')
  writeNotes(root)
  const vault = await folderVault({ root, stateDir: join(work, 'state') })
  const notebook = await openNotebook({ vault, store: await sqliteStore({ file: join(work, 'index.db') }) })
  await notebook.update({ vectors: false })
  const tool = builtInTools.find(({ name }) => name === 'change_notes')
  const input = parseInput(tool, {
    where: 'status == "open"',
    operations: [
      { op: 'set_property', property: 'status', value: 'done' },
      { op: 'add_tag', tag: 'reviewed' },
      { op: 'replace_text', find: 'ACME Inc', replace: 'ACME Ltd' },
    ],
  })
  const context = {
    vault,
    index: notebook.index,
    clock: { now: () => new Date(), timeZone: 'UTC' },
    session: 'bench',
    signal: new AbortController().signal,
    report: () => {},
  }
  const plan = await timed(() => tool.plan(input, context))
  const applied = await timed(() => vault.apply(plan.answer.changes))
  await notebook.close()
  report(plan, applied)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** About 3 kB each, as notes usually are. */
function writeNotes(root) {
  const words = Array.from({ length: 4000 }, (_, at) => `w${(at * 7919).toString(36)}`)
  mkdirSync(join(root, '.obsidian'), { recursive: true })
  for (let folder = 0; folder < 65; folder++) mkdirSync(join(root, `Folder ${folder}`))
  for (let at = 0; at < notes; at++) {
    const text = Array.from({ length: 400 }, (_, word) => words[(at * 17 + word * word) % words.length])
    const head = `---\ntitle: Note ${at}\ntags: [a, "b"]\nstatus: open # keep\n---\n# Note ${at}\n\nACME Inc. See [[Note ${at + 1}]].`
    writeFileSync(join(root, `Folder ${at % 65}`, `Note ${at}.md`), `${head}\n${text.join(' ')}\n`)
  }
}

async function timed(work) {
  const [startedAt, before] = [performance.now(), process.cpuUsage()]
  const answer = await work()
  const { user, system } = process.cpuUsage(before)
  return { answer, ms: performance.now() - startedAt, cpu: (user + system) / 1000 }
}

function report(plan, applied) {
  const { cpu, cores, node } = describeMachine()
  const peak = Math.round(process.resourceUsage().maxRSS / 1024)
  const verdict = (value, most) => `at most ${most}: ${value <= most ? 'holds' : 'does NOT hold'}`
  console.log(`${plan.answer.output.notes} notes, 3 operations, ${cpu}, ${cores} cores, Node ${node}\n`)
  console.log('| measure | elapsed ms | processor ms | |\n| --- | --- | --- | --- |')
  for (const [name, { ms, cpu: processor }, most] of [
    ['planned', plan, bars.planned],
    ['applied', applied, bars.applied],
  ]) {
    console.log(`| ${name} | ${Math.round(ms)} | ${Math.round(processor)} | ${verdict(ms, most)} |`)
  }
  console.log(`| peak memory of the process, indexing included, in MB | ${peak} | | ${verdict(peak, bars.peak)} |`)
}
