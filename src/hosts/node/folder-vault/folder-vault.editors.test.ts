import { describe, expect, it } from 'vitest'
import {
  append,
  create,
  decode,
  edit,
  encode,
  move,
  set,
  texts,
  trash,
} from '../../../../test/contracts/vault/index.js'
import { faultyFiles } from '../../../../test/doubles/faulty-files.js'
import { type MemoryFiles, memoryFiles } from '../../../../test/doubles/memory-files.js'
import { Failure } from '../../../core/errors.js'
import type { ChangeSet } from '../../../core/vault/index.js'
import type { FileAccess } from '../files/file-access.js'
import { folderVault } from './folder-vault.js'

/** Another program that saves `a.md` right before the k-th file call of a change. */
async function withEditor(changes: ChangeSet, at: number, save: (disk: MemoryFiles) => void) {
  const disk = memoryFiles()
  disk.put('/state/keep', encode(''))
  disk.put('/vault/a.md', encode('one\n'))
  disk.put('/vault/b.md', encode('two\n'))
  const vault = await folderVault({ root: '/vault', stateDir: '/state/v', files: watched(disk, () => save(disk)) })
  counter = { left: at, saved: false, call: '' }
  const outcome = await vault.apply(changes).then(
    () => 'ok',
    (error: unknown) => (error instanceof Failure ? error.code : Promise.reject(error)),
  )
  const { saved, call } = counter
  counter = undefined
  return { disk, vault, outcome, saved, call }
}

let counter: { left: number; saved: boolean; call: string } | undefined

function watched(disk: MemoryFiles, save: () => void): FileAccess {
  const plain = faultyFiles(disk)
  const names = Object.keys(plain).filter((name) => typeof plain[name as keyof FileAccess] === 'function')
  const calls = names.map((name) => [
    name,
    (...given: never[]) => {
      if (counter !== undefined && --counter.left === 0) {
        counter.saved = true
        counter.call = name
        save()
      }
      return (plain[name as keyof FileAccess] as (...values: never[]) => unknown)(...given)
    },
  ])
  return Object.fromEntries(calls) as FileAccess
}

const changes: Record<string, () => ChangeSet> = {
  edit: () => set([edit('b.md', 'two\n', 'TWO\n'), edit('a.md', 'one\n', 'ONE\n')]),
  append: () => set([append('a.md', 'more\n')]),
  trash: () => set([trash('a.md', 'one\n')]),
  move: () => set([move('a.md', 'c.md', 'one\n'), edit('b.md', 'two\n', 'TWO\n')]),
  'move and edit': () => set([move('a.md', 'c.md', 'one\n'), edit('c.md', 'one\n', 'ONE\n')]),
}

describe('an editor that saves in the middle of a change', () => {
  for (const [name, make] of Object.entries(changes)) {
    it(`into the same file never loses its text to ${name}`, async () => {
      for (let at = 1; ; at++) {
        const save = (disk: MemoryFiles) => disk.overwrite('/vault/a.md', encode('by a person\n'))
        const { disk, vault, outcome, saved, call } = await withEditor(make(), at, save)
        if (!saved) break
        const label = `${outcome} at call ${at} (${call})`
        const everything = [...disk.tree('/vault').values(), ...(await kept(disk))].map(decode)
        expect(
          everything.some((text) => text.includes('by a person')),
          label,
        ).toBe(true)
        expect(['ok', 'conflict', 'not-found'], label).toContain(outcome)
        if (outcome !== 'ok') expect(texts(disk.tree('/vault'))['b.md'], label).toBe('two\n')
        expect(
          (await vault.history()).map(({ state }) => state),
          label,
        ).not.toContain('unfinished')
      }
    })
  }

  it('keeps its text in its place when the power is cut after the change was refused', async () => {
    const save = (disk: MemoryFiles) => disk.overwrite('/vault/a.md', encode('by a person\n'))
    let refused = 0
    for (let at = 1, isOver = false; !isOver; at++) {
      // Each number is another choice of unsynced data that reached the disk.
      for (let chosen = 0; chosen < 16 && !isOver; chosen++) {
        const { disk, outcome, saved, call } = await withEditor(changes.append(), at, save)
        isOver = !saved
        if (outcome !== 'conflict') break
        refused++
        let asked = 0
        disk.losePower(() => ((chosen >> asked++) & 1) === 1)
        const label = `at call ${at} (${call}), of what was not synced ${chosen}`
        expect(texts(disk.tree('/vault'))['a.md'], label).toBe('by a person\n')
      }
    }
    expect(refused).toBeGreaterThan(0)
  })

  it('as a new file is never written over by a create', async () => {
    for (let at = 1; ; at++) {
      const save = (disk: MemoryFiles) => disk.put('/vault/n.md', encode('by a person\n'))
      const { disk, outcome, saved, call } = await withEditor(set([create('n.md', 'mine\n')]), at, save)
      if (!saved) break
      expect(texts(disk.tree('/vault'))['n.md'], `${outcome} at call ${at} (${call})`).toBe('by a person\n')
    }
  })
})

/** Before-images count: bytes in the journal can be restored. */
async function kept(disk: MemoryFiles): Promise<Uint8Array[]> {
  return [...disk.tree('/state').values()]
}
