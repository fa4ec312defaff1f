import { describe, expect, it } from 'vitest'
import { edit, encode, move, set, texts } from '../../../../test/contracts/vault/index.js'
import { type ChangeSet, notePath } from '../../../core/vault/index.js'
import { type Fault, faultyFiles, type MemoryFiles, memoryFiles } from '../files/index.js'
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

describe('what a change that was cut off has left', () => {
  it('can be settled after a power cut, although its process died before the bytes were made to last', async () => {
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
      await vault.apply(await vault.planSettle({ decisions: [{ note, how: 'take-back' }] }))
      expect(texts(disk.tree('/vault'))['a.md'], `death at sync ${at}`).toBe('one\n')
      settled++
    }
    expect(settled).toBeGreaterThan(2)
  })

  it('is not taken away with its temporary files where a person has saved into one', async () => {
    const disk = newDisk({ 'a.md': 'one\n', 'b.md': 'two\n' })
    const changes = set([edit('a.md', 'one\n', 'ONE\n'), edit('b.md', 'two\n', 'TWO\n')])
    await applyAndDie(disk, changes, { at: 1, only: ['rename'] })
    const temporary = [...disk.tree('/vault').keys()].filter((name) => name.endsWith('-0.new.tmp'))
    expect(temporary).toHaveLength(1)
    // A power cut has taken back the rename into place, but not what was saved there.
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

  it('is not settled in another note whose name differs by its capitals alone', async () => {
    const disk = newDisk({ 'Dan.md': 'one\n', 'DAN.md': 'another note\n', 'b.md': 'two\n' })
    const changes = set([edit('Dan.md', 'one\n', 'ONE\n'), edit('b.md', 'two\n', 'TWO\n')])
    await applyAndDie(disk, changes, { at: 2, only: ['rename'] })
    disk.relocate('/vault/Dan.md', '/vault/Elsewhere.md')
    const vault = await restart(disk)
    const [{ unsettled }] = await vault.history()
    expect(unsettled?.notes).toEqual(['Dan.md'])
    const settle = await vault.planSettle({ decisions: [{ note: notePath('Dan.md'), how: 'finish' }] })
    await expect(vault.apply(settle)).rejects.toMatchObject({ code: 'conflict' })
    expect(texts(disk.tree('/vault'))['DAN.md']).toBe('another note\n')
  })

  it('is settled in a note that was respelled since', async () => {
    const disk = newDisk({ 'Dan.md': 'one\n', 'b.md': 'two\n' })
    const changes = set([edit('Dan.md', 'one\n', 'ONE\n'), edit('b.md', 'two\n', 'TWO\n')])
    await applyAndDie(disk, changes, { at: 2, only: ['rename'] })
    disk.overwrite('/vault/Dan.md', encode('by a person\n'))
    const vault = await restart(disk)
    await vault.apply(set([move('Dan.md', 'DAN.md', 'by a person\n')]))
    await vault.apply(await vault.planSettle({ decisions: [{ note: notePath('Dan.md'), how: 'take-back' }] }))
    expect(texts(disk.tree('/vault'))['DAN.md']).toBe('one\n')
  })
})
