import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, hasData } from '../data.mjs'

export const hasQueries = () => hasData('vault-questions', 'queries.jsonl')

/** The judged queries on a vault. Constants are chosen on odd lines, counted from 1, and confirmed on even ones. */
export function readQueries(vault) {
  return readFileSync(join(dataFolder, 'vault-questions', 'queries.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line, at) => ({ ...JSON.parse(line), isOdd: at % 2 === 0 }))
    .filter((query) => query.vault === vault)
}
