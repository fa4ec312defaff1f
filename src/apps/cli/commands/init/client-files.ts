import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Surroundings } from '../../../../hosts/node/state/index.js'
import type { ClientName } from './client-names.js'

/** Where a client keeps its servers, and how it writes one down. */
export interface ClientFile {
  title: string
  file: string
  /** A folder that is there where the client is. */
  folder: string
  form: 'json' | 'toml'
  /** The way to our entry. */
  place: readonly string[]
  entry(argv: readonly string[]): Record<string, unknown>
  /** What a person does for it to count. */
  after: string
}

const split = ([command, ...args]: readonly string[]) => ({ command, args })

export function clientFile(client: ClientName, surroundings: Surroundings): ClientFile {
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
        after: 'Quit Claude Desktop and open it again.',
      }
    case 'claude-code':
      return {
        title: 'Claude Code',
        folder: join(home, '.claude'),
        file: join(home, '.claude.json'),
        form: 'json',
        place: ['mcpServers', 'notewright'],
        entry: (argv) => ({ type: 'stdio', ...split(argv) }),
        after: 'Start Claude Code anew; /mcp shows the server.',
      }
    case 'cursor':
      return {
        title: 'Cursor',
        folder: join(home, '.cursor'),
        file: join(home, '.cursor', 'mcp.json'),
        form: 'json',
        place: ['mcpServers', 'notewright'],
        entry: split,
        after: 'Cursor asks whether to switch the server on: Settings, Tools & MCP.',
      }
    case 'vscode':
      return {
        title: 'VS Code',
        folder: join(apps, 'Code', 'User'),
        file: join(apps, 'Code', 'User', 'mcp.json'),
        form: 'json',
        place: ['servers', 'notewright'],
        entry: (argv) => ({ type: 'stdio', ...split(argv) }),
        after: 'Run "MCP: List Servers" in VS Code and start it.',
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
        after: 'Start Codex anew; /mcp shows the server.',
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
        after: 'Start opencode anew.',
      }
    }
    default:
      return client satisfies never
  }
}

/** Where programs of this system keep what is theirs. */
function appFolder({ platform, home, environment }: Surroundings): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return environment.APPDATA || join(home, 'AppData', 'Roaming')
  return environment.XDG_CONFIG_HOME || join(home, '.config')
}
