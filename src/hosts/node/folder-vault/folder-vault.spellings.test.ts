import { describe, expect, it } from 'vitest'
import { edit, encode, move, set, texts, trash } from '../../../../test/contracts/vault/index.js'
import { faultyFiles } from '../../../../test/doubles/faulty-files.js'
import { type MemoryFiles, memoryFiles } from '../../../../test/doubles/memory-files.js'
import { notePath } from '../../../core/vault/index.js'
import type { FileAccess } from '../files/file-access.js'
import { DiskEntryFiles } from './entry-files.js'
import { folderVault } from './folder-vault.js'
import { VaultFolders } from './vault-folders.js'

function diskOf(notes: Record<string, string>): MemoryFiles {
  const disk = memoryFiles()
  disk.put('/state/keep', encode(''))
  for (const [path, text] of Object.entries(notes)) disk.put(`/vault/${path}`, encode(text))
  return disk
}

/** On a case-sensitive disk. */
async function vaultOf(notes: Record<string, string>) {
  const disk = diskOf(notes)
  const vault = await folderVault({ root: '/vault', stateDir: '/state/v', files: disk })
  return { disk, vault, notes: () => texts(disk.tree('/vault')) }
}

describe('an undo that would leave one name in two spellings', () => {
  it('is refused, and names the note that is in the way', async () => {
    const { disk, vault, notes } = await vaultOf({ 'Dan.md': 'one\n' })
    const done = set([trash('Dan.md', 'one\n')])
    await vault.apply(done)
    disk.put('/vault/DAN.md', encode('another note\n'))
    await expect(vault.planUndo({ id: done.id })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Dan.md cannot be restored while DAN.md exists: the names differ only in spelling. Nothing was changed.',
      details: { hint: 'Rename DAN.md first, then undo again.' },
    })
    await vault.apply(set([move('DAN.md', 'Daniel.md', 'another note\n')]))
    await vault.apply(await vault.planUndo({ id: done.id }))
    expect(notes()).toMatchObject({ 'Dan.md': 'one\n', 'Daniel.md': 'another note\n' })
  })

  it('is refused if both would be restored, and each can be undone alone', async () => {
    const { vault, notes } = await vaultOf({ 'Dan.md': 'one\n', 'DAN.md': 'another note\n' })
    const done = set([trash('Dan.md', 'one\n'), trash('DAN.md', 'another note\n')])
    await vault.apply(done)
    await expect(vault.planUndo({ id: done.id })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Dan.md and DAN.md would both be restored: the names differ only in spelling. Nothing was changed.',
      details: { hint: 'Undo the last change of DAN.md alone and rename it, then undo the rest.' },
    })
    await vault.apply(await vault.planUndo({ note: notePath('DAN.md') }))
    await vault.apply(set([move('DAN.md', 'Daniel.md', 'another note\n')]))
    await vault.apply(await vault.planUndo({ id: done.id }))
    expect(notes()).toMatchObject({ 'Dan.md': 'one\n', 'Daniel.md': 'another note\n' })
  })

  it('is refused as such where a note was moved away, too', async () => {
    const { disk, vault } = await vaultOf({ 'Dan.md': 'one\n' })
    const done = set([move('Dan.md', 'Elsewhere.md', 'one\n')])
    await vault.apply(done)
    disk.put('/vault/DAN.md', encode('another note\n'))
    await expect(vault.planUndo({ id: done.id })).rejects.toThrow('Dan.md cannot be restored while DAN.md exists')
  })
})

