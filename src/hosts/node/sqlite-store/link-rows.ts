import type { StoredLink } from '../../../core/index/index.js'
import { compareText, IndexCorrupt } from '../../../core/index/index.js'
import type { NotePath } from '../../../core/vault/index.js'
import type { SqliteDriver, SqlValue } from '../sqlite.js'
import { insertRows } from './rows.js'
import { createLinkIndexes, placesPerNote } from './schema.js'
import type { Snapshot } from './store-state.js'
import { addTo, checksumOf, hashText, takeFrom } from './store-state.js'

// A link is a row with its own checksum. It is looked up by a hash of its target, or of the name it refers to: its
// slots. For every slot, `link_sums` keeps the sum of its links' checksums, which proves that an answer is complete:
// rows missing from an index, or outdated ones, give another sum.

const slotCount = 1 << 16

const targetSlot = (path: string): number => hashText(path) % slotCount
const keySlot = (key: string): number => slotCount + (hashText(key) % slotCount)
/** Unresolved links. */
const unresolvedSlot = 2 * slotCount

type PackedLink = [
  target: NotePath | null,
  text: string,
  kind: StoredLink['kind'],
  raw: string,
  line: number,
  subpath: string | null,
  written: string,
  key: string,
]

const linkText = ({ target, text, kind, raw, line, subpath, written, key }: StoredLink): string =>
  JSON.stringify([target, text, kind, raw, line, subpath, written, key])

/** Row and slots of each link in turn. */
export type PreparedLinks = (string | number | null)[]

export function prepareLinks(links: readonly StoredLink[]): PreparedLinks {
  return links.flatMap((link) => [linkText(link), slotOfTarget(link), keySlot(link.key)])
}

function slotOfTarget({ target, kind }: StoredLink): number | null {
  if (target !== null) return targetSlot(target)
  return kind === 'external' ? null : unresolvedSlot
}

/** A link read from the store, with its contribution to the sums. */
export interface FoundLink {
  id: number
  checksum: number
  link: StoredLink
}

/** The links of each note, in order of appearance. `sums` are the expected sums in the notes' rows. */
export function linksOf({ driver }: Snapshot, sums: ReadonlyMap<number, unknown>): Map<number, FoundLink[]> {
  const links = new Map([...sums.keys()].map((note): [number, FoundLink[]] => [note, []]))
  const wanted = [JSON.stringify([...sums.keys()])]
  for (const found of foundLinks(driver, `l.id IN (${linkIdsOfNotes}) ORDER BY l.id`, wanted)) {
    links.get(Math.floor(found.id / placesPerNote))?.push(found)
  }
  for (const [note, found] of links) {
    if (sumOf(found) !== sums.get(note)) throw new IndexCorrupt('The links of a note do not add up')
  }
  return links
}

/** Links of the notes whose ids are bound as a JSON array; each note's links are one range of ids. */
const linkIdsOfNotes = `SELECT t.id FROM json_each(?) j CROSS JOIN link_rows t ON t.id >= j.value * ${placesPerNote} AND t.id < (j.value + 1) * ${placesPerNote}`

export function linksTo(snapshot: Snapshot, path: string): StoredLink[] {
  return inOrder(inSlot(snapshot, 'target_slot', targetSlot(path)).filter(({ link }) => link.target === path))
}

export function linksByKey(snapshot: Snapshot, keys: readonly string[]): StoredLink[] {
  const wanted = new Set(keys)
  const slots = [...new Set(keys.map(keySlot))]
  const found = slots.flatMap((slot) => inSlot(snapshot, 'key_slot', slot))
  return inOrder(found.filter(({ link }) => wanted.has(link.key)))
}

export function unresolvedLinks(snapshot: Snapshot): StoredLink[] {
  return inOrder(inSlot(snapshot, 'target_slot', unresolvedSlot))
}

/** Every path that a note other than itself links to. */
export function linkedPaths({ driver, state }: Snapshot): Set<string> {
  const linked = new Set<string>()
  const part = 10_000
  let [sum, count, last] = [0, 0, -1]
  for (;;) {
    const found = foundLinks(driver, `l.id > ? ORDER BY l.id LIMIT ${part}`, [last])
    for (const { link } of found) if (link.target !== null && link.target !== link.source) linked.add(link.target)
    sum = addTo(sum, sumOf(found))
    count += found.length
    if (found.length < part || count > state.links) break
    last = found.at(-1)?.id ?? last
  }
  if (sum !== state.linkSum || count !== state.links) throw new IndexCorrupt('The links do not add up')
  return linked
}

