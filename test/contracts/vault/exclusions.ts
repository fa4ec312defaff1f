import { describe, expect, it } from 'vitest'
import { type Change, hashBytes, notePath } from '../../../src/core/vault/index.js'
import { append, create, encode, failure } from './changes.js'
import type { OpenVault } from './opened-vault.js'
import { utf16 } from './reading.js'

export function describeExclusions(open: OpenVault): void {
  describe('exclusions', () => {
    const secret = '---\nprivate: true\n---\nCANARY'

    it('hide a note from listing and reading, as if it did not exist', async () => {
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

    it('can also be set in the settings', async () => {
      const { vault } = await open({ 'Work/a.md': 'x', 'b.md': 'y' }, ['work/**'])
      expect((await vault.files()).map(({ path }) => path)).toEqual(['b.md'])
    })

    it.each([
      ['UTF-8 with a mark', encode('\uFEFFDiary/\r\n')],
      ['UTF-16 LE with a mark, as a Windows shell writes it', utf16('Diary/\r\n')],
      ['UTF-16 BE with a mark', swapped(utf16('Diary/\r\n'))],
      ['UTF-16 LE', utf16('Diary/\r\n').slice(2)],
      ['UTF-16 BE', swapped(utf16('Diary/\r\n').slice(2))],
    ])('are read in %s', async (_name, rules) => {
      const { vault } = await open({ '.notewrightignore': rules, 'Diary/1.md': 'x', 'a.md': 'y' })
      expect((await vault.files()).map(({ path }) => path)).toEqual(['a.md'])
      expect(await vault.read(notePath('Diary/1.md'))).toBeUndefined()
    })

    it('that cannot be read block all reading, with the reason, until they can be read', async () => {
      const latin = Uint8Array.from([...'Tagebücher/\n'], (letter) => letter.charCodeAt(0))
      const { vault, write } = await open({ '.notewrightignore': latin, 'a.md': 'x', 'Tagebücher/1.md': 'y' })
      const questions = [
        () => vault.checkRules(),
        () => vault.files(),
        () => vault.eachFile(() => {}),
        () => vault.sum(),
        () => vault.stat(notePath('a.md')),
        () => vault.read(notePath('a.md')),
        () => vault.reading((read) => read(notePath('a.md'))),
        () => vault.readPart(notePath('a.md'), { from: 0, bytes: 1 }),
        () => vault.apply({ id: '1', title: 'x', changes: [create('new.md')] } as never),
      ]
      for (const ask of questions) {
        await expect((async () => ask())()).rejects.toMatchObject({
          code: 'invalid-input',
          message: expect.stringMatching(
            /^Notes cannot be read, because the exclusions in .notewrightignore cannot be read: .*UTF-8/,
          ),
        })
      }
      await write('.notewrightignore', 'Tagebücher/\n')
      expect((await vault.files()).map(({ path }) => path)).toEqual(['a.md'])
    })

    it('hide a private note', async () => {
      const { vault } = await open({ 's.md': secret })
      expect(await vault.read(notePath('s.md'))).toBeUndefined()
      expect(await vault.readPart(notePath('s.md'), { from: 0, bytes: 100 })).toBeUndefined()
    })

    it('make every change of a hidden note fail like that of a missing note', async () => {
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

    it('refuse new notes in excluded places and over private notes, in the same words', async () => {
      const { vault, snapshot } = await open({ 's.md': secret, '.notewrightignore': 'x/', 'x/y.md': 'CANARY' })
      const before = await snapshot()
      const closed = ['x/y.md', 'x/free.md', 's.md', 'S.md', 'x', 'free.md'].map((path) =>
        vault.isClosed(notePath(path)),
      )
      expect(await Promise.all(closed)).toEqual([true, true, true, true, false, false])
      for (const path of ['x/y.md', 'x/free.md']) expect((await failure(vault, create(path))).code).toBe('path')
      for (const change of [create('s.md'), append('s.md', 'more')]) {
        const refused = await failure(vault, change)
        expect(refused.code).toBe('path')
        const inHiddenPlace = await failure(vault, create('x/free.md'))
        expect(refused.message.replace('s.md', 'x/free.md')).toBe(inHiddenPlace.message)
        expect(refused.details).toEqual(inHiddenPlace.details)
        expect(JSON.stringify([refused.message, refused.details])).not.toMatch(/CANARY|private/)
      }
      expect(await snapshot()).toEqual(before)
    })
  })
}

/** The same with the other byte first. */
function swapped(bytes: Uint8Array): Uint8Array {
  return bytes.map((_, at) => bytes[at ^ 1])
}
