import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { program, type Stage, stage } from './cli-harness.js'
import { atTerminal, noPty } from './pty.js'

let here: Stage
beforeEach(async () => {
  here = await stage()
})
afterEach(() => here.remove())

const paths = (value: { hits: { path: string }[] }) => value.hits.map(({ path }) => path)

describe('move and undo', () => {
  const target = 'Vegetables/Love apples.md'

  it('move asks first: without an answer nothing changes and the exit code is 4', async () => {
    const before = await here.treeHash()
    const refused = await here.json('move', 'Garden/Tomatoes.md', target)
    expect(refused).toMatchObject({ code: 4, value: { ok: false, code: 'needs-approval' } })
    expect(refused.value.hint).toContain('--yes')
    const plan = await here.json('move', 'Garden/Tomatoes.md', target, '--dry-run')
    expect(plan).toMatchObject({ code: 0, value: { applied: false, impact: { files: 1, links: 3, notes: 3 } } })
    expect(await here.treeHash()).toBe(before)
  })

  it('updates every link, and the note is found at once', async () => {
    const moved = await here.json('move', 'Garden/Tomatoes', target, '--yes')
    expect(moved.value).toMatchObject({
      id: expect.any(String),
      title: expect.stringContaining('Move'),
      applied: true,
      impact: { links: 3, byKind: { wikilink: 2, embed: 1 } },
    })
    expect(moved.value.changes[0]).toMatchObject({ kind: 'move', path: 'Garden/Tomatoes.md', to: target })
    expect(await here.read('Kitchen/Soup.md')).toContain('![[Love apples]]')
    expect(await here.read('Garden/Compost.md')).toContain('#Blight|tomatoes]]')
    expect(paths((await here.json('search', 'late blight')).value)[0]).toBe(target)
    expect((await here.json('links', 'Love apples')).value.back).toHaveLength(3)
    const history = await here.json('history')
    expect(history.value[0]).toMatchObject({ id: moved.value.id, state: 'applied' })
  })

  it('undo restores every byte, once, after approval', async () => {
    const before = await here.treeHash()
    const moved = await here.json('move', 'Garden/Tomatoes', target, '--yes')
    const preview = await here.json('undo', '--dry-run')
    expect(preview).toMatchObject({ code: 0, value: { applied: false } })
    expect((await here.json('undo')).code).toBe(4)
    expect(await here.json('undo', '--yes')).toMatchObject({ code: 0, value: { applied: true } })
    expect(await here.treeHash()).toBe(before)
    expect((await here.json('history')).value[1]).toMatchObject({ id: moved.value.id, state: 'undone' })
    const again = await here.json('undo', '--yes')
    expect(again.code).toBe(3)
    expect(JSON.stringify(again.value)).toContain('all changes are already undone')
  })

  it('undoes a move with later edits kept, and says so in the preview', async () => {
    const { value } = await here.json('move', 'Garden/Tomatoes.md', target, '--yes')
    await here.write('Home.md', `${await here.read('Home.md')}One more line.\n`)
    await here.write(target, `${await here.read(target)}Mine.\n`)
    const preview = await here.run(['undo', value.id, '--dry-run', '--vault', here.vault])
    expect(preview.stdout).toContain('keeps later edits in: Home.md')
    expect(await here.json('undo', value.id, '--yes')).toMatchObject({ code: 0, value: { merged: ['Home.md'] } })
    expect(await here.read('Home.md')).toMatch(/\[\[Tomatoes\]\][\s\S]*One more line\.\n$/)
    expect(await here.read('Garden/Tomatoes.md')).toMatch(/Mine\.\n$/)
  })

  it('undo refuses over an edit of the same line, with exit code 6, unless a choice is given', async () => {
    const { value } = await here.json('move', 'Garden/Tomatoes.md', target, '--yes')
    const edited = (await here.read('Home.md')).replace('Start with', 'Begin with')
    await here.write('Home.md', `${edited}One more line.\n`)
    const before = await here.treeHash()
    const refused = await here.json('undo', value.id, '--yes')
    expect(refused).toMatchObject({ code: 6, value: { ok: false, code: 'conflict' } })
    expect(refused.value.hint).toContain('--keep-edits')
    const data = JSON.stringify(refused.value)
    for (const told of ['"diff":', '"line":3', 'Begin with', 'Start with']) expect(data).toContain(told)
    const shown = await here.run(['undo', value.id, '--dry-run', '--vault', here.vault])
    expect([shown.code, shown.stderr]).toEqual([
      6,
      expect.stringMatching(/Home\.md, line 3 was edited later[\s\S]*-Begin with/),
    ])
    expect((await here.json('undo', value.id, '--yes', '--keep-edits', '--discard-edits')).code).toBe(2)
    expect((await here.json('undo', value.id, '--dry-run', '--keep-edits')).code).toBe(0)
    expect(await here.treeHash()).toBe(before)
    const kept = await here.json('undo', value.id, '--yes', '--keep-edits')
    expect([kept.code, await here.read('Home.md')]).toEqual([0, `${edited}One more line.\n`])
    expect((await here.json('undo', kept.value.id, '--yes')).code).toBe(0)
    expect((await here.json('undo', value.id, '--yes', '--discard-edits')).code).toBe(0)
    expect(await here.read('Home.md')).toMatch(/Start with the \[\[Tomatoes\]\][\s\S]*One more line\.\n$/)
  })

  it('undo asks about each conflict at a terminal', { skip: noPty !== undefined }, async () => {
    const { value } = await here.json('move', 'Garden/Tomatoes.md', target, '--yes')
    await here.write('Home.md', (await here.read('Home.md')).replace('Start with', 'Begin with'))
    await here.write('Kitchen/Soup.md', (await here.read('Kitchen/Soup.md')).replace('basil', 'thyme'))
    const screen = atTerminal([process.execPath, program, 'undo', value.id, '--vault', here.vault], here.environment)
    for (let place = 0; place < 2; place++) {
      const shown = await screen.sees('[k/u]')
      screen.send(/Home\.md/.test(shown) ? 'k\r' : 'u\r')
    }
    await screen.sees('Undo this?')
    screen.send('y\r')
    expect(await screen.exit()).toBe(0)
    expect(await here.read('Home.md')).toContain('Begin with the [[Love apples]]')
    expect(await here.read('Kitchen/Soup.md')).toContain('with basil: ![[Tomatoes]]')
  })

  it('history, status and doctor report a damaged journal row and an invalid lock', async () => {
    await here.json('move', 'Garden/Tomatoes.md', target, '--yes')
    await here.json('move', 'Orphan.md', 'Alone.md', '--yes')
    const files = await readdir(here.home, { recursive: true })
    const log = join(here.home, files.find((path) => path.endsWith('log.jsonl'))!)
    await writeFile(log, (await readFile(log, 'utf8')).replace('"row":"intent"', '"row":"intend"'))
    const lock = join(log, '../../lock')
    await writeFile(lock, 'null')
    expect((await here.json('history')).value[1]).toMatchObject({ state: 'damaged' })
    expect((await here.run(['history', '--vault', here.vault])).stdout).toContain('Row 1 of the journal is damaged')
    expect((await here.json('status')).value).toMatchObject({ damagedRows: 1 })
    const doctor = await here.run(['doctor', '--vault', here.vault])
    expect(doctor.stdout).toMatch(/warn {2}Journal[\s\S]*Row 1 of the journal is damaged/)
    expect(doctor.stdout).toMatch(/fail {2}Lock[\s\S]*not a lock/)
    const refused = await here.json('undo', '--yes')
    expect([refused.code, refused.value.hint]).toEqual([6, expect.stringContaining(`rm '`)])
    await rm(lock)
    expect((await here.json('undo', '--yes')).code).toBe(0)
    expect(await here.read('Orphan.md')).toContain('Nobody links here')
  })

  it('refuses a taken name, a missing note and a path that leaves the vault', async () => {
    expect((await here.json('move', 'Garden/Beans.md', 'Kitchen/Beans.md', '--yes')).code).toBe(6)
    expect((await here.json('move', 'Nothing.md', 'x.md', '--yes')).code).toBe(3)
    const outside = await here.json('move', 'Home.md', '../Home.md', '--yes')
    expect(outside).toMatchObject({ code: 2, value: { code: 'path' } })
    expect(outside.value.text).toMatch(/^Path must be within vault directory/)
  })
})
