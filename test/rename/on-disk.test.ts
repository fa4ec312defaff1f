import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Floor, onFloor } from '../security/floor.js'

const move = async ({ notebook }: Floor, from: string, to: string) => {
  await notebook.update({ vectors: false })
  const plan = await notebook.index.planMove(from, to)
  await notebook.apply(plan.changeSet)
  return plan
}
const text = (floor: Floor, path: string) => floor.bytes(path).toString()

describe('a folder on the disk', () => {
  it('is plain Markdown until Obsidian has opened it, and the index follows', async () => {
    const files = { 'docs/Guide.md': '[s](Setup.md)', 'Setup.md': '', 'docs/Setup.md': '' }
    await onFloor(files, async (floor) => {
      const { notebook, vault } = floor
      const target = async () => {
        await notebook.update({ vectors: false })
        return (await notebook.index.linksFrom('docs/Guide.md' as never))[0].target
      }
      expect(await target()).toBe('docs/Setup.md')
      mkdirSync(join(vault, '.obsidian'))
      await notebook.update({ wait: 'text' })
      // There a path from the top comes first.
      expect(await target()).toBe('Setup.md')
      writeFileSync(join(vault, '.obsidian/app.json'), '{"newLinkFormat":"absolute"}')
      await move(floor, 'Setup.md', 'new/Begin.md')
      expect(text(floor, 'docs/Guide.md')).toBe('[s](new/Begin.md)')
      rmSync(join(vault, '.obsidian'), { recursive: true })
      floor.put('docs/Guide.md', '[s](Setup.md) ')
      expect(await target()).toBe('docs/Setup.md')
    })
  })

  it('updates its links in a move, and is restored by undo to the last byte', async () => {
    const files = {
      'Readme.md': '[a](docs/a.md) [docs](docs/)\r\n\r\n[r]: docs/a.md#x\r\n',
      'docs/a.md': '[up](../Readme.md) ![i](img/i.png)',
      'docs/img/i.png': 'png',
      'Board.canvas': '{"nodes":[{"type":"file","file":"docs/a.md"}]}\n',
    }
    await onFloor(files, async (floor) => {
      const { changeSet } = await move(floor, 'docs', 'manual/en')
      expect(text(floor, 'Readme.md')).toBe('[a](manual/en/a.md) [docs](manual/en/)\r\n\r\n[r]: manual/en/a.md#x\r\n')
      expect(text(floor, 'manual/en/a.md')).toBe('[up](../../Readme.md) ![i](img/i.png)')
      expect(text(floor, 'Board.canvas')).toBe('{"nodes":[{"type":"file","file":"manual/en/a.md"}]}\n')
      await floor.notebook.apply(await floor.notebook.planUndo({ id: changeSet.id }))
      for (const [path, before] of Object.entries(files)) expect(text(floor, path)).toBe(before)
      expect(existsSync(join(floor.vault, 'manual'))).toBe(false)
    })
  })
})

describe('a change of case alone', () => {
  const state = async ({ notebook }: Floor) => ({
    files: await notebook.index.files(),
    notes: (await notebook.index.notes()).map(({ path }) => path),
    unresolved: (await notebook.index.unresolved()).map(({ raw }) => raw),
    plan: await notebook.index.find('plan').then(
      ({ path }) => path,
      (error) => error.code,
    ),
  })

  it('of a note leaves no stale entry, here or for the next process', async () => {
    await onFloor({ 'plan.md': 'me [[plan]]', 'a.md': '[[plan]] [x](plan.md)' }, async (floor) => {
      await move(floor, 'plan.md', 'Plan.md')
      const expected = { files: ['Plan.md', 'a.md'], notes: ['Plan.md', 'a.md'], unresolved: [], plan: 'Plan.md' }
      expect(await state(floor)).toEqual(expected)
      expect(text(floor, 'a.md')).toBe('[[Plan]] [x](Plan.md)')
      await floor.notebook.update({ vectors: false })
      expect(await state(floor)).toEqual(expected)
      await move(floor, 'Plan.md', 'PLAN.md')
      expect((await state(floor)).files).toEqual(['PLAN.md', 'a.md'])
    })
  })

  it('of a folder leaves no stale entry either, and is undone', async () => {
    const files = { 'docs/plan.md': '[o](one/o.md)', 'docs/one/o.md': '', 'a.md': '[x](docs/plan.md) [[docs/plan]]' }
    await onFloor(files, async (floor) => {
      const { changeSet } = await move(floor, 'docs', 'Docs')
      const moved = ['Docs/one/o.md', 'Docs/plan.md', 'a.md']
      expect(await state(floor)).toEqual({ files: moved, notes: moved, unresolved: [], plan: 'Docs/plan.md' })
      expect(readdirSync(floor.vault).sort()).toEqual(['Docs', 'a.md'])
      expect(text(floor, 'a.md')).toBe('[x](Docs/plan.md) [[Docs/plan]]')
      await floor.notebook.apply(await floor.notebook.planUndo({ id: changeSet.id }))
      expect((await state(floor)).files).toEqual(['a.md', 'docs/one/o.md', 'docs/plan.md'])
      for (const [path, before] of Object.entries(files)) expect(text(floor, path)).toBe(before)
    })
  })
})

describe('a name that some systems cannot store', () => {
  const odd = ['What?', 'a:b', 'Q: why', 'say "x"', '5 * 5', '<tag>', 'this|that']

  it.each(odd)('%s, if it exists already, can be moved with its note, folder and contents', async (name) => {
    const start = { [`${name}.md`]: 'x', [`${name}/in/${name}.md`]: 'y', 'a.md': `[x](${encodeURIComponent(name)}.md)` }
    await onFloor(start, async (floor) => {
      await move(floor, `${name}.md`, 'sub/')
      expect(text(floor, `sub/${name}.md`)).toBe('x')
      expect(text(floor, 'a.md')).toMatch(/^\[x\]\(sub\//)
      await move(floor, `${name}/`, 'new/place')
      expect(text(floor, `new/place/in/${name}.md`)).toBe('y')
      await move(floor, `sub/${name}.md`, 'plain.md')
      expect(text(floor, 'a.md')).toBe('[x](plain.md)')
      floor.put(`${name}/b.md`, 'b')
      await move(floor, 'plain.md', `${name}/`)
      expect(text(floor, `${name}/plain.md`)).toBe('x')
    })
  })

  it.each(odd)('%s is refused as a new name, with the reason', async (name) => {
    await onFloor({ 'a.md': 'x', 'f/b.md': '' }, async ({ notebook }) => {
      await notebook.update({ vectors: false })
      const character = /[?:"*<>|]/.exec(name)![0]
      for (const [from, to] of [
        ['a.md', `sub/${name}.md`],
        ['a.md', `${name}/`],
        ['f', name],
      ]) {
        await expect(notebook.index.planMove(from, to)).rejects.toMatchObject({
          code: 'path',
          message: expect.stringMatching(
            new RegExp(`cannot be used as a name: it contains .*\\${character}.*, which not every system allows`),
          ),
          details: { hint: expect.stringContaining('Choose a name') },
        })
      }
    })
  })
})
