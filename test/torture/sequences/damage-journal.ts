import type { Model } from './model.js'
import type { Damage } from './plan.js'
import type { World } from './world.js'

const newline = 10
const blank = 32

/** Bits fall over in the state folder; what happened, in words. */
export function damageJournal(what: Damage, pick: number, world: World, model: Model): string {
  const files = [...world.state()]
  if (what === 'flip a bit of an image') {
    const images = files.filter(([path, bytes]) => path.includes('/images/') && bytes.length > 0)
    if (images.length === 0) return 'no image to damage'
    const [path, bytes] = images[pick % images.length]
    world.damage(path, flipped(bytes, (pick >> 5) % bytes.length, pick))
    model.damageImage()
    return `a bit of ${path} falls over`
  }
  const log = files.find(([path]) => path.endsWith('/log.jsonl'))
  const rows = log === undefined ? [] : wholeRows(log[1])
  if (log === undefined || rows.length === 0) return 'no row to damage'
  const [path, bytes] = log
  const [start, end] = rows[pick % rows.length]
  const chosen = start + ((pick >> 4) % (end - start))
  // The blank behind the checksum says nothing, so a row without it is still whole.
  const middle = bytes[chosen] === blank ? chosen + 1 : chosen
  const damaged = {
    'flip a bit': () => flipped(bytes, middle, pick),
    'cut a row': () => Buffer.concat([bytes.subarray(0, middle), bytes.subarray(end)]),
    'garbage row': () => Buffer.concat([bytes.subarray(0, start), Buffer.from('garbage\n'), bytes.subarray(start)]),
  }[what]()
  world.damage(path, damaged)
  const told = rows.map(([from, to]) => rowIn(bytes.subarray(from, to)))
  model.damageRow(what === 'garbage row' ? undefined : namedBy(told[pick % rows.length], told))
  return `${what} (row ${(pick % rows.length) + 1} of ${rows.length})`
}

interface ToldRow {
  row: string
  sequence?: number
  entry?: { id: string; sequence: number }
}

/** The content of a row after its checksum; undefined if it was already damaged. */
function rowIn(bytes: Uint8Array): ToldRow | undefined {
  const text = Buffer.from(bytes).toString()
  try {
    return JSON.parse(text.slice(text.indexOf(' ')))
  } catch {
    return undefined
  }
}

/** The set whose notes a row names as undecided, if it is such a row. */
function namedBy(damaged: ToldRow | undefined, told: (ToldRow | undefined)[]): string | undefined {
  if (damaged?.row !== 'undecided') return undefined
  return told.find((row) => row?.entry?.sequence === damaged.sequence)?.entry?.id
}

/** Start and newline position of each row. */
function wholeRows(bytes: Uint8Array): [number, number][] {
  const rows: [number, number][] = []
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(newline, start)
    if (end === -1) break
    if (end > start) rows.push([start, end])
    start = end + 1
  }
  return rows
}

/** Never into a newline: that would be two rows. */
function flipped(bytes: Uint8Array, at: number, pick: number): Uint8Array {
  const copy = new Uint8Array(bytes)
  copy[at] ^= 1 << (pick % 7)
  if (copy[at] === newline) copy[at] ^= 1 << 6
  return copy
}
