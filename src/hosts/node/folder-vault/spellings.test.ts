import { describe, expect, it } from 'vitest'
import { encode, move, set, texts, trash } from '../../../../test/contracts/vault/index.js'
import { notePath } from '../../../core/vault/index.js'
import { memoryFiles } from '../files/index.js'
import { folderVault } from './folder-vault.js'

/** On a disk that tells capitals apart. */
async function vaultOf(notes: Record<string, string>) {
  const disk = memoryFiles()
  disk.put('/state/keep', encode(''))
  for (const [path, text] of Object.entries(notes)) disk.put(`/vault/${path}`, encode(text))
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
      message: 'Dan.md cannot come back while there is DAN.md: that is one name in two spellings. Nothing was changed.',
      details: { hint: 'Rename DAN.md first, then undo again.' },
    })
    await vault.apply(set([move('DAN.md', 'Daniel.md', 'another note\n')]))
    await vault.apply(await vault.planUndo({ id: done.id }))
    expect(notes()).toMatchObject({ 'Dan.md': 'one\n', 'Daniel.md': 'another note\n' })
  })

  it('is refused where both would come back, and each can be taken back alone', async () => {
    const { vault, notes } = await vaultOf({ 'Dan.md': 'one\n', 'DAN.md': 'another note\n' })
    const done = set([trash('Dan.md', 'one\n'), trash('DAN.md', 'another note\n')])
    await vault.apply(done)
    await expect(vault.planUndo({ id: done.id })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Dan.md and DAN.md would both come back: that is one name in two spellings. Nothing was changed.',
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
    await expect(vault.planUndo({ id: done.id })).rejects.toThrow('Dan.md cannot come back while there is DAN.md')
  })
})
