import { type FileAccess, nodeFiles } from '../files/index.js'
import { beginning, type Link, openRow } from './chained-row.js'
import { type LogFile, readTally, withLogFiles } from './log-files.js'
import type { LogRow } from './stored-row.js'

export interface Verification {
  isWhole: boolean
  rows: number
  /** Numbers of the first and the last row there is; rows before the first were dropped for space. */
  first?: number
  last?: number
  problems: LogProblem[]
  /** A process was killed while it wrote the last row, or is writing it now. The row counts for nothing. */
  hasTornRow: boolean
}

export interface LogProblem {
  file: string
  line?: number
  text: string
}

/** Looks for rows that were changed, removed, added or put elsewhere since they were written. */
export async function verifyLog({ folder, files = nodeFiles }: { folder: string; files?: FileAccess }) {
  const tally = await readTally(files, folder)
  return withLogFiles(files, folder, async (opened): Promise<Verification> => {
    const found: Verification = { isWhole: true, rows: 0, problems: [], hasTornRow: false }
    let previous: Pick<Link, 'n' | 'hash'> | undefined
    for (const file of opened) previous = await verifyFile(file, previous, found)
    const missing = tally - (previous?.n ?? 0)
    if (missing > 0) {
      const what = missing === 1 ? 'The last row is missing' : `The last ${missing} rows are missing`
      const text = `${what}: removed, or lost when the machine stopped.`
      found.problems.push({ file: opened.at(-1)?.name ?? 'calls.jsonl', text })
    }
    found.isWhole = found.problems.length === 0
    return found
  })
}

async function verifyFile(
  file: LogFile,
  before: Pick<Link, 'n' | 'hash'> | undefined,
  found: Verification,
): Promise<Pick<Link, 'n' | 'hash'> | undefined> {
  const lines = (await file.read()).toString('utf8').split('\n')
  const rest = lines.pop()
  let previous = before
  for (const [index, text] of lines.entries()) {
    const { row, isWhole } = openRow<LogRow>(text)
    const problem = (words: string) => found.problems.push({ file: file.name, line: index + 1, text: words })
    if (row === undefined) {
      problem('This is not a row of the log.')
      continue
    }
    found.rows++
    found.first ??= row.n
    found.last = row.n
    if (!isWhole) problem(`Row ${row.n} was changed after it was written.`)
    if (index === 0 && (row.row !== 'file' || row.number !== file.number))
      problem('The beginning of the file is missing.')
    // Files before the oldest were dropped for space; what it goes on from cannot be checked.
    const expected = previous ?? (file.number === 1 ? beginning : undefined)
    if (expected !== undefined && (row.prev !== expected.hash || row.n !== expected.n + 1)) {
      problem(`Row ${row.n} does not follow row ${expected.n}: rows were removed, changed or put elsewhere.`)
    }
    previous = row
  }
  if (rest !== '') {
    if (file.isCurrent) found.hasTornRow = true
    else found.problems.push({ file: file.name, line: lines.length + 1, text: 'The file was cut off.' })
  }
  return previous
}
