import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../src/core/errors.js'
import { notePath } from '../../../src/core/vault/index.js'
import { append, create, edit, move, set, texts, trash } from './changes.js'
import type { OpenVault } from './opened-vault.js'

export function describeUndo(open: OpenVault): void {
  describe('undo', () => {
    it('lists changes, newest first', async () => {
      const { vault } = await open({ 'a.md': 'one' })
      await vault.apply({ ...set([edit('a.md', 'one', 'two')]), title: 'First', session: 's1' })
      await vault.apply({ ...set([create('b.md')]), title: 'Second' })
      const history = await vault.history()
      expect(history.map(({ title, state, session }) => [title, state, session])).toEqual([
        ['Second', 'applied', undefined],
        ['First', 'applied', 's1'],
      ])
      expect(history[1].changes[0]).toMatchObject({ kind: 'edit', path: 'a.md' })
    })

    it('undoes every kind of change, folders too, and can itself be undone', async () => {
      const { vault, snapshot } = await open({ 'a.md': 'one', 'b.md': 'two\n', 'c.md': 'three', 'd.md': 'four' })
      const start = await snapshot()
      const done = set([
        create('new/deep/n.md', 'fresh'),
        edit('a.md', 'one', 'ONE'),
        append('b.md', 'more\n'),
        move('c.md', 'moved/c.md', 'three'),
        trash('d.md', 'four'),
      ])
      await vault.apply(done)
      const after = await snapshot()
      const undo = await vault.planUndo({ id: done.id })
      expect(await snapshot()).toEqual(after)
      await vault.apply(undo)
      expect(texts(await snapshot())).toEqual(texts(start))
      expect((await vault.history()).map(({ state }) => state)).toEqual(['applied', 'undone'])

      await vault.apply(await vault.planUndo({ id: undo.id }))
      expect(texts(await snapshot())).toEqual(texts(after))
      expect((await vault.history()).map(({ state }) => state)).toEqual(['applied', 'undone', 'applied'])
    })

    it('undoes a session, newest change first', async () => {
      const { vault, snapshot } = await open({ 'a.md': 'one' })
      await vault.apply({ ...set([edit('a.md', 'one', 'two')]), session: 's' })
      await vault.apply({ ...set([move('a.md', 'b.md', 'two')]), session: 's' })
      await vault.apply({ ...set([create('other.md', 'kept')]), session: 't' })
      await vault.apply({ ...set([trash('b.md', 'two')]), session: 's' })
      await vault.apply(await vault.planUndo({ session: 's' }))
      expect(texts(await snapshot())).toEqual({ 'a.md': 'one', 'other.md': 'kept' })
      await expect(vault.planUndo({ session: 's' })).rejects.toMatchObject({ code: 'not-found' })
    })

    it('undoes the last change of one note and leaves the others', async () => {
      const { vault, snapshot } = await open({ 'a.md': 'a1', 'b.md': 'b1' })
      await vault.apply(set([edit('a.md', 'a1', 'a2')]))
      const both = set([edit('a.md', 'a2', 'a3'), edit('b.md', 'b1', 'b2')])
      await vault.apply(both)
      await vault.apply(await vault.planUndo({ note: notePath('a.md') }))
      expect(texts(await snapshot())).toEqual({ 'a.md': 'a2', 'b.md': 'b2' })
      expect((await vault.history())[1].state).toBe('partly-undone')
      await vault.apply(await vault.planUndo({ note: notePath('A.md') }))
      expect(texts(await snapshot())).toEqual({ 'a.md': 'a1', 'b.md': 'b2' })
      await vault.apply(await vault.planUndo({ id: both.id }))
      expect(texts(await snapshot())).toEqual({ 'a.md': 'a1', 'b.md': 'b1' })
    })

    it('undoes a move with the links that were rewritten for it', async () => {
      const { vault, snapshot } = await open({ 'a.md': 'me', 'l.md': '[[a]]' })
      await vault.apply(set([move('a.md', 'b.md', 'me'), edit('l.md', '[[a]]', '[[b]]')]))
      await vault.apply(await vault.planUndo({ note: notePath('b.md') }))
      expect(texts(await snapshot())).toEqual({ 'a.md': 'me', 'l.md': '[[a]]' })
    })

    it('keeps later edits on other lines, and can itself be undone', async () => {
      const { vault, write, snapshot } = await open({ 'a.md': 'one\r\nmiddle\nlast' })
      const done = set([edit('a.md', 'one\r\nmiddle\nlast', 'ONE\r\nmiddle\nlast')])
      await vault.apply(done)
      await write('a.md', 'ONE\r\nmiddle\nlast\nby a person')
      const undo = await vault.planUndo({ id: done.id })
      expect(undo.merged).toEqual(['a.md'])
      await vault.apply(undo)
      expect(texts(await snapshot())).toEqual({ 'a.md': 'one\r\nmiddle\nlast\nby a person' })
      expect((await vault.history()).map(({ state }) => state)).toEqual(['applied', 'undone'])
      await vault.apply(await vault.planUndo({ id: undo.id }))
      expect(texts(await snapshot())).toEqual({ 'a.md': 'ONE\r\nmiddle\nlast\nby a person' })
    })

    it('undoes an older change below a newer one', async () => {
      const { vault, snapshot } = await open({ 'a.md': 'a\nb\nc\n' })
      const [older, newer] = [
        set([edit('a.md', 'a\nb\nc\n', 'A\nb\nc\n')]),
        set([edit('a.md', 'A\nb\nc\n', 'A\nb\nC\n')]),
      ]
      await vault.apply(older)
      await vault.apply(newer)
      await vault.apply(await vault.planUndo({ id: older.id }))
      expect(texts(await snapshot())).toEqual({ 'a.md': 'a\nb\nC\n' })
    })

    it('refuses, with the diff, if later edits touch the same lines and no choice is given', async () => {
      const { vault, write, snapshot } = await open({ 'a.md': 'one\nrest\n' })
      const done = set([edit('a.md', 'one\nrest\n', 'two\nrest\n')])
      await vault.apply(done)
      await write('a.md', 'two, by a person\nrest\nmore\n')
      const before = await snapshot()
      const refused: Failure = await vault.planUndo({ id: done.id }).then(
        () => expect.unreachable(),
        (error) => error,
      )
      expect(refused.code).toBe('conflict')
      expect(refused.details.data?.diff).toContain('-two, by a person')
      expect(refused.details.data?.conflicts).toEqual([
        {
          path: 'a.md',
          why: 'was edited later',
          scope: 'lines',
          line: 1,
          mine: ['two, by a person\n'],
          earlier: ['one\n'],
        },
      ])
      expect(await snapshot()).toEqual(before)
    })

    it('resolves each conflict as chosen', async () => {
      const start = 'a\nb\nc\nd\ne\n'
      const { vault, write, snapshot } = await open({ 'a.md': start })
      const done = set([edit('a.md', start, 'A\nb\nc\nd\nE\n')])
      await vault.apply(done)
      await write('a.md', 'A!\nb\nnew\nc\nd\nE!\n')
      const asked: number[] = []
      const undo = await vault.planUndo({ id: done.id }, ({ line }) => {
        asked.push(line)
        return line === 1 ? 'keep-mine' : 'take-back'
      })
      expect(asked).toEqual([1, 6])
      await vault.apply(undo)
      expect(texts(await snapshot())).toEqual({ 'a.md': 'A!\nb\nnew\nc\nd\ne\n' })
      const again = vault.planUndo({ id: undo.id }, () => 'keep-mine')
      await vault.apply(await again)
      expect(texts(await snapshot())).toEqual({ 'a.md': 'A!\nb\nnew\nc\nd\nE!\n' })
    })

    it('asks about a whole note if the change created it, or if it is gone or not text', async () => {
      const { vault, write, remove, snapshot } = await open({ 'gone.md': 'old\n', 'raw.md': 'old\n' })
      const done = set([create('new.md', 'new\n'), edit('gone.md', 'old\n', 'x\n'), edit('raw.md', 'old\n', 'x\n')])
      await vault.apply(done)
      await write('new.md', 'new\nmine\n')
      await write('raw.md', Uint8Array.of(0xff, 10))
      await remove('gone.md')
      const before = await snapshot()
      await expect(vault.planUndo({ id: done.id })).rejects.toMatchObject({ code: 'conflict' })
      await expect(vault.planUndo({ id: done.id }, () => 'keep-mine')).rejects.toMatchObject({ code: 'not-found' })
      expect(await snapshot()).toEqual(before)
      const asked: string[] = []
      const undo = await vault.planUndo({ id: done.id }, ({ path, scope }) => {
        asked.push(`${scope} ${path}`)
        return 'take-back'
      })
      expect(asked.sort()).toEqual(['note gone.md', 'note new.md', 'note raw.md'])
      await vault.apply(undo)
      expect(texts(await snapshot())).toEqual({ 'gone.md': 'old\n', 'raw.md': 'old\n' })
      await vault.apply(await vault.planUndo({ id: undo.id }))
      expect(await snapshot()).toEqual(before)
    })

    it('moves a note back with its edits kept, and updates links on unchanged lines', async () => {
      const [self, link] = ['I am [[a]].\n\nText.\n', 'See [[a]].\n']
      const { vault, write, snapshot } = await open({ 'a.md': self, 'l.md': link, 'm.md': link })
      const moved = self.replace('[[a]]', '[[sub/b]]')
      const done = set([
        move('a.md', 'sub/b.md', self),
        edit('sub/b.md', self, moved),
        edit('l.md', link, 'See [[sub/b]].\n'),
        edit('m.md', link, 'See [[sub/b]].\n'),
      ])
      await vault.apply(done)
      await write('sub/b.md', `${moved}Mine.\n`)
      await write('l.md', `Mine.\n\nSee [[sub/b]].\nMine.\n`)
      await write('m.md', 'See [[sub/b]], please.\n')
      await expect(vault.planUndo({ id: done.id })).rejects.toMatchObject({ code: 'conflict' })
      const undo = await vault.planUndo({ id: done.id }, ({ path }) => (path === 'm.md' ? 'keep-mine' : undefined))
      expect(undo.merged?.sort()).toEqual(['a.md', 'l.md'])
      const edited = texts(await snapshot())
      await vault.apply(undo)
      expect(texts(await snapshot())).toEqual({
        'a.md': `${self}Mine.\n`,
        'l.md': 'Mine.\n\nSee [[a]].\nMine.\n',
        'm.md': 'See [[sub/b]], please.\n',
      })
      await vault.apply(await vault.planUndo({ id: undo.id }))
      expect(texts(await snapshot())).toEqual(edited)
    })

    it('can itself be undone after it kept later edits, and again after more of them', async () => {
      const { vault, write, snapshot } = await open({ 'a.md': 'a\nb\nc\nd\ne\n' })
      const done = set([edit('a.md', 'a\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\n')])
      await vault.apply(done)
      await write('a.md', 'A\nb\nC\nd\ne\n')
      const undo = await vault.planUndo({ id: done.id })
      await vault.apply(undo)
      await write('a.md', 'a\nb\nC\nd\nE\n')
      const redo = await vault.planUndo({ id: undo.id })
      expect(redo.merged).toEqual(['a.md'])
      await vault.apply(redo)
      expect(texts(await snapshot())).toEqual({ 'a.md': 'A\nb\nC\nd\nE\n' })
      await write('a.md', 'A\nb\nC\nD\nE\n')
      await vault.apply(await vault.planUndo({ id: redo.id }))
      expect(texts(await snapshot())).toEqual({ 'a.md': 'a\nb\nC\nD\nE\n' })
    })

    it('refuses to restore a note onto another', async () => {
      const { vault, write } = await open({ 'a.md': 'one', 'b.md': 'two' })
      const [trashed, moved] = [set([trash('a.md', 'one')]), set([move('b.md', 'c.md', 'two')])]
      await vault.apply(trashed)
      await vault.apply(moved)
      await write('a.md', 'another')
      await write('b.md', 'another')
      for (const { id } of [trashed, moved]) {
        await expect(vault.planUndo({ id })).rejects.toMatchObject({ code: 'conflict' })
      }
    })

    it('removes just the appended bytes from a note that has grown or changed elsewhere', async () => {
      const { vault, write, snapshot } = await open({ 'log.md': 'start\n' })
      const [first, second] = [set([append('log.md', 'one\n')]), set([append('log.md', 'two\n')])]
      await vault.apply(first)
      await vault.apply(second)
      await vault.apply(await vault.planUndo({ id: first.id }))
      expect(texts(await snapshot())).toEqual({ 'log.md': 'start\ntwo\n' })
      await write('log.md', 'a new beginning\ntwo\n')
      await vault.apply(await vault.planUndo({ id: second.id }))
      expect(texts(await snapshot())).toEqual({ 'log.md': 'a new beginning\n' })
    })

    it('restores a trashed note even when the trash was emptied', async () => {
      const { vault, remove, snapshot } = await open({ 'a.md': 'one' })
      const done = set([trash('a.md', 'one')])
      await vault.apply(done)
      await remove('.trash/a.md')
      await vault.apply(await vault.planUndo({ id: done.id }))
      expect(texts(await snapshot())).toEqual({ 'a.md': 'one' })
    })

    it('moves a note back with text that was added since', async () => {
      const { vault, write, snapshot } = await open({ 'a.md': 'one' })
      const done = set([move('a.md', 'b.md', 'one')])
      await vault.apply(done)
      await write('b.md', 'one and more')
      await vault.apply(await vault.planUndo({ id: done.id }))
      expect(texts(await snapshot())).toEqual({ 'a.md': 'one and more' })
    })

    it('fails if there is nothing to undo', async () => {
      const { vault } = await open({ 'a.md': 'one' })
      for (const target of [{ id: 'x' }, { session: 'x' }, { note: notePath('a.md') }]) {
        await expect(vault.planUndo(target)).rejects.toMatchObject({ code: 'not-found' })
      }
    })
  })
}
