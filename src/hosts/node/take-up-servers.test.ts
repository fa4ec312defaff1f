import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { configSchema } from '../../core/config/index.js'
import { secretStore } from './keys/index.js'
import { keptHeaders } from './mcp/index.js'
import { openFolderVault, takeUpServers } from './open-vault.js'
import { stateFolders } from './state/index.js'

let home: string
afterEach(() => rm(home, { recursive: true, force: true }))

it('what a new server is sent is kept out of the log from the moment its setting is taken up', async () => {
  home = await mkdtemp(join(tmpdir(), 'notewright-secrets-'))
  const root = join(home, 'vault')
  await mkdir(root)
  await writeFile(join(root, 'Home.md'), 'Tomatoes like sun.\n')
  const environment = { NOTEWRIGHT_HOME: home }
  const surroundings = { environment, platform: process.platform, home, currentFolder: home }
  const folders = stateFolders(surroundings)
  const vault = await openFolderVault({ root, settings: configSchema.parse({}), folders, surroundings })
  await vault.notebook.update()

  const url = 'https://example.org/mcp'
  await keptHeaders(secretStore({ environment, state: folders.state, vault: root })).keep('wiki', url, {
    'X-Room': 'violet canary room',
  })
  vault.settings = configSchema.parse({ mcpServers: { wiki: { type: 'http', url } } })
  await takeUpServers(vault, { folders, surroundings })
  const session = await vault.openSession({ model: 'offline' })
  for await (const _ of session.ask('what is in the violet canary room with tomatoes?'));
  await vault.close()

  const texts = await Promise.all((await logFiles(home)).map((file) => readFile(file, 'utf8')))
  expect(texts.join('')).toContain('search_notes')
  expect(texts.join('')).not.toContain('violet canary room')
})

async function logFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((each) => each.isFile() && /\.jsonl$/.test(each.name))
    .map((each) => join(each.parentPath, each.name))
}
