import { describe, expect, it } from 'vitest'
import { addStamp, emptyListing, type FileStamp, hashBytes, notePath } from '../../../src/core/vault/index.js'
import { decode, encode } from './changes.js'
import type { OpenVault } from './opened-vault.js'

export function describeReading(open: OpenVault): void {
  describe('reading', () => {
    it('returns undefined for a note that does not exist', async () => {
      const { vault } = await open({})
      expect(await vault.read(notePath('missing.md'))).toBeUndefined()
      expect(await vault.read(notePath('no/such/folder.md'))).toBeUndefined()
      expect(await vault.stat(notePath('missing.md'))).toBeUndefined()
    })

    it('returns text, bytes, hash and encoding, with the byte order mark in the text', async () => {
      const { vault } = await open({ 'a.md': '\uFEFFone\r\ntwo' })
      const note = await vault.read(notePath('a.md'))
      expect(note).toMatchObject({ path: 'a.md', text: '\uFEFFone\r\ntwo', encoding: 'utf-8', size: 11 })
      expect(note?.hash).toBe(hashBytes(encode('\uFEFFone\r\ntwo')))
    })

    it('reports a note that is not valid UTF-8', async () => {
      const { vault } = await open({ 'bad.md': Uint8Array.of(0x23, 0x20, 0xff, 0xfe, 0x80, 0x0a) })
      expect((await vault.read(notePath('bad.md')))?.encoding).toBe('invalid')
    })

    it('reads UTF-16 with a byte order mark, and hides it if it is private', async () => {
      const { vault } = await open({ 'plum.md': utf16('# Plum'), 'p.md': utf16('---\nprivate: true\n---\n') })
      expect(await vault.read(notePath('plum.md'))).toMatchObject({ text: '\uFEFF# Plum', encoding: 'utf-16le' })
      expect(await vault.read(notePath('p.md'))).toBeUndefined()
    })

    it('finds a note by another normalisation or case, and returns its own spelling', async () => {
      const { vault } = await open({ 'Folder/cafe\u0301.md': 'x' })
      expect((await vault.read(notePath('folder/Caf\u00e9.md')))?.path).toBe('Folder/cafe\u0301.md')
    })

    it('reads many notes, concurrently and in any order, with the same results as single reads', async () => {
      const { vault } = await open(
        {
          'a.md': 'a',
          'F/b.md': 'b',
          'F/c.md': 'c',
          'F/g/d.md': 'd',
          'F/p.md': '---\nprivate: true\n---',
          'out/e.md': '',
        },
        ['out/'],
      )
      const paths = [
        'F/c.md',
        'a.md',
        'F/p.md',
        'f/B.md',
        'F/missing.md',
        'no/such.md',
        'out/e.md',
        'F/g/d.md',
        'F/b.md',
      ]
      const wanted = [...paths, ...paths].map(notePath)
      const each = []
      for (const path of wanted) each.push(await vault.read(path))
      expect(await vault.reading((read) => Promise.all(wanted.map(read)))).toEqual(each)
      expect(each.map((note) => note?.text ?? null).slice(0, paths.length)).toEqual([
        'c',
        'a',
        null,
        'b',
        null,
        null,
        null,
        'd',
        'b',
      ])
    })

    it('lists regular files sorted by path, without dot names', async () => {
      const { vault } = await open({
        'b.md': '',
        'a/z.png': '',
        '.obsidian/app.json': '{}',
        'a/.x.md': '',
        'a.md': '',
      })
      expect((await vault.files()).map(({ path }) => path)).toEqual(['a.md', 'a/z.png', 'b.md'])
    })

    it('shows each file of the listing once, in any order', async () => {
      const { vault } = await open({ 'a.md': '1', 'b/c.md': '22', 'b/d/e.png': '333', 'b/.x.md': '', 'f.md': '' }, [
        'f.md',
      ])
      const shown: FileStamp[] = []
      await vault.eachFile((file) => shown.push(file))
      expect(shown.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual(await vault.files())
      expect(shown.map(({ path, size }) => [path, size])).toEqual([
        ['a.md', 1],
        ['b/c.md', 2],
        ['b/d/e.png', 3],
      ])
      expect(await vault.sum()).toEqual(shown.reduce(addStamp, emptyListing))
    })

    it('stops listing when aborted', async () => {
      const { vault } = await open({ 'a.md': '' })
      const controller = new AbortController()
      controller.abort()
      await expect(vault.files(controller.signal)).rejects.toThrow()
      await expect(vault.eachFile(() => {}, controller.signal)).rejects.toThrow()
    })

    it('reads a part of a file', async () => {
      const { vault } = await open({ 'a.md': '0123456789' })
      const part = await vault.readPart(notePath('a.md'), { from: 4, bytes: 3 })
      expect(part).toMatchObject({ path: 'a.md', from: 4, size: 10 })
      expect(decode(part!.bytes)).toBe('456')
      const end = await vault.readPart(notePath('a.md'), { from: 8, bytes: 100 })
      expect(decode(end!.bytes)).toBe('89')
    })
  })
}

/** As some editors and shells write it. */
export function utf16(text: string): Uint8Array {
  return new Uint8Array(Uint16Array.from(`\uFEFF${text}`, (unit) => unit.charCodeAt(0)).buffer)
}
