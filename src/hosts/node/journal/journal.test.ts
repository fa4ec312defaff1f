import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { append, create, edit, move, set } from '../../../../test/contracts/vault/changes.js'
import { howOften } from '../../../../test/runner/how-often.js'
import { notePath, type Retention } from '../../../core/vault/index.js'
import { type DiskVault, folderVault } from '../folder-vault/folder-vault.js'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'notewright-journal-'))
  mkdirSync(join(base, 'vault'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(base, { recursive: true, force: true })
})

const open = (retention?: Retention) =>
  folderVault({ root: join(base, 'vault'), stateDir: join(base, 'state'), retention })
const log = () => join(base, 'state/journal/log.jsonl')
const rows = () => readFileSync(log(), 'utf8').split('\n').slice(0, -1)
const text = (path: string) => readFileSync(join(base, 'vault', path), 'utf8')
const tree = () =>
  Object.fromEntries(
    readdirSync(join(base, 'vault'), { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((item) => [item.name, readFileSync(join(item.parentPath, item.name), 'utf8')]),
  )

/** Edits of separate notes, so that each can be undone separately; returns their ids. */
async function edits(vault: DiskVault, count: number, from = 0): Promise<string[]> {
  const ids: string[] = []
  for (let at = from; at < from + count; at++) {
    writeFileSync(join(base, `vault/n${at}.md`), `old ${at}\n`)
    const change = { ...set([edit(`n${at}.md`, `old ${at}\n`, `new ${at}\n`)]), title: `Change ${at}` }
    await vault.apply(change)
    ids.push(change.id)
  }
  return ids
}

async function damagedLines(vault: DiskVault): Promise<string[]> {
  return (await vault.history()).filter(({ state }) => state === 'damaged').map(({ title }) => title)
}

describe('a damaged row of the journal', () => {
  it('that began a change is named with what is lost and where the earlier texts are; the others can be undone', async () => {
    const ids = await edits(await open(), 3)
    const lines = rows()
    lines[2] = lines[2].replace('"kind":"edit"', '"kind":"edjt"')
    writeFileSync(log(), `${lines.join('\n')}\n`)
    const vault = await open()
    const history = await vault.history()
    expect(history.map(({ state }) => state)).toEqual(['applied', 'damaged', 'applied'])
    const images = join(base, 'state/journal/images/2')
    expect(history[1].title).toBe(
      `Row 3 of the journal is damaged: it contained "Change 1", which is lost and cannot be undone. The earlier texts are kept in ${images}.`,
    )
    expect(readFileSync(images, 'utf8')).toContain('old 1\n')
    await expect(vault.planUndo({ id: ids[1] })).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('damaged'),
    })
    for (const id of [ids[0], ids[2]]) await vault.apply(await vault.planUndo({ id }))
    expect([text('n0.md'), text('n1.md'), text('n2.md')]).toEqual(['old 0\n', 'new 1\n', 'old 2\n'])
    expect(await damagedLines(vault)).toHaveLength(1)
  })

  it('does not leave a note under two names that was cut off on its way from one to the other', async () => {
    writeFileSync(join(base, 'vault/Old.md'), 'moved\n')
    writeFileSync(join(base, 'vault/Other.md'), '[[Old]]\n')
    const vault = await open()
    await vault.apply(set([move('Old.md', 'New.md', 'moved\n'), edit('Other.md', '[[Old]]\n', '[[New]]\n')]))
    linkSync(join(base, 'vault/New.md'), join(base, 'vault/Old.md'))
    writeFileSync(log(), `${rows()[0]}\ngarbage\n`)
    expect((await (await open()).history()).map(({ state }) => state)).toEqual(['damaged', 'applied'])
    expect(tree()).toEqual({ 'New.md': 'moved\n', 'Other.md': '[[New]]\n' })
  })

  it('that ended a change is named, and the change stays as it is', async () => {
    const ids = await edits(await open(), 2)
    const lines = rows()
    writeFileSync(log(), `${[lines[0], lines[1].replace('done', 'dome'), ...lines.slice(2)].join('\n')}\n`)
    const vault = await open()
    expect(await damagedLines(vault)).toEqual([
      'Row 2 of the journal is damaged: the outcome of "Change 0" is assumed to be "applied".',
    ])
    await vault.apply(await vault.planUndo({ id: ids[0] }))
    expect(text('n0.md')).toBe('old 0\n')
  })

  it('does not take an old change back where the rows between are lost', async () => {
    await edits(await open(), 3)
    const lines = rows()
    writeFileSync(log(), `${[lines[0], 'x', 'y', 'z', ...lines.slice(4)].join('\n')}\n`)
    const vault = await open()
    await vault.apply(set([create('more.md', 'more')]))
    expect(text('n0.md')).toBe('new 0\n')
    expect(await damagedLines(vault)).toHaveLength(3)
  })

  it('does not lose its neighbour if only the line break is damaged', async () => {
    await edits(await open(), 2)
    const [first, second, ...rest] = rows()
    writeFileSync(log(), `${first}\x0b${second}\n${rest.join('\n')}\n`)
    expect((await (await open()).history()).map(({ state }) => state)).toEqual(['applied', 'applied'])
  })

  it('at the end stays named after more was written', async () => {
    await edits(await open(), 2)
    const bytes = readFileSync(log())
    const lastIntent = bytes.lastIndexOf('\n', bytes.lastIndexOf('\n', bytes.length - 2) - 1) + 1
    writeFileSync(log(), bytes.subarray(0, lastIntent + 200))
    const first = await damagedLines(await open())
    expect(first).toEqual([
      expect.stringMatching(
        /^Row 3 of the journal is incomplete: it contained "Change 1", which is lost.*images\/2\.$/,
      ),
    ])
    await edits(await open(), 2, 5)
    expect(await damagedLines(await open())).toEqual(first)
    expect(readFileSync(join(base, 'state/journal/images/2'), 'utf8')).toContain('old 1\n')
  })

  it('goes with the changes that were made before it and after it, when these are too old', async () => {
    await edits(await open(), 3)
    const lines = rows()
    writeFileSync(log(), `${[lines[0], lines[1], 'garbage', ...lines.slice(3)].join('\n')}\n`)
    const vault = await open({ bytes: 30 })
    await edits(vault, 1, 10)
    expect(await damagedLines(vault)).toHaveLength(1)
    await edits(vault, 4, 20)
    expect(await damagedLines(vault)).toEqual([])
    expect(existsSync(join(base, 'state/journal/images/2'))).toBe(false)
  })

  it('of any kind, anywhere: reported, never acted on, and intact changes can be undone', async () => {
    const ids = await edits(await open(), 4)
    const whole = readFileSync(log())
    const notes = tree()
    for (let turn = 0; turn < howOften(60, 1500); turn++) {
      const damaged = damage(whole, turn)
      writeFileSync(log(), damaged)
      const about = `${turn}: ${damaged.toString('latin1').slice(0, 2000)}`
      const vault = await open()
      expect(tree(), about).toEqual(notes)
      const history = await vault.history()
      const known = history.filter(({ state }) => state !== 'damaged').map(({ id }) => id)
      // A missing change is reported, unless the log simply ends before it.
      const newest = Math.max(-1, ...ids.map((id, at) => (known.includes(id) ? at : -1)))
      for (const [at, id] of ids.entries()) {
        if (at < newest && !known.includes(id)) expect(history.some(({ state }) => state === 'damaged')).toBe(true)
      }
      for (const [at, id] of ids.entries()) {
        if (!known.includes(id)) continue
        const undo = await vault.planUndo({ id })
        expect(undo.changes, about).toMatchObject([{ path: `n${at}.md` }])
      }
      await vault.apply(set([append('log.md', 'x')]))
      expect(tree(), about).toEqual({ ...notes, 'log.md': 'x' })
      rmSync(join(base, 'vault/log.md'))
    }
  })
})

