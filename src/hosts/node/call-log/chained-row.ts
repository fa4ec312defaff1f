import { hash } from 'node:crypto'

/** What every row of a chain has: its number, the hash of the row before it, and its own. */
export interface Link {
  n: number
  prev: string
  hash: string
}

/** Stands before the first row of all. */
export const beginning: Pick<Link, 'n' | 'hash'> = { n: 0, hash: '0'.repeat(64) }

/** One line of JSON. `hash` comes last and is the SHA-256 of the line without it, so it also covers `prev`. */
export function sealRow(row: object, { n, prev }: Omit<Link, 'hash'>): { line: Buffer; hash: string } {
  const body = JSON.stringify({ n, ...row, prev })
  const own = hash('sha256', body)
  return { line: Buffer.from(`${body.slice(0, -1)},"hash":"${own}"}\n`), hash: own }
}

/** The row of a line, and whether it is as it was written. A line that is no row at all has none. */
export function openRow<Row>(line: string): { row?: Row & Link; isWhole: boolean } {
  const body = `${line.slice(0, -sealLength)}}`
  const seal = line.slice(-sealLength)
  const isWhole = seal === `,"hash":"${hash('sha256', body)}"}`
  try {
    const row = JSON.parse(line) as Row & Link
    return Number.isSafeInteger(row?.n) && typeof row.hash === 'string' ? { row, isWhole } : { isWhole: false }
  } catch {
    return { isWhole: false }
  }
}

const sealLength = ',"hash":""}'.length + 64