function inSlot({ driver, state }: Snapshot, column: 'target_slot' | 'key_slot', slot: number): FoundLink[] {
  const found = foundLinks(driver, `l.${column} = ?`, [slot])
  if (!state.hasLinkIndexes) proveAllLinks(driver, state)
  else if (sumOf(found) !== (driver.first('SELECT sum FROM link_sums WHERE slot = ?', [slot])?.[0] ?? 0)) {
    throw new IndexCorrupt('Some links do not add up')
  }
  return found
}

/** Sorted by source path, line and position. */
function inOrder(found: FoundLink[]): StoredLink[] {
  found.sort((a, b) => compareText(a.link.source, b.link.source) || a.link.line - b.link.line || a.id - b.id)
  return found.map(({ link }) => link)
}

function foundLinks(driver: SqliteDriver, where: string, values: readonly SqlValue[]): FoundLink[] {
  const from = `link_rows l LEFT JOIN documents d ON d.id = l.id / ${placesPerNote}`
  const rows = driver.all(`SELECT l.id, l.checksum, l.row, d.path FROM ${from} WHERE ${where}`, values)
  return rows.map(([id, checksum, row, source]) => {
    if (checksumOf(id, source, row) !== checksum) throw new IndexCorrupt('A link is damaged')
    return { id: id as number, checksum, link: linkFrom(source as NotePath, row as string) }
  })
}

function linkFrom(source: NotePath, row: string): StoredLink {
  const [target, text, kind, raw, line, subpath, written, key] = JSON.parse(row) as PackedLink
  const link: StoredLink = { source, target, key, raw, text, kind, line, written }
  if (subpath !== null) link.subpath = subpath
  return link
}

const sumOf = (links: readonly FoundLink[]): number => links.reduce((sum, { checksum }) => addTo(sum, checksum), 0)

/** Rows to insert, and the changes of one batch to the sums. */
export function linkChanges({ driver, state }: Snapshot) {
  const rows: SqlValue[] = []
  const sums = new Map<number, number>()

  function count(slots: readonly (number | null)[], checksum: number, sign: 1 | -1): void {
    const change = sign === 1 ? addTo : takeFrom
    for (const slot of slots) if (slot !== null) sums.set(slot, change(sums.get(slot) ?? 0, checksum))
    state.linkSum = change(state.linkSum, checksum)
    state.links += sign
    if (slots.includes(unresolvedSlot)) state.unresolved += sign
  }

  return {
    /** Returns the sum of the note's links. */
    add(note: number, source: string, links: PreparedLinks): number {
      let sum = 0
      for (let at = 0, id = note * placesPerNote; at < links.length; at += 3, id++) {
        const [row, target, key] = links.slice(at, at + 3) as [string, number | null, number]
        const checksum = checksumOf(id, source, row)
        rows.push(id, target, key, checksum, row)
        count([target, key], checksum, 1)
        sum = addTo(sum, checksum)
      }
      return sum
    },
    /** All links of these notes. */
    remove(links: ReadonlyMap<number, readonly FoundLink[]>): void {
      for (const { link, checksum } of [...links.values()].flat()) {
        count([slotOfTarget(link), keySlot(link.key)], checksum, -1)
      }
      driver.run(`DELETE FROM link_rows WHERE id IN (${linkIdsOfNotes})`, [JSON.stringify([...links.keys()])])
    },
    save(): void {
      insertRows(driver, 'link_rows', ['id', 'target_slot', 'key_slot', 'checksum', 'row'], rows.splice(0))
      if (state.hasLinkIndexes) insertRows(driver, 'link_sums', ['slot', 'sum'], [...sums].flat(), addToSum)
      sums.clear()
    },
  }
}

const addToSum = 'ON CONFLICT (slot) DO UPDATE SET sum = (sum + excluded.sum) & 4294967295'

/**
 * Called after the first load. Until then there are no link indexes, which makes inserts many times faster, and
 * queries scan all links.
 */
export function indexLinks({ driver, state }: Snapshot): void {
  if (state.hasLinkIndexes) return
  for (const statement of createLinkIndexes) driver.exec(statement)
  proveAllLinks(driver, state)
  state.hasLinkIndexes = true
}

function proveAllLinks(driver: SqliteDriver, state: Snapshot['state']): void {
  const [sum, count] = driver.first('SELECT ifnull(sum(checksum), 0) & 4294967295 AS s, count(*) AS n FROM link_rows')!
  if (sum !== state.linkSum || count !== state.links) throw new IndexCorrupt('The links do not add up')
}