/** Bits, cuts, garbage and lost bytes, one after the other. */
function damage(whole: Buffer, turn: number): Buffer {
  const at = Math.floor(Math.random() * whole.length)
  const [start, end] = [whole.subarray(0, at), whole.subarray(at)]
  switch (turn % 6) {
    case 0: {
      const flipped = Buffer.from(whole)
      flipped[at] ^= 1 << Math.floor(Math.random() * 8)
      return flipped
    }
    case 1:
      return start
    case 2:
      return Buffer.concat([start, Buffer.from('\xff\0 garbage\n {"row":"done","sequence":1}\n', 'latin1'), end])
    case 3:
      return Buffer.concat([start, end.subarray(Math.floor(Math.random() * 200))])
    case 4:
      return Buffer.concat([start, Buffer.alloc(Math.min(512, end.length)), end.subarray(512)])
    default:
      return Buffer.concat([whole, start])
  }
}

describe('a clock that jumps', () => {
  const day = 86_400_000

  it.each([3652, -40, -400])('by %d days for one write costs no change its undo', async (days) => {
    const clock = vi.spyOn(Date, 'now')
    const now = Date.now()
    const vault = await open()
    clock.mockReturnValue(now)
    const ids = await edits(vault, 3)
    clock.mockReturnValue(now + days * day)
    ids.push(...(await edits(vault, 1, 3)))
    clock.mockReturnValue(now + 60_000)
    ids.push(...(await edits(vault, 2, 4)))
    const again = await open()
    expect((await again.history()).map(({ id }) => id)).toEqual([...ids].reverse())
    for (const id of ids) await again.apply(await again.planUndo({ id }))
    expect(Object.values(tree())).toEqual(ids.map((_, at) => `old ${at}\n`))
  })
})

it('a note’s last change can be undone although the row of another one is damaged', async () => {
  await edits(await open(), 2)
  const lines = rows()
  writeFileSync(log(), `${['null', ...lines.slice(1)].join('\n')}\n`)
  const vault = await open()
  await vault.apply(await vault.planUndo({ note: notePath('n1.md') }))
  expect(text('n1.md')).toBe('old 1\n')
})
