import type { NotePath } from '../../../core/vault/index.js'
import { IndexCorrupt, type NoteFacts } from '../../../core/vault-index/index.js'
import { addTo, checksumOf, takeFrom } from './checksum.js'
import type { Snapshot } from './store-state.js'

/** What filters look at, in rows so small that going through all of them takes little time. */
type PackedFacts = [
  path: string,
  mtimeMs: number,
  createdMs: number,
  tags: string[],
  properties: Record<string, string[]>,
]

export function factsText({ path, mtimeMs, createdMs, tags, properties }: NoteFacts): string {
  const packed: PackedFacts = [path, mtimeMs, createdMs, tags, properties]
  return JSON.stringify(packed)
}

/** Only read as a whole, so one sum proves them all. */
export function allFacts({ driver, state }: Snapshot): NoteFacts[] {
  const rows = driver.all('SELECT id, row FROM facts')
  const sum = rows.reduce((total, [id, row]) => addTo(total, checksumOf(id, row)), 0)
  if (sum !== state.factSum || rows.length !== state.notes) throw new IndexCorrupt('The facts do not add up')
  const packed = JSON.parse(`[${rows.map(([, row]) => row).join()}]`) as PackedFacts[]
  return packed.map(([path, mtimeMs, createdMs, tags, properties], at) => ({
    id: Number(rows[at][0]),
    path: path as NotePath,
    mtimeMs,
    createdMs,
    tags,
    properties,
  }))
}

export function addFacts({ state }: Snapshot, id: number, row: string): void {
  state.factSum = addTo(state.factSum, checksumOf(id, row))
}

export function removeFacts({ driver, state }: Snapshot, ids: readonly number[]): void {
  const where = 'FROM facts WHERE id IN (SELECT value FROM json_each(?))'
  for (const [id, row] of driver.all(`SELECT id, row ${where}`, [JSON.stringify(ids)])) {
    state.factSum = takeFrom(state.factSum, checksumOf(id, row))
  }
  driver.run(`DELETE ${where}`, [JSON.stringify(ids)])
}
