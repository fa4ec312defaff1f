import { describe, expect, it } from 'vitest'
import { create, edit, encode, move, set, texts, trash } from '../../../../test/contracts/vault/index.js'
import type { Fault } from '../../../../test/doubles/faulty-files.js'
import { faultyFiles } from '../../../../test/doubles/faulty-files.js'
import type { MemoryFiles } from '../../../../test/doubles/memory-files.js'
import { memoryFiles } from '../../../../test/doubles/memory-files.js'
import { memoryStore, openNotebook } from '../../../core/index/index.js'
import type { ChangeSet } from '../../../core/vault/index.js'
import { notePath } from '../../../core/vault/index.js'
import { folderVault } from './folder-vault.js'

function newDisk(notes: Record<string, string>): MemoryFiles {
  const disk = memoryFiles()
  disk.put('/state/keep', encode(''))
  for (const [path, text] of Object.entries(notes)) disk.put(`/vault/${path}`, encode(text))
  return disk
}

/** A process that dies at a call of its choice. */
async function applyAndDie(disk: MemoryFiles, changes: ChangeSet, death: Omit<Fault, 'how'>): Promise<void> {
  const files = faultyFiles(disk)
  const vault = await folderVault({ root: '/vault', stateDir: '/state/v', files, lock: { isAlive: () => false } })
  files.fail({ ...death, how: 'crash' })
  await expect(vault.apply(changes)).rejects.toThrow()
  expect(files.isCrashed).toBe(true)
}

const restart = (disk: MemoryFiles) =>
  folderVault({ root: '/vault', stateDir: '/state/v', files: disk, lock: { isAlive: () => false } })

