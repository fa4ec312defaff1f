import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { configSchema } from '../../core/config/index.js'
import { readLog } from './call-log.js'
import { secretStore } from './keys.js'
import { storedHeaders } from './mcp-servers.js'
import { applyServerSettings, type FolderVaultSetup, openFolderVault } from './open-vault.js'
import { stateFolders, vaultFolders } from './state-folders.js'

const { opened, stillOpen } = vi.hoisted(() => ({ opened: [] as string[], stillOpen: new Set<string>() }))

vi.mock('./sqlite-store/sqlite-store.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('./sqlite-store/sqlite-store.js')>()
  return {
    ...original,
    async sqliteStore(options: Parameters<typeof original.sqliteStore>[0]) {
      const store = await original.sqliteStore(options)
      opened.push(options.file)
      stillOpen.add(options.file)
      const close = store.close.bind(store)
      store.close = async () => {
        stillOpen.delete(options.file)
        await close()
      }
      return store
    },
  }
})

let home: string
let setup: FolderVaultSetup

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'notewright-open-vault-'))
  const root = join(home, 'vault')
  await mkdir(root)
  await writeFile(join(root, 'Home.md'), 'Tomatoes like sun.\n')
  const surroundings = { environment: { NOTEWRIGHT_HOME: home }, platform: process.platform, home, currentFolder: home }
  const folders = stateFolders(surroundings)
  setup = { root, settings: configSchema.parse({}), folders, surroundings }
  opened.length = 0
  stillOpen.clear()
})

afterEach(() => rm(home, { recursive: true, force: true }))

describe('a vault that cannot be opened', () => {
  it('differs from one that can, which keeps its index open until it is closed', async () => {
    const vault = await openFolderVault(setup)
    expect(stillOpen.size).toBe(1)
    await vault.close()
    expect(stillOpen.size).toBe(0)
  })

  it('leaves no index open where its journal would lie among the notes', async () => {
    const folders = { ...setup.folders, state: join(setup.root, 'state') }
    await expect(openFolderVault({ ...setup, folders })).rejects.toThrow(/inside/)
    expect(opened).toHaveLength(1)
    expect(stillOpen.size).toBe(0)
  })

  it('leaves no index open where its servers cannot be looked up', async () => {
    const { state } = setup.folders
    await mkdir(join(state, 'state.db'), { recursive: true })
    await mkdir(join(setup.root, '.notewright'))
    await writeFile(join(setup.root, '.notewright', 'mcp.json'), '{"mcpServers": {"wiki": {"command": "wiki"}}}')
    const settings = configSchema.parse({
      mcpServers: { wiki: { command: 'wiki' } },
      tools: { enabled: ['mcp:wiki'] },
    })
    await expect(openFolderVault({ ...setup, settings, startsServers: true })).rejects.toThrow(/EISDIR/)
    expect(opened).toHaveLength(1)
    expect(stillOpen.size).toBe(0)
  })

  it('leaves no index open where its trouble cannot be shown', async () => {
    const folders = { ...setup.folders, state: join(home, 'not-a-folder') }
    await writeFile(folders.state, '')
    const onTrouble = () => {
      throw new Error('The terminal is gone.')
    }
    await expect(openFolderVault({ ...setup, folders, onTrouble })).rejects.toThrow('The terminal is gone.')
    expect(opened).toHaveLength(1)
    expect(stillOpen.size).toBe(0)
  })
})

it('a vault closes its index even where a server cannot be ended', async () => {
  const vault = await openFolderVault(setup)
  vault.servers = { close: () => Promise.reject(new Error('It does not end.')) } as unknown as typeof vault.servers
  await expect(vault.close()).rejects.toThrow('It does not end.')
  expect(stillOpen.size).toBe(0)
})

it('secrets of a new server are masked in the log from the moment its setting is applied', async ({
  onTestFinished,
}) => {
  const home = await mkdtemp(join(tmpdir(), 'notewright-secrets-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const root = join(home, 'vault')
  await mkdir(root)
  await writeFile(join(root, 'Home.md'), 'Tomatoes like sun.\n')
  const environment = { NOTEWRIGHT_HOME: home }
  const surroundings = { environment, platform: process.platform, home, currentFolder: home }
  const folders = stateFolders(surroundings)
  const vault = await openFolderVault({ root, settings: configSchema.parse({}), folders, surroundings })
  await vault.notebook.update()

  const url = 'https://example.org/mcp'
  await storedHeaders(secretStore({ environment, state: folders.state, vault: root })).keep('wiki', url, {
    'X-Room': 'violet canary room',
  })
  vault.settings = configSchema.parse({ mcpServers: { wiki: { type: 'http', url } } })
  await applyServerSettings(vault, { folders, surroundings })
  const session = await vault.openSession({ model: 'offline' })
  for await (const _ of session.ask('what is in the violet canary room with tomatoes?'));
  await vault.close()

  const { journal: stateDir } = vaultFolders(folders, root)
  const calls: string[] = []
  for await (const call of readLog({ folder: stateDir })) calls.push(call.tool_name)
  expect(calls).toContain('search_notes')
  for (const name of await readdir(stateDir)) {
    if (!name.startsWith('state.db')) continue
    expect(await textIfThere(join(stateDir, name))).not.toContain('violet canary room')
  }
})

/** SQLite removes its shared memory and its write-ahead log when the last connection closes. */
async function textIfThere(file: string): Promise<string> {
  return readFile(file, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
}
