// Measures applying an edit of one note: `node bench/apply/run.mjs [--against ../before] [edits]`. Prints a table,
// stores nothing. Two checkouts edit in one process, in turn, each in a copy of its own, so that a busy machine or disk
// slows both alike.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bundled } from '../bundled.mjs'
import { describeMachine } from '../machine.mjs'
import { median, percentile } from '../statistics.mjs'
import { generatedVault } from '../vaults/generate.mjs'

const { values, positionals } = parseArgs({ options: { against: { type: 'string' } }, allowPositionals: true })
const edits = Number(positionals[0] ?? 300)
const unmeasured = 50
const bar = 1.1

const work = mkdtempSync(join(tmpdir(), 'notewright-bench-apply-'))
try {
  const { folder } = generatedVault('1k')
  const other = values.against && (await import(pathToFileURL(resolve(values.against, 'bench/bundled.mjs')).href))
  const editors = {
    ...(other && { before: await openEditor(other.bundled, 'before', folder) }),
    now: await openEditor(bundled, 'now', folder),
  }
  for (let at = 0; at < unmeasured + edits; at++) {
    for (const name of at % 2 === 0 ? Object.keys(editors) : Object.keys(editors).reverse()) {
      const taken = await editors[name].edit(at)
      if (at >= unmeasured) for (const [what, ms] of Object.entries(taken)) editors[name].taken[what].push(ms)
    }
  }
  for (const { close } of Object.values(editors)) await close()
  report(editors)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** A checkout with a vault, an index and a journal of its own. */
async function openEditor(bundledOf, name, from) {
  const { changeSet, folderVault, openNotebook, sqliteStore } = await bundledOf(
    'src/core/vault/index.ts',
    'src/core/index/index.ts',
    'src/hosts/node/folder-vault/folder-vault.ts',
    'src/hosts/node/sqlite-store/sqlite-store.ts',
  )
  const [root, stateDir] = [join(work, name, 'vault'), join(work, name, 'state')]
  cpSync(from, root, { recursive: true })
  const vault = await folderVault({ root, stateDir })
  const notebook = await openNotebook({ vault, store: await sqliteStore({ file: join(work, `${name}.db`) }) })
  await notebook.update({ vectors: false })
  const notes = (await notebook.index.notes()).map(({ path }) => path)

  async function edit(at) {
    const { path, text, hash } = await vault.read(notes[(at * 7919) % notes.length])
    const after = new TextEncoder().encode(`${text}\nEdit ${at}.\n`)
    const set = changeSet('Edit', [{ kind: 'edit', path, before: hash, after }])
    const [startedAt, before] = [performance.now(), process.cpuUsage()]
    // Every other edit is indexed too, as the tools do it.
    const isIndexed = Math.floor(at / 2) % 2 === 0
    await (isIndexed ? notebook.apply(set) : vault.apply(set))
    const { user, system } = process.cpuUsage(before)
    const [ms, cpu] = [performance.now() - startedAt, (user + system) / 1000]
    return isIndexed ? { indexed: ms, indexedCpu: cpu } : { applied: ms, appliedCpu: cpu }
  }
  return { edit, close: () => notebook.close(), taken: { applied: [], appliedCpu: [], indexed: [], indexedCpu: [] } }
}

function report({ before, now }) {
  const { cpu, cores, node } = describeMachine()
  console.log(`${edits} edits, ${cpu}, ${cores} cores, Node ${node}\n`)
  const rows = {
    'apply: check, journal, write, sync': ['applied', bar],
    'the same, processor alone': ['appliedCpu'],
    'apply and index': ['indexed'],
    'the same, processor alone ': ['indexedCpu'],
  }
  const heads = ['measure', ...(before ? ['before', 'before p95'] : []), 'now', 'now p95', ...(before ? ['ratio'] : [])]
  console.log(`| ${heads.join(' | ')} |\n|${' --- |'.repeat(heads.length)}`)
  const shown = (times) => [median(times).toFixed(2), percentile(times, 0.95).toFixed(2)]
  for (const [name, [what, most]] of Object.entries(rows)) {
    const cells = [name, ...(before ? shown(before.taken[what]) : []), ...shown(now.taken[what])]
    if (before) {
      const ratio = median(now.taken[what]) / median(before.taken[what])
      const verdict = most === undefined ? '' : ` (at most ${most}: ${ratio <= most ? 'holds' : 'does NOT hold'})`
      cells.push(`${ratio.toFixed(2)}×${verdict}`)
    }
    console.log(`| ${cells.join(' | ')} |`)
  }
}
