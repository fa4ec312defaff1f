import { basename } from 'node:path'
import { Option } from 'commander'
import { consentLevels } from '../../../core/approval/index.js'
import { settingsOfModel } from '../../../core/config/index.js'
import type { SessionOptions } from '../../../core/session/index.js'
import type { AccessKey, AccessKeys } from '../../../hosts/node/access-keys.js'
import { openClientModel } from '../../../hosts/node/agent-model.js'
import type { FolderVault } from '../../../hosts/node/open-vault.js'
import { responseTable } from '../../../hosts/node/response-store.js'
import type { StateFolders } from '../../../hosts/node/state-folders.js'
import { mcpMount, servedVaults } from '../../mcp/index.js'
import { responsesMount } from '../../responses/index.js'
import type { Mount, RunningServer } from '../../server/index.js'
import { startServer } from '../../server/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import {
  codexToolsOption,
  collected,
  dialectOption,
  parseList,
  renamedOption,
  trustFormsOption,
  wholeNumber,
  withoutSubcommand,
} from '../program/options.js'
import { withVault } from '../session/open-session.js'
import { jsonLine, visibleLine } from '../terminal/terminal.js'
import {
  checkHost,
  clientOf,
  createKey,
  firstKey,
  keyCheck,
  keyIn,
  listKeys,
  openAccessKeys,
  revokeKey,
} from './serve-keys.js'

export const declareServe: DeclareCommand = (command, run) => {
  command
    .option(
      '--port <number>',
      'port to listen on; 0 for any free port (default: the serve.port setting)',
      wholeNumber(0, 65_535),
    )
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--allow-remote', 'accept other computers; create an access key first')
    .option('--backend <model>', 'model to use, as provider/model (default: the model setting)')
    .addOption(dialectOption())
    .addOption(codexToolsOption())
    .option('--allow <rule>', 'allow clients without asking, e.g. "append_note(Inbox/**)"; repeatable', collected)
    .addHelpText(
      'after',
      examples(
        ['notewright serve', 'clients then use http://127.0.0.1:8427/v1'],
        ['notewright serve --backend ollama/qwen3:8b --dialect sentinel'],
        ['notewright serve keys create my-editor', 'clients send it as their API key'],
        ['notewright serve --port 0 --json', 'the address as one JSON line'],
      ),
    )
    .action((options) => run((to) => serve(to, options)))
  declareKeys(command, run)
}

/** Access keys: each program that uses the server gets its own. */
const declareKeys: DeclareCommand = (server, run) => {
  const keys = server
    .command('keys')
    .description(
      'Create, list and revoke access keys.\nEach program that uses the server gets its own key, with its own approval level.',
    )
    .addHelpText('after', examples(['notewright serve keys list'], ['notewright serve keys create my-editor']))
  const create = keys
    .command('create')
    .description('Create an access key and print it, once.\nBy default it can read this vault, but not change it.')
    .argument('<name>', 'name of the program, e.g. my-editor')
    .option('--use <routes>', 'what the key can use: api, mcp (default: both)', parseList)
    .option('--all-vaults', 'allow every served vault, not only this one')
    .addOption(trustFormsOption())
    .addHelpText(
      'after',
      examples(
        ['notewright serve keys create my-editor'],
        ['notewright serve keys create claude --use mcp --approvals ask', 'changes need your approval'],
        ['notewright serve keys create my-editor --vault ~/Notes'],
      ),
    )
    .action((name: string, options) => run((to) => createKey(to, name, options)))
  const level = new Option('--approvals <level>', 'approval level; read-only by default').choices(consentLevels)
  renamedOption(create, level, '--level <level>', 'level')
  keys
    .command('list')
    .description('List the access keys, their rights and last use.')
    .addHelpText('after', examples(['notewright serve keys list'], ['notewright serve keys list --json']))
    .action(() => run((to) => listKeys(to)))
  keys
    .command('revoke')
    .description('Revoke an access key. Running servers reject it immediately.')
    .argument('<name>', 'name or id of the key')
    .addHelpText('after', examples(['notewright serve keys revoke my-editor']))
    .action((name: string) => run((to) => revokeKey(to, name)))
  withoutSubcommand(keys, () => run((to) => listKeys(to)))
}

export interface ServeOptions {
  port?: number
  host: string
  allowRemote?: boolean
  backend?: string
  dialect?: string
  codexTools?: string[]
  allow?: string[]
}

