import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StampedItem } from './file-access.js'
import { nodeFiles } from './node-files.js'

describe.skipIf(process.platform !== 'linux')('the stamps of a folder', () => {
  it('are found also where a whole path would be longer than the system takes', async () => {
    const root = mkdtempSync(join(tmpdir(), 'notewright-deep-'))
    const steps = Array.from({ length: 19 }, () => 'd'.repeat(200))
    const deep = join(root, ...steps, 'd'.repeat(4000 - join(root, ...steps).length))
    mkdirSync(deep, { recursive: true })
    const handle = openSync(deep, 'r')
    const file = `/proc/self/fd/${handle}/${'n'.repeat(200)}.md`
    writeFileSync(file, 'found')
    try {
      const folder = await nodeFiles.openFolder(deep)
      if (folder === undefined) throw new Error('There should be a folder.')
      const stamps: StampedItem[] = []
      await nodeFiles.statFolder(folder, (item) => stamps.push(item))
      await nodeFiles.closeFolder(folder)
      expect(stamps.map(({ kind, size }) => [kind, size])).toEqual([['file', 5]])
    } finally {
      unlinkSync(file)
      closeSync(handle)
      rmSync(root, { recursive: true })
    }
  })

  it('are never those of a folder that was put in its place', async () => {
    const root = mkdtempSync(join(tmpdir(), 'notewright-swapped-'))
    for (const name of ['inside', 'outside']) mkdirSync(join(root, name))
    writeFileSync(join(root, 'inside', 'a.md'), 'inside')
    writeFileSync(join(root, 'outside', 'a.md'), 'a secret')
    try {
      const folder = await nodeFiles.openFolder(join(root, 'inside'))
      if (folder === undefined) throw new Error('There should be a folder.')
      renameSync(join(root, 'inside'), join(root, 'away'))
      symlinkSync(join(root, 'outside'), join(root, 'inside'))
      const seen: number[] = []
      await nodeFiles.statFolder(folder, ({ size }) => seen.push(size))
      await nodeFiles.closeFolder(folder)
      expect(seen).toEqual(['inside'.length])
    } finally {
      rmSync(root, { recursive: true })
    }
  })
})
