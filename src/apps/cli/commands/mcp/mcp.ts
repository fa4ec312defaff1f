import { basename } from 'node:path'
import type { ConsentLevel, SessionScope } from '../../../../core/approval/index.js'
import type { OpenedVault } from '../../../../core/session/index.js'
import { findVault } from '../../../../hosts/node/find-vault/index.js'
import type { Setup } from '../../../../hosts/node/setup/index.js'
import { servedVaults, serveOnStdio, vaultNews } from '../../../mcp-server/index.js'
import type { Invocation } from '../../program/invocation.js'
import { locateVault, readSettings } from '../../session/locate-vault.js'
import { visibleLine } from '../../terminal/index.js'
import { folderScope, isReadOnly } from './environment-limits.js'

export interface McpOptions {
  readOnly?: boolean
  tools?: string
  scope?: string[]
  consent?: ConsentLevel
  allow?: string[]
  deny?: string[]
}

/** Standard output is the protocol alone: whatever else there is to say goes to standard error. */
export async function mcp(invocation: Invocation, options: McpOptions): Promise<void> {
  const { terminal, signal, surroundings } = invocation
  const { environment } = surroundings
  const setting = await readSettings(invocation)
  const roots = await vaultRoots(invocation, setting)
  const onTrouble = (text: string) => terminal.say(visibleLine(text))
  const news = vaultNews()
  const opened: OpenedVault[] = []
  const vaults = servedVaults(
    Object.fromEntries(
      named(roots).map(([name, root]) => [
        name,
        async () => {
          const { openServedVault } = await import('./open-served-vault.js')
          const vault = await openServedVault(root, invocation, setting, news)
          opened.push(vault)
          return vault
        },
      ]),
    ),
  )
  const scope: SessionScope = options.scope ? { reads: options.scope, writes: options.scope } : folderScope(environment)
  const consent = options.readOnly || isReadOnly(environment) ? 'read-only' : options.consent
  try {
    await serveOnStdio({
      vaults,
      tools: options.tools?.split(',').map((word) => word.trim()),
      session: { consent, allow: options.allow, deny: options.deny, scope },
      onTrouble,
      news: news.news,
      input: terminal.input,
      output: process.stdout,
      signal,
    })
  } finally {
    await Promise.all(opened.map((vault) => vault.close()))
  }
}

async function vaultRoots(invocation: Invocation, setting: Setup): Promise<string[]> {
  const { options, surroundings } = invocation
  if (options.vaults === undefined) return [(await locateVault(invocation, setting)).root]
  const found = options.vaults.map((path) => findVault({ path, source: 'flag' }, surroundings))
  return [...new Set((await Promise.all(found)).map(({ root }) => root))]
}

/** A vault goes by the name of its folder; of two that are called the same the second gets a number. */
function named(roots: readonly string[]): [string, string][] {
  const names: string[] = []
  return roots.map((root) => {
    const plain = basename(root) || 'vault'
    let name = plain
    for (let count = 2; names.includes(name); count++) name = `${plain} ${count}`
    names.push(name)
    return [name, root]
  })
}
