import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeFiles } from '../files/node-files.js'
import { pluginWriteLease } from './write-lease.js'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'notewright-turns-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const pluginIn = (folder: string) => mkdir(join(root, folder, 'plugins/notewright'), { recursive: true })
const turnIn = (folder: string) => readdir(join(root, folder, 'plugins/notewright')).catch(() => 'no plugin')

describe('the command line takes its turn', () => {
  it.each([
    ['where Obsidian keeps its settings', ['.obsidian']],
    ['where that is a folder of another name', ['.garden']],
    ['in each of several, as people have them for several devices', ['.obsidian', '.desk', '.laptop']],
  ])('%s', async (_where, folders) => {
    await mkdir(join(root, '.git'), { recursive: true })
    for (const folder of folders) await pluginIn(folder)
    const inTurn = pluginWriteLease(nodeFiles, root)
    for (let times = 0; times < 2; times++) {
      const seen = await inTurn(() => Promise.all(folders.map(turnIn)))
      expect(seen).toEqual(folders.map(() => ['turn']))
    }
    expect(await Promise.all(folders.map(turnIn))).toEqual(folders.map(() => []))
  })

  it('once where two names are the same folder, and nowhere outside of the vault', async () => {
    await pluginIn('.obsidian')
    await symlink(join(root, '.obsidian'), join(root, '.garden'))
    const elsewhere = await mkdtemp(join(tmpdir(), 'notewright-elsewhere-'))
    await mkdir(join(elsewhere, 'plugins/notewright'), { recursive: true })
    await symlink(elsewhere, join(root, '.away'))
    const seen = await pluginWriteLease(nodeFiles, root)(() => Promise.all(['.obsidian', '.away'].map(turnIn)))
    expect(seen).toEqual([['turn'], []])
    await rm(elsewhere, { recursive: true })
  })

  it('not at all where there is no plugin', async () => {
    await mkdir(join(root, '.obsidian'))
    expect(await pluginWriteLease(nodeFiles, root)(() => readdir(join(root, '.obsidian')))).toEqual([])
  })
})
