import {
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Refusal } from '../../../../test/doubles/refusing-files.js'
import { refusingFiles } from '../../../../test/doubles/refusing-files.js'
import { memoryStore, openVaultIndex } from '../../../core/index/index.js'
import type { FileStamp } from '../../../core/vault/index.js'
import { addStamp, changeSet, emptyListing, notePath } from '../../../core/vault/index.js'
import { nodeFiles } from '../files/node-files.js'
import { folderVault } from './folder-vault.js'

let base: string
let root: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'notewright-bad-')))
  root = join(base, 'vault')
  for (const [path, text] of Object.entries(notes)) write(path, text)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const notes = {
  'Apple.md': 'sourdough apple [[Bread]]',
  'Bread.md': 'sourdough bread [[Apple]]',
  'Shelf/Plum.md': 'sourdough plum',
  'Shelf/Deep/Pear.md': 'sourdough pear',
  'Shelf/picture.png': 'a picture',
}
const noteCount = 4

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

async function opened() {
  const files = refusingFiles(nodeFiles)
  const vault = await folderVault({ root, stateDir: join(base, 'state'), files })
  const index = await openVaultIndex({ vault, store: memoryStore() })
  const found = async () => (await index.search({ query: 'sourdough' })).hits.map(({ path }) => path).sort()
  return { files, vault, index, found }
}

const codes = ['EACCES', 'EPERM', 'ELOOP', 'EIO', 'ESTALE', 'ENOENT']
const fileCalls: Refusal['call'][] = ['look', 'open', 'statOpen', 'read']
const folderCalls: Refusal['call'][] = ['look', 'openFolder', 'statFolder']

/** Files that each refusal hides. */
const refusals = [
  ...['Apple.md', 'Shelf/Plum.md'].flatMap((path) => fileCalls.map((call) => ({ path, call, lost: [path] }))),
  ...folderCalls.map((call) => ({ path: 'Shelf/Deep', call, lost: ['Shelf/Deep/Pear.md'] })),
  ...folderCalls.map((call) => ({ path: 'Shelf', call, lost: ['Shelf/Deep/Pear.md', 'Shelf/Plum.md'] })),
].flatMap((each) => codes.map((code) => ({ ...each, code })))

describe('a place that the system does not let us read', () => {
  it.each(refusals)('costs itself alone and is named, then taken in: $path, $call, $code', async (each) => {
    const { path, call, code, lost } = each
    const { files, vault, index, found } = await opened()
    files.refuse({ path: join(root, path), call, code })
    await index.readChanges()
    const left = Object.keys(notes).filter((note) => note.endsWith('.md') && !lost.includes(note))
    expect(await found()).toEqual(left.sort())

    // A file deleted before it was listed is not reported.
    const isGone = code === 'ENOENT' && ['look', 'openFolder'].includes(call)
    const skipped = await index.skipped()
    expect(skipped.map((file) => file.path)).toEqual(isGone ? [] : [path])
    for (const { reason } of skipped) expect(reason).toMatch(/permission|circular|disk|removed|regular/)
    const shown: FileStamp[] = []
    await vault.eachFile((file) => shown.push(file))
    expect(await vault.sum()).toEqual(shown.reduce(addStamp, emptyListing))
    expect((await vault.files()).every(({ barred }) => barred === undefined)).toBe(true)

    files.refuse(undefined)
    // A change of permissions updates ctime; files the disk failed to read are read again in any case.
    if (code !== 'EIO') for (const place of [path, ...lost]) touch(place)
    await index.readChanges()
    expect(await found()).toHaveLength(noteCount)
    expect(await index.skipped()).toEqual([])
    expect(await index.unseenChanges()).toMatchObject({ count: 0 })
  })

  it('is answered by a sentence where it is asked for itself, and never by the system’s own words', async () => {
    const { files, vault } = await opened()
    for (const call of ['open', 'statOpen', 'read', 'openFolder'] as const) {
      for (const code of codes.filter((each) => each !== 'ENOENT')) {
        files.refuse({ path: join(root, call === 'openFolder' ? 'Shelf' : 'Shelf/Plum.md'), call, code })
        for (const ask of [vault.read, (path: never) => vault.readPart(path, { from: 0, bytes: 9 })]) {
          await expect(ask(notePath('Shelf/Plum.md') as never)).rejects.toMatchObject({
            name: 'Failure',
            message: expect.stringMatching(/Shelf\/Plum\.md/),
            details: { hint: expect.any(String) },
          })
        }
      }
    }
  })

  it('is not taken for an empty vault when it is the vault itself', async () => {
    const { files, index, found } = await opened()
    await index.readChanges()
    for (const call of ['openFolder', 'statFolder'] as const) {
      files.refuse({ path: root, call, code: 'EIO' })
      await expect(index.readChanges()).rejects.toMatchObject({
        name: 'Failure',
        message: expect.stringMatching(/EIO/),
      })
    }
    expect(await found()).toHaveLength(noteCount)
  })

  it('is not to blame when the process has too many files open: nothing is left out then', async () => {
    const { files, index, found } = await opened()
    await index.readChanges()
    touch('Shelf/Plum.md')
    for (const [path, call] of [
      ['Shelf', 'openFolder'],
      ['Shelf/Plum.md', 'look'],
      ['Shelf/Plum.md', 'open'],
    ] as const) {
      files.refuse({ path: join(root, path), call, code: 'EMFILE' })
      await expect(index.readChanges()).rejects.toMatchObject({ code: 'EMFILE' })
      expect(await found()).toHaveLength(noteCount)
    }
  })

  it('does not keep a note elsewhere from being moved, and says which links it could not look at', async () => {
    const { files, vault, index } = await opened()
    await index.readChanges()
    files.refuse({ path: join(root, 'Apple.md'), call: 'open', code: 'EACCES' })
    const { changeSet: set, impact } = await index.planMove('Bread.md', 'Loaf.md')
    expect(impact).toMatchObject({ links: 0, unread: ['Apple.md'] })
    await vault.apply(set)
    await expect(index.planMove('Apple.md', 'Pomme.md')).rejects.toMatchObject({ code: 'denied' })
  })
})

