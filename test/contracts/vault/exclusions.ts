import { describe, expect, it } from 'vitest'
import { type Change, hashBytes, notePath } from '../../../src/core/vault/index.js'
import { append, create, encode, failure } from './changes.js'
import type { OpenVault } from './opened-vault.js'

export function describeExclusions(open: OpenVault): void {
  describe('exclusions', () => {
    const secret = '---\nprivate: true\n---\nCANARY'

    it('hide a note from listing and reading, as if it were not there', async () => {
      const { vault } = await open({ '.notewrightignore': 'Diary/\n*.tmp.md\n', 'diary/1.md': 'x', 'a.tmp.md': 'x' })
      expect(await vault.files()).toEqual([])
      expect(await vault.read(notePath('diary/1.md'))).toBeUndefined()
      expect(await vault.stat(notePath('DIARY/1.md'))).toBeUndefined()
      expect(await vault.readPart(notePath('a.tmp.md'), { from: 0, bytes: 1 })).toBeUndefined()
    })

    it('are read again when the file changes', async () => {
      const { vault, write } = await open({ 'a.md': 'x' })
      expect(await vault.read(notePath('a.md'))).toBeDefined()
      await write('.notewrightignore', 'a.md')
      expect(await vault.read(notePath('a.md'))).toBeUndefined()
    })

    it('also come from the settings', async () => {
      const { vault } = await open({ 'Work/a.md': 'x', 'b.md': 'y' }, ['work/**'])
      expect((await vault.files()).map(({ path }) => path)).toEqual(['b.md'])
    })

    it('hide a private note', async () => {
      const { vault } = await open({ 's.md': secret })
      expect(await vault.read(notePath('s.md'))).toBeUndefined()
      expect(await vault.readPart(notePath('s.md'), { from: 0, bytes: 100 })).toBeUndefined()
    })

    it('make every change of a hidden note fail like one of a missing note', async () => {
      const { vault } = await open({ 's.md': secret, '.notewrightignore': 'x/', 'x/y.md': 'CANARY' })
      const changes: ((path: string, before: string) => Change)[] = [
        (path, before) => ({ kind: 'edit', path: notePath(path), before, after: encode('') }),
        (path, before) => ({ kind: 'trash', path: notePath(path), before }),
        (path, before) => ({ kind: 'move', path: notePath(path), before, to: notePath('new.md') }),
      ]
      for (const change of changes) {
        const missing = await failure(vault, change('m.md', hashBytes(encode(secret))))
        const hidden = await failure(vault, change('s.md', hashBytes(encode(secret))))
        const excluded = await failure(vault, change('x/y.md', hashBytes(encode('CANARY'))))
        expect(missing.code).toBe('not-found')
        expect(hidden.message.replace('s.md', 'm.md')).toBe(missing.message)
        expect(excluded.message.replace('x/y.md', 'm.md')).toBe(missing.message)
        expect([hidden.code, excluded.code]).toEqual(['not-found', 'not-found'])
      }
    })

    it('keep new notes out of excluded places, whatever is there, and off private notes, without their text', async () => {
      const { vault, snapshot } = await open({ 's.md': secret, '.notewrightignore': 'x/', 'x/y.md': 'CANARY' })
      const before = await snapshot()
      for (const path of ['x/y.md', 'x/free.md']) expect((await failure(vault, create(path))).code).toBe('path')
      for (const change of [create('s.md'), append('s.md', 'more')]) {
        const refused = await failure(vault, change)
        expect(refused.code).toBe('conflict')
        expect(JSON.stringify([refused.message, refused.details])).not.toMatch(/CANARY|private/)
      }
      expect(await snapshot()).toEqual(before)
    })
  })
}
