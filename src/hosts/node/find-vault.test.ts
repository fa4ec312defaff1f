import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findVault } from './find-vault.js'
import type { HostEnvironment } from './state-folders.js'

let root: string
let at: (currentFolder: string) => HostEnvironment
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'notewright-find-')))
  for (const folder of ['home/garden/.obsidian', 'home/garden/deep/er', 'home/plain', 'home/other']) {
    await mkdir(join(root, folder), { recursive: true })
  }
  at = (currentFolder) => ({
    environment: {},
    platform: 'linux',
    home: join(root, 'home'),
    currentFolder: join(root, currentFolder),
  })
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function register(vaults: Record<string, unknown>) {
  await mkdir(join(root, 'home/.config/obsidian'), { recursive: true })
  await writeFile(join(root, 'home/.config/obsidian/obsidian.json'), JSON.stringify({ vaults }))
}

describe('a vault that was named', () => {
  it('is used, relative to the current folder or to home', async () => {
    const garden = { root: join(root, 'home/garden') }
    expect(await findVault({ path: '../garden', source: 'flag' }, at('home/plain'))).toMatchObject(garden)
    expect(await findVault({ path: '~/garden', source: 'file' }, at('home/plain'))).toMatchObject(garden)
  })

  it('answers with its real path, so that a link to it shares its index', async () => {
    await symlink(join(root, 'home/garden'), join(root, 'home/shortcut'))
    const found = await findVault({ path: '~/shortcut', source: 'flag' }, at('home'))
    expect(found.root).toBe(join(root, 'home/garden'))
  })

  it('is never replaced by a guess when it does not exist', async () => {
    await expect(findVault({ path: 'gone', source: 'flag' }, at('home/garden'))).rejects.toMatchObject({
      code: 'not-found',
      message: `Vault folder not found: ${join(root, 'home/garden/gone')}`,
    })
    await writeFile(join(root, 'home/file'), '')
    await expect(findVault({ path: '~/file', source: 'flag' }, at('home'))).rejects.toThrow('Vault is not a folder')
  })

  it('may be the whole home folder only by the flag', async () => {
    expect((await findVault({ path: '~', source: 'flag' }, at('home'))).root).toBe(join(root, 'home'))
    const wish = { path: '~', source: 'environment', variable: 'NOTEWRIGHT_VAULT' } as const
    await expect(findVault(wish, at('home'))).rejects.toThrow(/too large .*NOTEWRIGHT_VAULT/)
    await expect(findVault({ path: '/', source: 'file' }, at('home'))).rejects.toThrow('too large')
  })

  it('reports the other vault when the current folder is in one', async () => {
    const found = await findVault({ path: '~/other', source: 'file' }, at('home/garden/deep'))
    expect(found).toMatchObject({ root: join(root, 'home/other'), passedOver: join(root, 'home/garden') })
    const same = await findVault({ path: '~/garden', source: 'file' }, at('home/garden/deep'))
    expect(same.passedOver).toBeUndefined()
  })
})