describe('a note whose name is only respelled', () => {
  const respelling = () => set([move('f/Dan.md', 'f/DAN.md', 'one\n'), edit('b.md', '[[Dan]]\n', '[[DAN]]\n')])
  const [old, respelled] = [
    { 'f/Dan.md': 'one\n', 'b.md': '[[Dan]]\n' },
    { 'f/DAN.md': 'one\n', 'b.md': '[[DAN]]\n' },
  ]
  const open = (files: FileAccess) =>
    folderVault({ root: '/vault', stateDir: '/state/v', files, lock: { isAlive: () => false } })

  it('does not replace a note that the user creates under the new name in the meantime', async () => {
    const theirs = 'by a person\n'
    let met = true
    for (let at = 1; met; at++) {
      const disk = diskOf(old)
      const files = faultyFiles(disk)
      const vault = await open(files)
      let isMade = false
      const make = () => {
        isMade = !disk.tree('/vault/f').has('DAN.md')
        if (isMade) disk.put('/vault/f/DAN.md', encode(theirs))
      }
      files.fail({ at, how: make })
      await vault.apply(respelling()).catch(() => undefined)
      met = files.hit
      const wanted = isMade ? { ...old, 'f/DAN.md': theirs } : respelled
      expect(texts(disk.tree('/vault')), `made at call ${at}`).toEqual(wanted)
    }
  })

  it('has one name again wherever it was cut off', async () => {
    let isCrashed = true
    for (let at = 1; isCrashed; at++) {
      const disk = diskOf(old)
      const files = faultyFiles(disk)
      const changes = respelling()
      files.fail({ at, how: 'crash' })
      await open(files)
        .then((vault) => vault.apply(changes))
        .catch(() => undefined)
      isCrashed = files.isCrashed
      const vault = await open(disk)
      const isDone = (await vault.history())[0]?.state === 'applied'
      expect(texts(disk.tree('/vault')), `death at call ${at}`).toEqual(isDone ? respelled : old)
      if (isDone) await vault.apply(await vault.planUndo({ id: changes.id }))
      expect(texts(disk.tree('/vault')), `undone after a death at call ${at}`).toEqual(old)
    }
  })

  it('keeps its only name on a disk that does not tell the two apart', async () => {
    const disk = diskOf(old)
    const target = new DiskEntryFiles(new VaultFolders(foldingFiles(disk), '/vault'), {
      entry: { steps: [], folders: [], emptied: [] },
      notes: { temporary: '.notewright-', modes: [] },
      image: async () => undefined,
    })
    const [path, to] = [notePath('f/Dan.md'), notePath('f/DAN.md')]
    for (const [from, onto] of [
      [path, to],
      [to, path],
    ]) {
      const move = { step: { kind: 'rename', path: from, to: onto, hash: null }, index: 0, isRollback: true } as const
      await target.bring(move)
      await target.takeAway(move)
      expect(texts(disk.tree('/vault/f'))).toEqual({ [onto.slice(2)]: 'one\n' })
    }
  })
})

describe('a disk that does not tell capitals apart', () => {
  const open = async () => {
    const disk = diskOf({ 'f/Dan.md': 'one\n', 'b.md': '[[Dan]]\n' })
    const vault = await folderVault({ root: '/vault', stateDir: '/state/v', files: foldingFiles(disk) })
    return { vault, notes: () => texts(disk.tree('/vault')) }
  }

  it('reports the name a note has on disk, for any spelling', async () => {
    const { vault } = await open()
    expect((await vault.read(notePath('f/DAN.md')))?.path).toBe('f/Dan.md')
    expect((await vault.stat(notePath('f/dan.md')))?.path).toBe('f/Dan.md')
  })

  it('lets a note be respelled, and respelled again by undo', async () => {
    const { vault, notes } = await open()
    const before = notes()
    const changes = set([move('f/Dan.md', 'f/DAN.md', 'one\n'), edit('b.md', '[[Dan]]\n', '[[DAN]]\n')])
    await vault.apply(changes)
    expect(notes()).toEqual({ 'f/DAN.md': 'one\n', 'b.md': '[[DAN]]\n' })
    await vault.apply(await vault.planUndo({ id: changes.id }))
    expect(notes()).toEqual(before)
  })
})

/** A disk on which `Dan.md` and `DAN.md` are one name. */
function foldingFiles(disk: MemoryFiles): FileAccess {
  const spelled = (path: string) => {
    const [folder, wanted] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
    const names = [...disk.tree(folder).keys()]
    return `${folder}/${names.find((name) => name.toLowerCase() === wanted.toLowerCase()) ?? wanted}`
  }
  return {
    ...disk,
    foldsNames: true,
    realPath: (path) => disk.realPath(spelled(path)),
    open: (path, how, mode) => disk.open(spelled(path), how, mode),
    stat: (path) => disk.stat(spelled(path)),
    rename: (from, to) => disk.rename(spelled(from), to),
    link: (from, to) => disk.link(spelled(from), spelled(to)),
    remove: (path) => disk.remove(spelled(path)),
  }
}
