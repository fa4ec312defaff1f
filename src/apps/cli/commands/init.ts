import { randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Option } from 'commander'
import { Failure } from '../../../core/errors.js'
import { decodeNote, showDiff } from '../../../core/vault/index.js'
import { findVault, obsidianVaults } from '../../../hosts/node/find-vault.js'
import type { HostEnvironment } from '../../../hosts/node/state-folders.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { locateVault, readSettings } from '../session/settings.js'
import { terminalText, visibleLine } from '../terminal/terminal.js'
import { withJsonEntry, withoutJsonEntry, withoutTomlEntry, withTomlEntry } from './init-entries.js'

export const declareInit: DeclareCommand = (command, run) => {
  command
    .addOption(new Option('--client <name>', 'MCP client (default: list the installed ones)').choices(clientNames))
    .option('--write', "save the change to the client's configuration")
    .option('--remove', 'remove Notewright from the client')
    .option('--read-only', 'let the client read notes, but not change them')
    .option('--trust-forms', 'let you approve changes in the forms of the client')
    .addHelpText(
      'after',
      examples(
        ['notewright init', 'list installed clients'],
        ['notewright init --client claude-code', 'show the change'],
        ['notewright init --client claude-code --write'],
        ['notewright init --client codex --vault ~/Notes --write'],
        ['notewright init --client cursor --remove --write'],
      ),
    )
    .action((options) => run((to) => init(to, options)))
}

export interface InitOptions {
  client?: ClientName
  write?: boolean
  remove?: boolean
  readOnly?: boolean
  trustForms?: boolean
}

export async function init(invocation: Invocation, options: InitOptions): Promise<void> {
  if (options.client === undefined) return listClients(invocation)
  const { terminal, surroundings } = invocation
  const client = clientFile(options.client, surroundings)
  const { file } = client
  const before = await readText(file)
  const argv = options.remove ? [] : await serverCommand(invocation, options.client, options)
  const after = newText(client, before ?? '', argv, options)
  const isSame = after === (before ?? '')
  const copy = !isSame && options.write ? await writeWithCopy(file, after, new Date()) : undefined
  const isWritten = !isSame && options.write === true
  if (terminal.json) {
    return terminal.printJson({
      client: options.client,
      file,
      changed: !isSame,
      written: isWritten,
      ...(copy && { backup: copy }),
      ...(!options.remove && { entry: client.entry(argv) }),
    })
  }
  if (isSame)
    return terminal.say(
      `${visibleLine(file)} ${options.remove ? 'does not contain Notewright.' : 'is already set up.'}`,
    )
  terminal.print(terminalText(diffOf(client, before ?? '', after)))
  if (!isWritten) return terminal.say('Nothing was saved. To save this change, add --write.')
  terminal.say(`Saved ${visibleLine(file)}.${copy ? ` Copy of the old file: ${visibleLine(copy)}` : ''}`)
  terminal.say(client.after)
}

/** undefined where there is no such file. One that cannot be read is not taken for an empty one. */
async function readText(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Failure('internal', `Can't read ${file}: ${error.code ?? error.message}.`)
  })
  if (bytes === undefined) return undefined
  const { text, encoding } = decodeNote(bytes)
  if (encoding !== 'invalid') return text
  throw new Failure('not-utf8', `${file} is not valid UTF-8.`, {
    hint: 'Nothing was saved. Fix the file, then try again.',
  })
}

function newText(
  { form, place, entry, file }: ClientFile,
  before: string,
  argv: string[],
  { remove }: InitOptions,
): string {
  try {
    if (form === 'toml') return remove ? withoutTomlEntry(before, place) : withTomlEntry(before, place, entry(argv))
    return remove ? withoutJsonEntry(before, place) : withJsonEntry(before, place, entry(argv))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const hint = error.details.hint ?? 'Nothing was saved. Fix the file, then try again.'
    throw new Failure(error.code, `${file}: ${error.message}`, { hint })
  }
}

function diffOf({ file }: ClientFile, before: string, after: string): string {
  const encoder = new TextEncoder()
  return showDiff(file, encoder.encode(before), encoder.encode(after))
}

/** By full paths: programs that were not started from a terminal know no other. */
async function serverCommand(
  invocation: Invocation,
  client: ClientName,
  { readOnly, trustForms }: InitOptions,
): Promise<string[]> {
  const roots = await vaultRoots(invocation)
  const named = roots.flatMap((root) => ['--vault', root])
  const flags = ['--client', client, ...(readOnly ? ['--read-only'] : []), ...(trustForms ? ['--trust-forms'] : [])]
  const [, program] = process.argv
  if (program === undefined) throw new Error('The program was started without a file.')
  return [process.execPath, program, 'mcp', ...named, ...flags]
}

async function vaultRoots(invocation: Invocation): Promise<string[]> {
  const { options, surroundings, terminal } = invocation
  if (options.vaults !== undefined) {
    const found = options.vaults.map((path) => findVault({ path, source: 'flag' }, surroundings))
    return (await Promise.all(found)).map(({ root }) => root)
  }
  const { root } = await locateVault(invocation, await readSettings(invocation))
  const others = options.vault
    ? []
    : (await obsidianVaults(surroundings)).filter((path) => path !== root && existsSync(path))
  if (others.length > 0) {
    terminal.say(`Obsidian has more vaults: ${others.map(visibleLine).join(', ')}. To use several, repeat --vault.`)
  }
  return [root]
}

