import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ServerEnv } from '../../src/apps/server/index.js'
import type { WebSetup } from '../../src/apps/web/index.js'
import { webMounts } from '../../src/apps/web/index.js'
import { accessKeys } from '../../src/hosts/node/access-keys.js'
import type { FolderVault } from '../../src/hosts/node/open-vault.js'
import { applyServerSettings, openVault } from '../../src/hosts/node/open-vault.js'
import { approveProgram, programRows } from '../../src/hosts/node/settings/programs.js'
import { stateFolders } from '../../src/hosts/node/state-folders.js'
import { browserLogins, openPageState } from '../../src/hosts/node/web-page.js'
import type { Stage } from '../e2e/cli-harness.js'
import { stage } from '../e2e/cli-harness.js'

let place: Stage
let markers: string

beforeEach(async () => {
  place = await stage()
  markers = join(place.home, 'markers')
  await mkdir(markers, { recursive: true })
  await nameMarkedPrograms()
})
afterEach(() => place.remove())

/** A program that writes a marker when it is started. */
const touching = (name: string) => `require('fs').writeFileSync(${JSON.stringify(join(markers, name))}, '')`
const server = (name: string) => ({ command: process.execPath, args: ['-e', touching(name)] })

/** Settings, a vault, a folder of modules and a path to Codex that all name programs nobody has approved. */
async function nameMarkedPrograms(): Promise<void> {
  const { configFile } = stateFolders(surroundings())
  const codex = join(place.home, 'codex.cjs')
  await mkdir(join(dirname(configFile), 'tools'), { recursive: true })
  await writeFile(
    configFile,
    JSON.stringify({
      vault: place.vault,
      mcpServers: { marked: server('settings') },
      tools: { enabled: ['read_note', 'marked/x', 'brought/x', 'custom/own'] },
      codex: { path: codex },
    }),
  )
  await writeFile(codex, `#!${process.execPath}\n${touching('codex')}`)
  await chmod(codex, 0o700)
  await writeFile(
    join(dirname(configFile), 'tools', 'own.mjs'),
    `import fs from 'node:fs'\nfs.writeFileSync(${JSON.stringify(join(markers, 'module'))}, '')`,
  )
  await place.write('.mcp.json', JSON.stringify({ mcpServers: { brought: server('vault') } }))
}

const surroundings = () => ({
  environment: place.environment,
  platform: process.platform,
  home: place.home,
  currentFolder: place.vault,
})

const started = () => readdir(markers)

describe('a program without approval is not started', () => {
  const commands: [number | undefined, ...string[]][] = [
    [4, 'mcp-servers', 'test', 'marked'],
    [4, 'mcp-servers', 'tools', 'marked'],
    [4, 'mcp-servers', 'test', 'brought'],
    [4, 'tool', 'call', 'marked/x'],
    [4, 'tool', 'call', 'marked__x'],
    [4, 'ask', 'hello', '-m', 'codex'],
    [0, 'ask', 'hello', '-m', 'offline'],
    [4, 'programs', 'approve', 'codex'],
    [0, 'tool', 'list'],
    [0, 'programs', 'list'],
    [undefined, 'doctor'],
    [0, 'mcp'],
  ]
  it.each(commands)('by the terminal (exit code %s): %s %s %s %s', async (code, ...words) => {
    const ran = await place.run([...words, '--vault', place.vault])
    if (code !== undefined) expect(ran.code, ran.stderr).toBe(code)
    if (code === 4) expect(ran.stderr).toMatch(/notewright (?:programs approve|mcp-servers trust) |--yes/)
    expect(await started()).toEqual([])
  })

  it('by the library', async () => {
    const vault = await openVault(place.vault, { environment: place.environment })
    await vault.servers?.ready(500)
    const session = await vault.openSession({ keep: false, canAsk: false, model: 'codex' })
    await expect(session.model()).rejects.toMatchObject({ code: 'needs-approval' })
    await session.toolSetup(new AbortController().signal)
    await session.close()
    await vault.close()
    expect(await started()).toEqual([])
  })

  it('by any route of the page, until exactly its command is approved', async () => {
    const vault = await openVault(place.vault, { environment: place.environment })
    const { app, setup } = await pageOf(vault)
    const before = await programRows(setup.place)
    const wanted = app.routes.filter(({ method }) => method !== 'ALL')
    expect(wanted.length).toBeGreaterThan(40)
    for (const { method, path } of wanted) {
      // These end the vault's own work, or stay open; neither starts anything.
      if (/\/(events|index)\b/.test(path)) continue
      const at = path.replace(':name', 'marked').replace(/:\w+(\{[^}]*\})?/g, 'codex')
      for (const body of method === 'POST' ? bodies() : [undefined]) {
        await app.request(at, {
          method,
          ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
        })
      }
    }
    await vault.servers?.ready(500)
    expect(await started()).toEqual([])
    const rows = await programRows(setup.place)
    expect(rows.filter(({ approved }) => approved)).toEqual([])

    await settingsAgain()
    await vault.close()
    const marked = before.find(({ id }) => id === 'mcp:marked')!
    await expect(approveProgram(setup.place, 'mcp:marked', 'other')).rejects.toMatchObject({ code: 'conflict' })
    expect(marked.approved).toBe(false)
    await place.run(['programs', 'approve', 'mcp:marked', '--yes', '--vault', place.vault])
    await place.run(['mcp-servers', 'test', 'marked', '--vault', place.vault])
    expect(await started()).toEqual(['settings'])
  })

  /** Whatever the routes have stored meanwhile is the first state again. */
  async function settingsAgain(): Promise<void> {
    expect(existsSync(markers)).toBe(true)
    await nameMarkedPrograms()
  }

  /** Every way a body could name a program. */
  function bodies(): unknown[] {
    const another = { ...server('another'), name: 'another' }
    return [
      {},
      another,
      { ...another, hash: 'wrong' },
      { hash: 'wrong' },
      { id: 'codex', hash: 'wrong' },
      { key: 'mcpServers', text: JSON.stringify({ marked: server('changed') }) },
      { key: 'model', text: 'codex' },
      { tools: [{ name: 'x', hash: 'wrong' }] },
      { tools: ['x'] },
      { enabled: true },
      { text: 'hello', model: 'codex' },
      { question: 'hello', model: 'codex', mode: 'agent' },
    ]
  }
})

async function pageOf(vault: FolderVault) {
  const signal = new AbortController().signal
  const page: WebSetup['place'] = {
    surroundings: surroundings(),
    signal,
    flags: { vault: place.vault },
    onTrouble: () => {},
    onLine: () => {},
  }
  const setup: WebSetup = {
    vault,
    name: 'vault',
    logins: browserLogins(await openPageState({ state: place.home })),
    keys: accessKeys(place.home),
    place: page,
    models: async () => [],
    calls: async () => [],
    requests: async () => [],
    takeUpServers: () =>
      applyServerSettings(vault, { folders: stateFolders(surroundings()), surroundings: surroundings() }),
    onTrouble: () => {},
  }
  const { mounts } = await webMounts(setup)
  const app = new Hono<ServerEnv>()
  app.use(async (c, next) => {
    c.set('body', c.req.method === 'POST' ? await c.req.json().catch(() => undefined) : undefined)
    await next()
  })
  const context = { url: 'http://127.0.0.1:1', ending: signal, closing: signal, log: () => {} }
  mounts.find(({ path }) => path === '/api')!.addRoutes(app, context)
  return { app, setup }
}
