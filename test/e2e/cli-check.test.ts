import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Stage, stage } from './cli-harness.js'

let here: Stage
beforeEach(async () => {
  here = await stage()
  await here.write('Typos.md', 'See [[Tomatos]], [[Compots]] and [[Nothing at all]].\n')
  await here.write('Empty.md', '')
})
afterEach(() => here.remove())

describe('check', () => {
  it('lists problems in groups with counts and proposed fixes, and ends with exit code 0', async () => {
    const listed = await here.run(['check', '--only', 'links,empty', '--vault', here.vault])
    expect(listed.code).toBe(0)
    expect(listed.stdout).toContain('Links to missing notes (')
    expect(listed.stdout).toContain(
      'Typos.md:1  [[Tomatos]]\n    There is no note Tomatos. Fix: Link to Garden/Tomatoes.md',
    )
    expect(listed.stdout).toContain('Empty notes (1)\n  Empty.md\n    Fix: Move to trash')
    expect(listed.stderr).toContain('notewright check --fix --dry-run')
    const { code, value } = await here.json('check', '--only', 'links', '--folder', 'Garden')
    expect([code, value]).toEqual([0, { totals: { links: expect.any(Number) }, findings: expect.any(Array) }])
  })

  it('names the problems that there are for a wrong one', async () => {
    expect(await here.json('check', '--only', 'link')).toMatchObject({
      code: 2,
      value: { hint: 'Did you mean links?' },
    })
  })

  it('fixes after approval, as one change that is undone at once, and leaves notes to be written alone', async () => {
    const before = await here.treeHash()
    const plan = await here.json('check', '--only', 'links,empty', '--fix', '--dry-run')
    expect(plan).toMatchObject({ code: 0, value: { applied: false } })
    expect((await here.json('check', '--fix')).code).toBe(4)
    expect(await here.treeHash()).toBe(before)
    const done = await here.json('check', '--only', 'links,empty', '--fix', '--yes')
    expect(done).toMatchObject({ code: 0, value: { applied: true, notes: 2 } })
    expect(await here.read('Typos.md')).toBe('See [[Tomatoes]], [[Compost]] and [[Nothing at all]].\n')
    await here.json('undo', '--yes')
    expect(await here.treeHash()).toBe(before)
  })
})
