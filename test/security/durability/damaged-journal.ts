import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { seedOf } from '../../runner/seed.js'
import { encode, expectFailure, type Floor, isFull, onFloor, randomFrom, treeHash } from '../floor.js'
import type { Check } from '../security-case.js'

const day = 86_400_000
const start = { 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n', 'd.md': 'd\n' }

/** Kinds of damage to one row of the log; a row is a line without its line break. */
const damages: Record<string, (row: Buffer, random: (below: number) => number) => Buffer> = {
  'cut short': (row, random) => row.subarray(0, 1 + random(row.length - 1)),
  'with one bit flipped': (row, random) => {
    const flipped = Buffer.from(row)
    const at = random(row.length)
    // A line break would make two rows of it.
    do flipped[at] = row[at] ^ (1 << random(8))
    while (flipped[at] === 10)
    return flipped
  },
  'that is garbage': () => Buffer.from('\0\xffgarbage "row":"done" null', 'latin1'),
  'that is null': () => Buffer.from('null'),
}

export function damagedJournalChecks(): Check[] {
  const seed = seedOf()
  const random = randomFrom(seed)
  const turns = isFull ? 50 : 3
  return [
    ...Object.entries(damages).flatMap(([how, damage]) =>
      ['first', 'middle', 'last'].map(
        (where): Check => ({
          name: `a row ${how}, ${where}: named in the history, never applied, all others can be undone (seed ${seed})`,
          timeoutMs: 120_000,
          run: async () => {
            for (let turn = 0; turn < turns; turn++)
              await onFloor(start, (floor) => damaged(floor, where, damage, random))
          },
        }),
      ),
    ),
    ...[3652, -40, -400].map(
      (days): Check => ({
        name: `one write at a clock ${days} days off: no entry is dropped, before, at or after it`,
        run: () => onFloor(start, (floor) => atWrongClock(floor, days)),
      }),
    ),
  ]
}

async function damaged(
  floor: Floor,
  where: string,
  damage: (row: Buffer, random: (below: number) => number) => Buffer,
  random: (below: number) => number,
): Promise<void> {
  const ids: string[] = []
  for (const path of Object.keys(start)) {
    ids.push((await floor.tools.write_note(path, `new ${path}\n`, { overwrite: true })).id)
  }
  const file = logOf(floor)
  const rows = linesOf(readFileSync(file))
  const at = where === 'first' ? 0 : where === 'last' ? rows.length - 1 : 2 + random(rows.length - 3)
  const broken = rows.map((row, index) => (index === at ? damage(row, random) : row))
  writeFileSync(file, Buffer.concat(broken.flatMap((row) => [row, Buffer.from('\n')])))
  const before = treeHash(floor.vault)
  await floor.reopen()
  expect(treeHash(floor.vault)).toBe(before)
  const history = await floor.notebook.history()
  const named = history.filter(({ state }) => state === 'damaged')
  expect(named.map(({ title }) => title)).toEqual([expect.stringContaining(`Row ${at + 1} of the journal is damaged`)])
  // Rows come in pairs: what began a change and what ended it.
  const lost = at % 2 === 0 ? ids[at / 2] : undefined
  expect(history.flatMap(({ id, state }) => (state === 'damaged' ? [] : [id]))).toEqual(
    ids.filter((id) => id !== lost).reverse(),
  )
  if (lost !== undefined) await expectFailure('not-found', () => floor.notebook.planUndo({ id: lost }))
  await floor.tools.append('b.md', 'written after the damage\n')
  for (const [index, [path, text]] of Object.entries(start).entries()) {
    if (ids[index] !== lost) await floor.notebook.apply(await floor.notebook.planUndo({ id: ids[index] }))
    const added = path === 'b.md' ? 'written after the damage\n' : ''
    expect(floor.bytes(path).toString()).toBe((ids[index] === lost ? `new ${path}\n` : text) + added)
  }
  expect((await floor.notebook.history()).filter(({ state }) => state === 'damaged')).toEqual(named)
}

async function atWrongClock(floor: Floor, days: number): Promise<void> {
  const ids: string[] = []
  const write = async (path: string) => ids.push((await floor.tools.write_note(path, 'new\n', { overwrite: true })).id)
  await write('a.md')
  await write('b.md')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * day })
  try {
    await write('c.md')
    await floor.reopen()
    expect((await floor.notebook.history()).map(({ id }) => id)).toEqual([...ids].reverse())
  } finally {
    vi.useRealTimers()
  }
  await write('d.md')
  await floor.reopen()
  for (const id of ids) await floor.notebook.apply(await floor.notebook.planUndo({ id }))
  for (const [path, text] of Object.entries(start)) expect([...floor.bytes(path)]).toEqual([...encode(text)])
}

function logOf({ home }: Floor): string {
  const [log] = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('log.jsonl'))
  return join(home, log)
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    lines.push(bytes.subarray(from, end))
    from = end + 1
  }
  return lines
}