async function listClients({ terminal, surroundings }: Invocation): Promise<void> {
  const rows = await Promise.all(
    clientNames.map(async (name) => {
      const client = clientFile(name, surroundings)
      const text = await readFile(client.file, 'utf8').catch(() => '')
      return {
        client: name,
        title: client.title,
        file: client.file,
        found: existsSync(client.folder),
        set_up: isNamed(client, text),
      }
    }),
  )
  if (terminal.json) return terminal.printJson(rows)
  for (const { client, title, file, found, set_up } of rows) {
    const state = set_up ? 'set up' : found ? 'found' : 'not found'
    terminal.print(
      `${client.padEnd(15)} ${title.padEnd(15)} ${state.padEnd(10)} ${terminal.style.faint(visibleLine(file))}`,
    )
  }
  terminal.say('To see the change for a client: notewright init --client NAME')
}

function isNamed({ form, place }: ClientFile, text: string): boolean {
  try {
    return (form === 'toml' ? withoutTomlEntry(text, place) : withoutJsonEntry(text, place)) !== text
  } catch {
    return false
  }
}

export const clientNames = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'codex', 'opencode'] as const

export type ClientName = (typeof clientNames)[number]

/** The file in which a client configures MCP servers, and its format. */
export interface ClientFile {
  title: string
  file: string
  /** A folder that is there where the client is. */
  folder: string
  form: 'json' | 'toml'
  /** The way to our entry. */
  place: readonly string[]
  entry(argv: readonly string[]): Record<string, unknown>
  /** The step after which the client uses the new entry. */
  after: string
}

const split = ([command, ...args]: readonly string[]) => ({ command, args })

export function clientFile(client: ClientName, surroundings: HostEnvironment): ClientFile {
  const { home, environment, platform } = surroundings
  const apps = appFolder(surroundings)
  const config = environment.XDG_CONFIG_HOME || join(home, '.config')
  switch (client) {
    case 'claude-desktop':
      return {
        title: 'Claude Desktop',
        folder: join(apps, 'Claude'),
        file: join(apps, 'Claude', 'claude_desktop_config.json'),
        form: 'json',
        place: ['mcpServers', 'notewright'],
        entry: split,
        after: 'Quit and reopen Claude Desktop.',
      }
    case 'claude-code':
      return {
        title: 'Claude Code',
        folder: join(home, '.claude'),
        file: join(home, '.claude.json'),
        form: 'json',
        place: ['mcpServers', 'notewright'],
        entry: (argv) => ({ type: 'stdio', ...split(argv) }),
        after: 'Restart Claude Code. /mcp shows the server.',
      }
    case 'cursor':
      return {
        title: 'Cursor',
        folder: join(home, '.cursor'),
        file: join(home, '.cursor', 'mcp.json'),
        form: 'json',
        place: ['mcpServers', 'notewright'],
        entry: split,
        after: 'Turn on the server in Cursor: Settings, Tools & MCP.',
      }
    case 'vscode':
      return {
        title: 'VS Code',
        folder: join(apps, 'Code', 'User'),
        file: join(apps, 'Code', 'User', 'mcp.json'),
        form: 'json',
        place: ['servers', 'notewright'],
        entry: (argv) => ({ type: 'stdio', ...split(argv) }),
        after: 'In VS Code, run "MCP: List Servers" and start the server.',
      }
    case 'codex': {
      const folder = environment.CODEX_HOME || join(home, '.codex')
      return {
        title: 'Codex',
        folder,
        file: join(folder, 'config.toml'),
        form: 'toml',
        place: ['mcp_servers', 'notewright'],
        entry: split,
        after: 'Restart Codex. /mcp shows the server.',
      }
    }
    case 'opencode': {
      const folder = join(platform === 'win32' ? join(home, '.config') : config, 'opencode')
      const commented = join(folder, 'opencode.jsonc')
      return {
        title: 'opencode',
        folder,
        file: existsSync(commented) ? commented : join(folder, 'opencode.json'),
        form: 'json',
        place: ['mcp', 'notewright'],
        entry: (argv) => ({ type: 'local', command: [...argv], enabled: true }),
        after: 'Restart opencode.',
      }
    }
    default:
      return client satisfies never
  }
}

/** The folder for application settings on this system. */
function appFolder({ platform, home, environment }: HostEnvironment): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return environment.APPDATA || join(home, 'AppData', 'Roaming')
  return environment.XDG_CONFIG_HOME || join(home, '.config')
}

/** Puts a text in place of a file, in one step, and keeps the file as it was beside it. Answers the name of the copy. */
export async function writeWithCopy(file: string, text: string, now: Date): Promise<string | undefined> {
  // A symbolic link stays a link; its target is written.
  const target = await realpath(file).catch(() => file)
  await mkdir(dirname(target), { recursive: true })
  const before = await stat(target).catch(() => undefined)
  const copy = before && (await keepCopy(target, now))
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx', before?.mode ?? 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return copy
}

async function keepCopy(target: string, now: Date): Promise<string> {
  const stamp = now
    .toISOString()
    .replace(/[-:]|\.\d+Z$/g, '')
    .replace('T', '-')
  for (let count = 1; ; count++) {
    const copy = `${target}.before-notewright-${stamp}${count === 1 ? '' : `-${count}`}`
    try {
      await copyFile(target, copy, constants.COPYFILE_EXCL)
      return copy
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
