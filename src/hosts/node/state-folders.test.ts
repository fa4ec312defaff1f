import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type HostEnvironment, privateFolder, stateFolders, vaultFolders, vaultId } from './state-folders.js'

const surroundings = (environment: Record<string, string>, platform: NodeJS.Platform = 'linux'): HostEnvironment => ({
  environment,
  platform,
  home: '/home/ada',
  currentFolder: '/home/ada/desk',
})

describe('the state folders', () => {
  it('puts everything below NOTEWRIGHT_HOME when it is set', () => {
    expect(stateFolders(surroundings({ NOTEWRIGHT_HOME: '/srv/nw', XDG_CACHE_HOME: '/elsewhere' }))).toEqual({
      configFile: '/srv/nw/config.json',
      state: '/srv/nw/state',
      cache: '/srv/nw/cache',
      systemTrash: '/home/ada/.local/share/Trash',
    })
    expect(stateFolders(surroundings({ NOTEWRIGHT_HOME: 'nw' })).state).toBe('/home/ada/desk/nw/state')
  })

  it('follows the XDG folders, and their defaults when they are missing or not absolute', () => {
    const given = { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: 'relative' }
    expect(stateFolders(surroundings(given))).toEqual({
      configFile: '/c/notewright/config.json',
      state: '/s/notewright',
      cache: '/home/ada/.cache/notewright',
      systemTrash: '/home/ada/.local/share/Trash',
    })
    expect(stateFolders(surroundings({}))).toEqual({
      configFile: '/home/ada/.config/notewright/config.json',
      state: '/home/ada/.local/state/notewright',
      cache: '/home/ada/.cache/notewright',
      systemTrash: '/home/ada/.local/share/Trash',
    })
  })

  it('knows the trash of desktops that keep to the standard, and of no others', () => {
    expect(stateFolders(surroundings({ XDG_DATA_HOME: '/d', NOTEWRIGHT_HOME: '/nw' })).systemTrash).toBe('/d/Trash')
    expect(stateFolders(surroundings({ XDG_DATA_HOME: 'd' })).systemTrash).toBe('/home/ada/.local/share/Trash')
    for (const platform of ['darwin', 'win32'] as const) {
      expect(stateFolders(surroundings({ XDG_DATA_HOME: '/d' }, platform)).systemTrash).toBeUndefined()
    }
  })

  it('follows the customs of macOS and Windows', () => {
    expect(stateFolders(surroundings({}, 'darwin')).cache).toBe('/home/ada/Library/Caches/notewright')
    const windows = stateFolders(surroundings({ LOCALAPPDATA: '/local', APPDATA: '/roaming' }, 'win32'))
    expect(windows.configFile).toBe('/roaming/notewright/config.json')
    expect(new Set([windows.configFile, windows.state, windows.cache]).size).toBe(3)
  })
})

describe('the folders of a vault', () => {
  it('have a recognizable name and differ for vaults of the same name', () => {
    expect(vaultId('/home/ada/My Garden')).toMatch(/^my-garden-[0-9a-f]{16}$/)
    expect(vaultId('/home/ada/笔记')).toMatch(/^vault-[0-9a-f]{16}$/)
    expect(vaultId('/a/notes')).not.toBe(vaultId('/b/notes'))
    expect(vaultId('/a/notes')).toBe(vaultId('/a/notes'))
  })

  it('keep the index in the cache and the journal in the state', () => {
    const folders = stateFolders(surroundings({ NOTEWRIGHT_HOME: '/nw' }))
    const { id, index, journal } = vaultFolders(folders, '/notes')
    expect([index, journal]).toEqual([`/nw/cache/vaults/${id}`, `/nw/state/vaults/${id}`])
  })
})

it('makes private folders, and makes an existing one private', async () => {
  const root = await mkdtemp(join(tmpdir(), 'notewright-state-'))
  try {
    const mode = async (path: string) => (await stat(path)).mode & 0o777
    expect(await mode(await privateFolder(join(root, 'a', 'b')))).toBe(0o700)
    expect(await mode(join(root, 'a'))).toBe(0o700)
    await mkdir(join(root, 'open'))
    await chmod(join(root, 'open'), 0o755)
    expect(await mode(await privateFolder(join(root, 'open')))).toBe(0o700)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})

it.each(['file', 'link', 'proc'])(
  'reports that no folder can be made, instead of trying forever (%s)',
  async (kind) => {
    const root = await mkdtemp(join(tmpdir(), 'notewright-state-'))
    try {
      await writeFile(join(root, 'file'), 'in the way')
      await symlink(join(root, 'gone', 'further'), join(root, 'link'))
      const place = kind === 'proc' ? '/proc/no-such-process' : join(root, kind)
      for (const path of [place, join(place, 'below', 'it')]) {
        await expect(privateFolder(path)).rejects.toMatchObject({
          code: 'invalid-input',
          message: expect.stringContaining("Can't create the folder"),
        })
      }
      expect(await readFile(join(root, 'file'), 'utf8')).toBe('in the way')
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  },
)
