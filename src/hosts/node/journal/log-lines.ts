import { hash } from 'node:crypto'
import { type RowRemains, remainsOf } from '../../../core/vault/index.js'

/** A line of a log: a row, or what is left of one. `raw` is how it stands in the file. */
export type LogLine<Row> = { raw: Uint8Array; row: Row } | { raw: Uint8Array; damage: LineDamage }

export interface LineDamage {
  /** Counted from 1 in what was parsed. */
  line: number
  isCut: boolean
  remains: RowRemains
}

/** A row as it is written: its checksum, the row, a line break. */
export function rowLine(row: unknown): Buffer {
  const json = JSON.stringify(row)
  return Buffer.from(`${checksum(json)} ${json}\n`)
}

/** Stands in the log for a row whose end was missing, so that it stays known. */
export function cutLine(torn: Uint8Array): Buffer {
  return rowLine({ cut: remainsOf(Buffer.from(torn).toString()) })
}

/**
 * All lines that have an end, and where the last one ends. One that is damaged does not take its neighbours along, not
 * even where the damage is the line break between them.
 */
export function parseLines<Row>(bytes: Uint8Array): { lines: LogLine<Row>[]; length: number; count: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const lines: LogLine<Row>[] = []
  let count = 0
  let start = 0
  for (let stop = buffer.indexOf(newline); stop !== -1; stop = buffer.indexOf(newline, start)) {
    count++
    const raw = buffer.subarray(start, stop + 1)
    const row = parseRow<Row>(raw.toString('utf8', 0, raw.length - 1))
    if (row !== undefined) lines.push(lineOf(raw, row, count))
    else lines.push(...piecesOf<Row>(raw, count))
    start = stop + 1
  }
  return { lines, length: start, count }
}

export const newline = 10
const checksumLength = 16

function checksum(json: string): string {
  return hash('sha256', json).slice(0, checksumLength)
}

function parseRow<Row>(line: string): Row | { cut: RowRemains } | undefined {
  const json = line.slice(checksumLength + 1)
  if (line.slice(0, checksumLength) !== checksum(json)) return undefined
  return JSON.parse(json) as Row | { cut: RowRemains }
}

function lineOf<Row>(raw: Uint8Array, row: Row | { cut: RowRemains }, line: number): LogLine<Row> {
  const cut = (row as { cut?: RowRemains }).cut
  return cut === undefined ? { raw, row: row as Row } : { raw, damage: { line, isCut: true, remains: cut } }
}

/** Rows begin in a way that nothing inside a row can look like: there every quotation mark of a text has a backslash. */
const rowStart = /[0-9a-f]{16} \{"/g

function piecesOf<Row>(raw: Buffer, line: number): LogLine<Row>[] {
  // One byte, one character: what is damaged need not be text.
  const text = raw.toString('latin1', 0, raw.length - 1)
  const starts = [...new Set([0, ...[...text.matchAll(rowStart)].map(({ index }) => index)])]
  return starts.map((start, at) => {
    const piece = raw.subarray(start, starts[at + 1] ?? raw.length - 1)
    // Between two rows there was a line break once.
    for (const length of [piece.length, piece.length - 1]) {
      const row = parseRow<Row>(piece.toString('utf8', 0, length))
      if (row !== undefined) return lineOf(Buffer.concat([piece.subarray(0, length), Buffer.of(newline)]), row, line)
    }
    const remains = remainsOf(piece.toString('utf8'))
    return { raw: Buffer.concat([piece, Buffer.of(newline)]), damage: { line, isCut: false, remains } }
  })
}