describe('an interrupted change', () => {
  it('can be resolved after a power cut, although its process died before the bytes were synced', async () => {
    const note = notePath('a.md')
    let settled = 0
    for (let at = 1; at < 12; at++) {
      const disk = newDisk({ 'a.md': 'one\n', 'b.md': 'two\n' })
      const changes = set([edit('a.md', 'one\n', 'ONE\n'), edit('b.md', 'two\n', 'TWO\n')])
      await applyAndDie(disk, changes, { at, only: ['sync', 'syncAll', 'syncFolder'] }).catch(() => undefined)
      disk.overwrite('/vault/a.md', encode('by a person\n'))
      await restart(disk)
      disk.losePower()
      const vault = await restart(disk)
      const [latest] = await vault.history()
      if (latest?.unsettled === undefined) continue
      await vault.apply(await vault.planResolution({ decisions: [{ note, how: 'take-back' }] }))
      expect(texts(disk.tree('/vault'))['a.md'], `death at sync ${at}`).toBe('one\n')
      settled++
    }
    expect(settled).toBeGreaterThan(2)
  })

  it('stays rolled back after a power cut, even if others edit its notes then', async () => {
    const syncs = ['sync', 'syncAll', 'syncFolder'] as const
    let cutOff = 0
    for (let at = 1; at < 8; at++) {
      const disk = newDisk({ 'a.md': 'one\n', 'b.md': 'two\n' })
      const files = faultyFiles(disk)
      const vault = await folderVault({ root: '/vault', stateDir: '/state/v', files, lock: { isAlive: () => false } })
      files.fail({ at: 1, only: ['setMode'], how: 'EIO', next: { at, only: syncs, how: 'crash' } })
      await vault
        .apply(set([edit('a.md', 'one\n', 'ONE\n'), edit('b.md', 'two\n', 'TWO\n')]))
        .catch((error: unknown) => error)
      if (files.isCrashed) cutOff++
      await restart(disk)
      disk.losePower()
      disk.put('/vault/a.md', encode('ONE\n'))
      await restart(disk)
      // If the row was lost, a text equal to the change's result counts as its own.
      expect(texts(disk.tree('/vault'))['b.md'], `death at sync ${at}`).toBe('two\n')
      expect((await (await restart(disk)).history())[0]?.state ?? 'rolled-back').toBe('rolled-back')
    }
    expect(cutOff).toBeGreaterThan(2)
  })

  it('is durable in a folder that the change had made, if its note is left for the user to decide', async () => {
    const disk = newDisk({ 'a.md': 'one\n', 'b.md': 'two\n' })
    const changes = set([move('a.md', 'new/deep/a.md', 'one\n'), move('b.md', 'new/deep/b.md', 'two\n')])
    await applyAndDie(disk, changes, { at: 3, only: ['link'] })
    disk.put('/vault/a.md', encode('by a person\n'))
    await restart(disk)
    disk.losePower()
    const [{ unsettled }] = await (await restart(disk)).history()
    expect(unsettled?.notes).toEqual(['a.md'])
    expect(texts(disk.tree('/vault'))).toMatchObject({ 'a.md': 'by a person\n', 'new/deep/a.md': 'one\n' })
  })

  it('lasts in folders that an earlier attempt to take an undo back has made again', async () => {
    const only = ['sync', 'syncAll', 'syncFolder'] as const
    let cutOff = 0
    for (let at = 1; at < 8; at++) {
      for (let next = 1; next < 8; next++) {
        const disk = newDisk({ 'b.md': 'two\n' })
        const files = faultyFiles(disk)
        const vault = await folderVault({ root: '/vault', stateDir: '/state/v', files, lock: { isAlive: () => false } })
        const made = await vault.apply(set([create('new/deep/a.md', 'one\n')]))
        const undo = await vault.planUndo({ id: made.id })
        files.fail({ at, only, how: 'EIO', next: { at: next, only, how: 'EIO' } })
        await vault.apply(undo).catch(() => cutOff++)
        files.fail(undefined)
        await vault.apply(set([edit('b.md', 'two\n', 'TWO\n')]))
        disk.losePower()
        const history = await (await restart(disk)).history()
        const isUndone = history.some(({ id, state }) => id === undo.id && state === 'applied')
        expect(texts(disk.tree('/vault'))['new/deep/a.md'], `${at}, then ${next}`).toBe(isUndone ? undefined : 'one\n')
      }
    }
    expect(cutOff).toBeGreaterThan(10)
  })

  it('is not deleted with its temporary files if the user has saved into one', async () => {
    const disk = newDisk({ 'a.md': 'one\n', 'b.md': 'two\n' })
    const changes = set([edit('a.md', 'one\n', 'ONE\n'), edit('b.md', 'two\n', 'TWO\n')])
    await applyAndDie(disk, changes, { at: 1, only: ['rename'] })
    const temporary = [...disk.tree('/vault').keys()].filter((name) => name.endsWith('-0.new.tmp'))
    expect(temporary).toHaveLength(1)
    // A power cut has reverted the rename into place, but not the edit saved there.
    disk.overwrite(`/vault/${temporary[0]}`, encode('ONE\nby a person\n'))
    const vault = await restart(disk)
    expect(texts(disk.tree('/vault'))).toEqual({
      'a.md': 'one\n',
      'b.md': 'two\n',
      [temporary[0]]: 'ONE\nby a person\n',
    })
    expect(await vault.strayFiles({ removes: true })).toEqual(temporary)
  })

  it('takes temporary files away that were not written to their end', async () => {
    const disk = newDisk({ 'a.md': 'one\n' })
    await applyAndDie(disk, set([edit('a.md', 'one\n', 'one and more\n')]), { at: 1, only: ['rename'] })
    const [temporary] = [...disk.tree('/vault').keys()].filter((name) => name.endsWith('.new.tmp'))
    disk.overwrite(`/vault/${temporary}`, encode('one an'))
    await restart(disk)
    expect(texts(disk.tree('/vault'))).toEqual({ 'a.md': 'one\n' })
  })

  it('is not resolved in another note whose name differs only in case', async () => {
    const disk = newDisk({ 'Dan.md': 'one\n', 'DAN.md': 'another note\n', 'b.md': 'two\n' })
    const changes = set([edit('Dan.md', 'one\n', 'ONE\n'), edit('b.md', 'two\n', 'TWO\n')])
    await applyAndDie(disk, changes, { at: 2, only: ['rename'] })
    disk.relocate('/vault/Dan.md', '/vault/Elsewhere.md')
    const vault = await restart(disk)
    const [{ unsettled }] = await vault.history()
    expect(unsettled?.notes).toEqual(['Dan.md'])
    const settle = await vault.planResolution({ decisions: [{ note: notePath('Dan.md'), how: 'finish' }] })
    await expect(vault.apply(settle)).rejects.toMatchObject({ code: 'conflict' })
    expect(texts(disk.tree('/vault'))['DAN.md']).toBe('another note\n')
  })

  it('is resolved in a note that was respelled since', async () => {
    const disk = newDisk({ 'Dan.md': 'one\n', 'b.md': 'two\n' })
    const changes = set([edit('Dan.md', 'one\n', 'ONE\n'), edit('b.md', 'two\n', 'TWO\n')])
    await applyAndDie(disk, changes, { at: 2, only: ['rename'] })
    disk.overwrite('/vault/Dan.md', encode('by a person\n'))
    const vault = await restart(disk)
    await vault.apply(set([move('Dan.md', 'DAN.md', 'by a person\n')]))
    await vault.apply(await vault.planResolution({ decisions: [{ note: notePath('Dan.md'), how: 'take-back' }] }))
    expect(texts(disk.tree('/vault'))['DAN.md']).toBe('one\n')
  })

  it('is resolved in a note that was respelled since, and not in one that the user has created under its old name', async () => {
    for (const how of ['take-back', 'finish'] as const) {
      const disk = newDisk({ 'Dan.md': 'one\n', 'b.md': 'two\n' })
      const changes = set([edit('Dan.md', 'one\n', 'ONE\n'), edit('b.md', 'two\n', 'TWO\n')])
      await applyAndDie(disk, changes, { at: 2, only: ['rename'] })
      disk.overwrite('/vault/Dan.md', encode('by a person\n'))
      const vault = await restart(disk)
      await vault.apply(set([move('Dan.md', 'DAN.md', 'by a person\n')]))
      disk.put('/vault/Dan.md', encode('another note\n'))
      await vault.apply(await vault.planResolution({ decisions: [{ note: notePath('Dan.md'), how }] }))
      expect(texts(disk.tree('/vault'))).toMatchObject({
        'Dan.md': 'another note\n',
        'DAN.md': how === 'finish' ? 'ONE\n' : 'one\n',
      })
    }
  })

  it('is nothing where it had not begun, although someone deleted a note that it was to delete', async () => {
    const disk = newDisk({ '.obsidian/app.json': '{"trashOption":"none"}', 'a.md': 'one\n', 'b.md': 'two\n' })
    const changes = set([edit('a.md', 'one\n', 'ONE\n'), trash('b.md', 'two\n')])
    await applyAndDie(disk, changes, { at: 1, only: ['syncAll'] })
    disk.erase('/vault/b.md')
    // A power cut keeps the row, and takes the images, which were to be made to last together with it.
    disk.erase('/state/v/journal/images/1')
    const [latest] = await (await restart(disk)).history()
    expect(latest).toMatchObject({ id: changes.id, state: 'rolled-back' })
    expect(texts(disk.tree('/vault'))['a.md']).toBe('one\n')
  })

  it('is recovered before a note is moved, which is then planned again: recovery may restore links to it', async () => {
    const disk = newDisk({ 'Hub.md': 'the hub\n', 'a.md': 'See [[Hub]].\n', 'b.md': 'two\n' })
    const vault = await restart(disk)
    const notebook = await openNotebook({ vault, store: memoryStore() })
    const planned = async () => {
      await notebook.update()
      return (await notebook.index.planMove(notePath('Hub.md'), 'Moved.md')).changeSet
    }
    const changes = set([edit('a.md', 'See [[Hub]].\n', 'See nothing.\n'), edit('b.md', 'two\n', 'TWO\n')])
    await applyAndDie(disk, changes, { at: 2, only: ['rename'] })
    disk.overwrite('/vault/b.md', encode('by a person\n'))
    const tooEarly = await planned()
    expect(tooEarly.changes).toHaveLength(1)
    await expect(notebook.apply(tooEarly)).rejects.toThrow('An interrupted change was completed first')
    const mended = { 'Hub.md': 'the hub\n', 'a.md': 'See [[Hub]].\n', 'b.md': 'by a person\n' }
    expect(texts(disk.tree('/vault'))).toEqual(mended)
    await notebook.apply(await planned())
    expect(texts(disk.tree('/vault'))).toMatchObject({ 'Moved.md': 'the hub\n', 'a.md': 'See [[Moved]].\n' })
    await notebook.close()
  })

  it('costs no later change its earlier text in a power cut, although it had failed to make the folder of texts last', async () => {
    const only = ['sync', 'syncAll', 'syncFolder'] as const
    for (const how of ['EIO', 'crash'] as const) {
      const disk = newDisk({ 'a.md': 'one\n', 'b.md': 'two\n' })
      const files = faultyFiles(disk)
      const first = await folderVault({ root: '/vault', stateDir: '/state/v', files, lock: { isAlive: () => false } })
      await first.apply(set([move('b.md', 'c.md', 'two\n')]))
      files.fail({ at: 1, only, how })
      await expect(first.apply(set([edit('c.md', 'two\n', 'TWO\n')]))).rejects.toThrow()
      const vault = await restart(disk)
      const done = set([edit('a.md', 'one\n', 'ONE\n')])
      await vault.apply(done)
      disk.losePower()
      const later = await restart(disk)
      await later.apply(await later.planUndo({ id: done.id }))
      expect(texts(disk.tree('/vault'))['a.md'], how).toBe('one\n')
    }
  })

  it('costs no later change its row in a power cut, although it had not made the state folder last', async () => {
    let applied = 0
    for (const how of ['EIO', 'EROFS', 'EACCES'] as const) {
      for (let at = 1; at < 8; at++) {
        const disk = newDisk({ 'a.md': 'one\n', 'b.md': 'two\n' })
        await applyAndDie(disk, set([edit('b.md', 'two\n', 'TWO\n')]), { at: 1, only: ['syncFolder'] })
        const files = faultyFiles(disk)
        const vault = await folderVault({ root: '/vault', stateDir: '/state/v', files, lock: { isAlive: () => false } })
        files.fail({ at, only: ['syncFolder'], how })
        const done = set([edit('a.md', 'one\n', 'ONE\n')])
        const isDone = await vault.apply(done).then(
          () => true,
          () => false,
        )
        if (!isDone) continue
        applied++
        disk.losePower()
        const history = await (await restart(disk)).history()
        expect(
          history.map(({ id }) => id),
          `${how} at sync ${at}`,
        ).toEqual([done.id])
      }
    }
    expect(applied).toBeGreaterThan(2)
  })
})