/** Serves the vault until stopped. */
export async function serve(invocation: Invocation, options: ServeOptions): Promise<void> {
  const { terminal, signal } = invocation
  const keys = await openAccessKeys(invocation)
  checkHost(options, keys)
  await withVault(
    invocation,
    async (vault, folders) => {
      const { settings } = vault
      vault.notebook.follow()
      const first = firstKey(keys, vault.notebook.root)
      const mounts = await openMounts({ invocation, options, vault, folders, keys })
      const server = await startServer({
        host: options.host,
        port: options.port ?? settings.serve.port,
        authorize: keyCheck(keys, vault.notebook.root),
        mounts,
        origins: settings.serve.origins,
        log: (line) => terminal.trace(visibleLine(line)),
      })
      announce(invocation, server, first)
      await until(signal)
      if (!terminal.json) terminal.say('Finishing open replies …')
      await server.close()
      keys.close()
    },
    // Slow MCP servers connect later; clients need not wait for them.
    { ...options, isRemote: true, serversMs: 0 },
  )
}

/** `first`: the secret of the key that was just created, because there was none. */
function announce({ terminal }: Invocation, { url }: RunningServer, first: string | undefined): void {
  if (terminal.json) {
    terminal.print(jsonLine({ url, ...(first && { key: first }) }))
    return
  }
  terminal.print(`Listening on ${url}`)
  if (first === undefined) terminal.print('Access keys for clients: notewright serve keys list')
  else {
    terminal.print(`Access key "default" (read only, shown once): ${first}`)
    terminal.print('More keys: notewright serve keys create NAME')
  }
}

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

export interface ServeSetup {
  invocation: Invocation
  options: ServeOptions
  vault: FolderVault
  folders: StateFolders
  keys: AccessKeys
}

/** The mounts of `notewright serve`. A new mount is one more entry. */
export async function openMounts(served: ServeSetup): Promise<Mount[]> {
  return [await responses(served), mcp(served)]
}

function mcp({ invocation, options, vault, keys }: ServeSetup): Mount {
  return mcpMount({
    clientOf(authorization) {
      const key = keyIn(authorization, keys)
      if (key === undefined) return undefined
      const client = { id: clientOf(key), trustsForms: key.trustsForms }
      return { client, session: { consent: key.level, allow: options.allow } }
    },
    isRevoked: (owner) => !keys.list().some((key) => clientOf(key) === owner),
    vaults: servedVaults({ [basename(vault.notebook.root) || 'vault']: async () => vault }),
    onTrouble: (text) => invocation.terminal.say(visibleLine(text)),
  })
}

async function responses({ invocation, options, vault, folders, keys }: ServeSetup): Promise<Mount> {
  const { settings, notebook } = vault
  const { environment, home } = invocation.surroundings
  const backend = options.backend ?? settings.model
  const place = {
    environment,
    home,
    state: folders.state,
    vault: notebook.root,
    dialect: options.dialect ?? settings.dialect,
    codex: settings.codex,
  }
  const replies = responseTable(folders.state, {
    keepMs: settings.serve.keepHours * 3_600_000,
    onTrouble: (text) => invocation.terminal.say(visibleLine(text)),
  })
  const openSession = (wish: SessionOptions, key?: AccessKey) =>
    vault.openSession({
      ...wish,
      client: key && clientOf(key),
      keep: false,
      model: backend,
      dialect: options.dialect,
      consent: key?.level ?? 'locked',
      canAsk: false,
      allow: options.allow,
      onTrouble: (text) => invocation.terminal.trace(visibleLine(text)),
    })
  // An unreadable rule is reported now, not to a client.
  await (await openSession({})).close()
  const name = basename(notebook.root)
  return responsesMount({
    vault: { name, openSession },
    clientOf(authorization) {
      const key = keyIn(authorization, keys)
      return key && { id: clientOf(key), vault: { name, openSession: (wish) => openSession(wish, key) } }
    },
    ...(backend !== 'offline' && { backend }),
    embedder: () => notebook.embeddings?.source?.embedder,
    replies,
    openBackend: (name) => {
      const { window, stallSeconds } = settingsOfModel(name, settings)
      return openClientModel(name, place, { window, stallMs: stallSeconds * 1000 })
    },
  })
}