describe('a link that is not followed', () => {
  const links: Record<string, [string, RegExp]> = {
    'Loop.md': ['Loop.md', /circular/],
    'Shelf/Round.md': ['../Shelf/Round.md', /circular/],
    Self: ['.', /folder that contains it/],
    'Shelf/Up': ['..', /folder that contains it/],
    'Gone.md': ['Nowhere.md', /broken/],
    'Out.md': ['/etc/hostname', /outside the vault/],
    Elsewhere: ['/etc', /outside the vault/],
    'Hidden.md': ['.trash/Old.md', /reserved/],
  }

  it('is named with its reason, unless its target is listed where it is', async () => {
    write('.trash/Old.md', 'old')
    for (const [path, [target]] of Object.entries(links)) symlinkSync(target, join(root, path))
    // Neither is missed: the one leads to a note that is found, the other is no note.
    symlinkSync('Bread.md', join(root, 'Alias.md'))
    symlinkSync('/etc/hostname', join(root, 'logo.png'))
    const { vault, index, found } = await opened()
    await index.readChanges()
    expect(await found()).toHaveLength(noteCount)
    const skipped = await index.skipped()
    expect(skipped.map(({ path }) => path)).toEqual(Object.keys(links).sort())
    for (const { path, reason } of skipped) expect(reason).toMatch(links[path][1])
    expect(await index.files()).toEqual(Object.keys(notes).sort())
    expect(await index.unseenChanges()).toMatchObject({ count: 0 })
    await expect(vault.read(notePath('Loop.md'))).rejects.toMatchObject({ name: 'Failure' })
  })

  it('stays where it is when its folder is moved', async () => {
    symlinkSync('Round.md', join(root, 'Shelf/Round.md'))
    const { vault, index } = await opened()
    await index.readChanges()
    await vault.apply((await index.planMove('Shelf/', 'Rack')).changeSet)
    await index.readChanges()
    expect((await index.skipped()).map(({ path }) => path)).toEqual(['Shelf/Round.md'])
    expect(await index.files()).toContain('Rack/Deep/Pear.md')
  })
})

describe('a note above the read limit', () => {
  it('is still moved and deleted, and both can be undone', async () => {
    const text = `sourdough [[Bread]] ${'x'.repeat(5000)}`
    write('Giant.md', text)
    const vault = await folderVault({ root, stateDir: join(base, 'state'), maxReadBytes: 1000 })
    const index = await openVaultIndex({ vault, store: memoryStore() })
    await index.readChanges()
    expect((await index.skipped()).map(({ path }) => path)).toEqual(['Giant.md'])

    const { changeSet: set, impact } = await index.planMove('Giant.md', 'Shelf/Huge.md')
    expect(impact.unread).toEqual(['Shelf/Huge.md'])
    const moved = await vault.apply(set)
    expect(await sizeOf('Shelf/Huge.md')).toBe(text.length)
    await vault.apply(await vault.planUndo({ id: moved.id }))

    const deleted = await vault.apply(changeSet('Delete', [{ kind: 'trash', path: notePath('Giant.md') }]))
    expect(await sizeOf('Giant.md')).toBeUndefined()
    // Also when the trash was emptied meanwhile.
    rmSync(join(root, '.trash'), { recursive: true })
    await vault.apply(await vault.planUndo({ id: deleted.id }))
    expect(await sizeOf('Giant.md')).toBe(text.length)

    const edit = { kind: 'append' as const, path: notePath('Giant.md'), added: new TextEncoder().encode('y') }
    await expect(vault.apply(changeSet('Append', [edit]))).rejects.toMatchObject({ code: 'too-large' })

    async function sizeOf(path: string) {
      return (await vault.stat(notePath(path)))?.size
    }
  })
})

/** Like a change of permissions: the stamp changes, the bytes stay. */
function touch(path: string): void {
  const now = Date.now() / 1000 + Math.random() * 1000
  if (path.endsWith('.md')) utimesSync(join(root, path), now, now)
  else lutimesSync(join(root, path), now, now)
}
