import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { set, texts, trash } from '../../../../test/contracts/vault/index.js'
import { memoryFiles } from '../../../../test/doubles/memory-files.js'
import { nodeFiles } from '../files/node-files.js'
import { folderVault } from './folder-vault.js'

const places: string[] = []

afterEach(() => {
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true })
})

describe('deleting into the trash of the system', () => {
  it('leaves a copy that the desktop can put back, and nothing in the vault', async () => {
    const { root, data, vault } = await prepared({ 'My notes/50% über.md': 'text\n' })
    const at = Date.now()
    await vault.apply(set([trash('My notes/50% über.md', 'text\n')]))
    expect(existsSync(join(root, 'My notes/50% über.md'))).toBe(false)
    expect(existsSync(join(root, '.trash'))).toBe(false)
    expect(readFileSync(join(data, 'Trash/files/50% über.md'), 'utf8')).toBe('text\n')
    const [, path, date] = readFileSync(join(data, 'Trash/info/50% über.md.trashinfo'), 'utf8').split('\n')
    expect(path).toBe(`Path=${root.split('/').map(encodeURIComponent).join('/')}/My%20notes/50%25%20%C3%BCber.md`)
    expect(date).toMatch(/^DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    expect(Math.abs(new Date(date.slice('DeletionDate='.length)).getTime() - at)).toBeLessThan(60_000)
    expect(statSync(join(data, 'Trash')).mode & 0o777).toBe(0o700)
  })

  it('is undone from the journal, also when the trash was emptied, and leaves the trash alone', async () => {
    for (const empties of [true, false]) {
      const { root, data, vault } = await prepared({ 'a.md': 'one' })
      const done = set([trash('a.md', 'one')])
      await vault.apply(done)
      if (empties) rmSync(join(data, 'Trash'), { recursive: true })
      await vault.apply(await vault.planUndo({ id: done.id }))
      expect(readFileSync(join(root, 'a.md'), 'utf8')).toBe('one')
      expect(existsSync(join(data, 'Trash/files/a.md'))).toBe(!empties)
    }
  })

  it('never takes a name that is in use there, not even by a description without a file', async () => {
    const { data, vault } = await prepared({ 'a/n.md': '1', 'b/n.md': '2' })
    mkdirSync(join(data, 'Trash/files'), { recursive: true })
    mkdirSync(join(data, 'Trash/info'))
    writeFileSync(join(data, 'Trash/files/n.md'), 'theirs')
    writeFileSync(join(data, 'Trash/info/n 2.md.trashinfo'), 'theirs')
    await vault.apply(set([trash('a/n.md', '1'), trash('b/n.md', '2')]))
    const copies = readdirSync(join(data, 'Trash/files')).sort()
    expect(copies.map((name) => [name, readFileSync(join(data, 'Trash/files', name), 'utf8')])).toEqual([
      ['n 3.md', '1'],
      ['n 4.md', '2'],
      ['n.md', 'theirs'],
    ])
    expect(readFileSync(join(data, 'Trash/info/n 2.md.trashinfo'), 'utf8')).toBe('theirs')
  })

  it('uses `.trash` in the vault where there is no system trash, it is on another disk, or it cannot be written', async () => {
    const notes = { '.obsidian/app.json': '{}', 'a.md': 'one' }
    const result = { '.obsidian/app.json': '{}', '.trash/a.md': 'one' }
    for (const reason of ['none', 'another disk', 'a file in its place']) {
      const disk = memoryFiles()
      for (const [path, text] of Object.entries(notes)) disk.put(`/vault/${path}`, Buffer.from(text))
      disk.put('/state/keep', Buffer.from(''))
      if (reason === 'a file in its place') disk.put('/data/Trash', Buffer.from('?'))
      const statOpen: typeof disk.statOpen = async (file) => ({ ...(await disk.statOpen(file)), identity: '2:1' })
      const files = reason === 'another disk' ? { ...disk, statOpen } : disk
      const systemTrash = reason === 'none' ? undefined : '/data/Trash'
      const vault = await folderVault({ root: '/vault', stateDir: '/state/v', files, systemTrash })
      await vault.apply(set([trash('a.md', 'one')]))
      expect(texts(disk.tree('/vault')), reason).toEqual(result)
      expect(texts(disk.tree('/data/Trash')), reason).toEqual({})
    }
  })

  it('uses `.trash` where the settings are a link, a folder, too large, outside the vault, or not there', async () => {
    const secret = '{"trashOption":"none"}'
    const settings: Record<string, (root: string, base: string) => void> = {
      'a link': (root, base) => {
        mkdirSync(join(root, '.obsidian'))
        writeFileSync(join(base, 'app.json'), secret)
        symlinkSync(join(base, 'app.json'), join(root, '.obsidian/app.json'))
      },
      'a folder': (root) => mkdirSync(join(root, '.obsidian/app.json'), { recursive: true }),
      'too large': (root) => {
        mkdirSync(join(root, '.obsidian'))
        writeFileSync(join(root, '.obsidian/app.json'), secret + ' '.repeat(2 << 20))
      },
      'led out': (root, base) => {
        mkdirSync(join(base, 'elsewhere'))
        writeFileSync(join(base, 'elsewhere/app.json'), secret)
        symlinkSync(join(base, 'elsewhere'), join(root, '.obsidian'))
      },
      'no vault of Obsidian': () => {},
    }
    for (const [name, make] of Object.entries(settings)) {
      const { root, base, data, vault } = await prepared({ 'a.md': 'one' }, null)
      make(root, base)
      await vault.apply(set([trash('a.md', 'one')]))
      expect(readFileSync(join(root, '.trash/a.md'), 'utf8'), name).toBe('one')
      expect(existsSync(join(data, 'Trash')), name).toBe(false)
    }
  })
})

async function prepared(notes: Record<string, string>, settings: string | null = '{"trashOption":"system"}') {
  const base = nodeFiles.realPath(mkdtempSync(join(tmpdir(), 'notewright-trash-'))) as string
  places.push(base)
  const [root, data] = [join(base, 'vault'), join(base, 'data')]
  const all = settings === null ? notes : { ...notes, '.obsidian/app.json': settings }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const vault = await folderVault({ root, stateDir: join(base, 'state'), systemTrash: join(data, 'Trash') })
  return { base, root, data, vault }
}