describe('a vault that was not named', () => {
  it('is the one around the current folder', async () => {
    expect(await findVault(undefined, at('home/garden/deep/er'))).toEqual({
      root: join(root, 'home/garden'),
      from: 'this folder',
    })
    await writeFile(join(root, 'home/plain/.notewrightignore'), '')
    expect((await findVault(undefined, at('home/plain'))).root).toBe(join(root, 'home/plain'))
  })

  it('is not the home folder, though Obsidian marked it', async () => {
    await mkdir(join(root, 'home/.obsidian'))
    await expect(findVault(undefined, at('home/plain'))).rejects.toThrow('No vault found')
  })

  it('is the one open in Obsidian, then the one opened last that is still there', async () => {
    await register({
      a: { path: join(root, 'home/plain'), ts: 1 },
      b: { path: join(root, 'home/gone'), ts: 3 },
      c: { path: join(root, 'home/other'), ts: 2 },
      d: 'nonsense',
    })
    expect(await findVault(undefined, at('home'))).toEqual({ root: join(root, 'home/other'), from: 'Obsidian' })
    await register({
      a: { path: join(root, 'home/plain'), ts: 1, open: true },
      c: { path: join(root, 'home/other'), ts: 2 },
    })
    expect((await findVault(undefined, at('home'))).root).toBe(join(root, 'home/plain'))
  })

  it.each(['', 'not json', 'null', '[]', '{"vaults": 7}', '{"vaults": {"a": null}}'])(
    'survives a registry that reads %s',
    async (text) => {
      await register({})
      await writeFile(join(root, 'home/.config/obsidian/obsidian.json'), text)
      await expect(findVault(undefined, at('home/plain'))).rejects.toThrow('No vault found')
    },
  )

  it('reports where it looked and what to type if there is none', async () => {
    const failure = await findVault(undefined, at('home/plain')).catch((error) => error)
    expect(failure.code).toBe('not-found')
    for (const place of ['--vault', 'OBSIDIAN_VAULT_PATH', join(root, 'home/plain'), 'Obsidian']) {
      expect(failure.message).toContain(place)
    }
    expect(failure.details.hint).toContain('notewright config set vault FOLDER')
  })
})

describe('a folder that holds notes though nothing marks it as a vault', () => {
  beforeEach(async () => {
    await mkdir(join(root, 'home/plain/deep'), { recursive: true })
    await writeFile(join(root, 'home/plain/deep/Note.md'), 'text')
  })
  const plain = () => join(root, 'home/plain')

  it('is asked about once, and stays a vault for all that is below it', async () => {
    const asked: string[] = []
    const ask = async (folder: string) => asked.push(folder) > 0
    for (const from of ['home/plain', 'home/plain', 'home/plain/deep']) {
      expect(await findVault(undefined, at(from), ask)).toEqual({ root: plain(), from: 'this folder' })
    }
    expect(await findVault(undefined, at('home/plain/deep'))).toMatchObject({ root: plain() })
    expect(asked).toEqual([plain()])
  })

  it('is not asked about again after a no, and not taken', async () => {
    let times = 0
    const no = async () => ++times < 0
    await expect(findVault(undefined, at('home/plain'), no)).rejects.toMatchObject({ code: 'not-found' })
    await expect(findVault(undefined, at('home/plain'), no)).rejects.toMatchObject({ code: 'not-found' })
    expect(times).toBe(1)
    await register({ a: { path: join(root, 'home/garden'), ts: 1 } })
    expect(await findVault(undefined, at('home/plain'))).toEqual({ root: join(root, 'home/garden'), from: 'Obsidian' })
  })

  it('is asked about again when there was no answer, or the answer is lost', async () => {
    await expect(findVault(undefined, at('home/plain'), async () => undefined)).rejects.toBeDefined()
    expect(await findVault(undefined, at('home/plain'), async () => true)).toMatchObject({ root: plain() })
    await writeFile(join(root, 'home/.local/state/notewright/folders.json'), '{"half')
    await expect(findVault(undefined, at('home/plain'), async () => false)).rejects.toBeDefined()
  })

  it('is reported with the command to type where the user cannot be asked', async () => {
    await expect(findVault(undefined, at('home/plain'))).rejects.toMatchObject({
      message: `${plain()} contains Markdown notes but isn't set up as a vault.`,
      details: { hint: expect.stringContaining('--vault .') },
    })
    await register({ a: { path: join(root, 'home/garden'), ts: 1 } })
    expect(await findVault(undefined, at('home/plain'))).toMatchObject({ from: 'Obsidian', passedOver: plain() })
  })

  it('is never a whole home folder, nor one whose notes belong to programs', async () => {
    await writeFile(join(root, 'home/Note.md'), 'text')
    await mkdir(join(root, 'home/other/node_modules/a'), { recursive: true })
    await writeFile(join(root, 'home/other/node_modules/a/README.md'), 'text')
    for (const from of ['home', 'home/other']) {
      await expect(findVault(undefined, at(from), async () => true)).rejects.toMatchObject({ code: 'not-found' })
    }
  })
})
