import { basename } from 'node:path'
import type { ConsentLevel, SessionScope } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import type { OpenedVault } from '../../../core/session/index.js'
import { findVault } from '../../../hosts/node/find-vault.js'
import type { LoadedSettings } from '../../../hosts/node/settings/settings.js'
import { servedVaults, serveOnStdio, vaultNotifications } from '../../mcp/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { approvalOptions, collected, trustFormsOption } from '../program/options.js'
import { locateVault, readSettings } from '../session/settings.js'
import { visibleLine } from '../terminal/terminal.js'

export const declareMcp: DeclareCommand = (command, run) => {
  command
    .option('--read-only', "don't offer tools that change notes")
    .option('--tools <names>', 'tools or categories, comma-separated (default: search,file)')
    .option('--scope <folder>', 'limit the client to this folder; repeatable', collected)
  command
    .option('--client <name>', 'name of the client in the log and history; set by init')
    .addOption(trustFormsOption())
  approvalOptions(command)
    .addHelpText(
      'after',
      examples(
        ['notewright mcp --vault ~/Notes'],
        ['notewright mcp --vault ~/Notes --read-only'],
        ['notewright mcp --vault ~/Notes --approvals edit --scope Projects --scope Inbox'],
        ['notewright mcp --vault ~/Notes --allow "append_note(Inbox/**)" --tools search,file,time'],
      ),
    )
    .action((options) => run((to) => mcp(to, options)))
}

export interface McpOptions {
  readOnly?: boolean
  tools?: string
  scope?: string[]
  consent?: ConsentLevel
  allow?: string[]
  deny?: string[]
  client?: string
  trustForms?: boolean
}

/** Standard output is the protocol only; messages go to standard error. */
export async function mcp(invocation: Invocation, options: McpOptions): Promise<void> {
  const { terminal, signal, surroundings } = invocation
  const { environment } = surroundings
  const setting = await readSettings(invocation)
  const roots = await vaultRoots(invocation, setting)
  const onTrouble = (text: string) => terminal.say(visibleLine(text))
  const news = vaultNotifications()
  const opened: OpenedVault[] = []
  const vaults = servedVaults(
    Object.fromEntries(
      named(roots).map(([name, root]) => [
        name,
        async () => {
          const { openServedVault } = await import('../session/open-served-vault.js')
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
      client: configuredClient(options),
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

function configuredClient({ client, trustForms }: McpOptions) {
  if (client !== undefined && !/^[a-z0-9][a-z0-9-]{0,39}$/.test(client)) {
    throw new Failure('invalid-input', `${JSON.stringify(client.slice(0, 60))} is not a valid client name.`, {
      hint: 'Use up to 40 lower-case letters, digits and hyphens, e.g. claude-code.',
    })
  }
  return { ...(client !== undefined && { id: `${client}@stdio` }), trustsForms: trustForms === true }
}

async function vaultRoots(invocation: Invocation, setting: LoadedSettings): Promise<string[]> {
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

type Environment = Record<string, string | undefined>

/** `OBSIDIAN_READ_PATHS` and `OBSIDIAN_WRITE_PATHS`, as other servers for Obsidian have them: folders with commas between. */
export function folderScope(environment: Environment): SessionScope {
  const reads = foldersIn(environment.OBSIDIAN_READ_PATHS)
  const writes = foldersIn(environment.OBSIDIAN_WRITE_PATHS)
  return { ...(reads && { reads }), ...(writes && { writes }) }
}

/** `OBSIDIAN_READ_ONLY`. */
export function isReadOnly({ OBSIDIAN_READ_ONLY: said = '' }: Environment): boolean {
  return ['true', '1', 'yes', 'on'].includes(said.trim().toLowerCase())
}

function foldersIn(list: string | undefined): string[] | undefined {
  const folders = (list ?? '')
    .split(',')
    .map((folder) => folder.trim().replace(/^\.?\/+|\/+$/g, ''))
    .filter((folder) => folder !== '')
  return folders.length === 0 ? undefined : folders
}
