import type { SettingDefinition, SettingDefinitionPage } from 'obsidian'
import { typedRow } from './rows.js'
import { addServer } from './server-actions.js'
import type { NewServer, ServersAtHand } from './servers-at-hand.js'
import type { PageParts } from './settings-page.js'

/** A page for a server at an address, and one for a program where programs can be started. */
export function addServerPages(parts: PageParts, atHand: ServersAtHand): SettingDefinitionPage[] {
  const field = (key: keyof NewServer, name: string, desc: string, placeholder: string, isLong = false) =>
    typedRow({
      key,
      name,
      desc,
      placeholder,
      isLong,
      value: () => atHand.typed[key],
      async save(_key, written) {
        const text = typeof written === 'string' ? written : ''
        atHand.typed = { ...atHand.typed, [key]: isLong ? text : text.trim() }
        return undefined
      },
    })
  const name = field('name', 'Server name', 'Letters, digits, ., - and _, at most 40.', 'wiki')
  const add = (kind: 'address' | 'program', desc: string): SettingDefinition => ({
    name: 'Add this server',
    desc,
    action: () => void addServer(kind, parts, atHand),
  })
  const address: SettingDefinitionPage = {
    type: 'page',
    name: 'Add a server',
    items: [
      name,
      field('url', 'Server address', 'Where it speaks MCP over HTTP.', 'https://example.org/mcp'),
      add('address', 'Nothing is sent to it before you look at its tools.'),
    ],
  }
  if (!parts.known.servers?.startsPrograms) return [address]
  const program: SettingDefinitionPage = {
    type: 'page',
    name: 'Add a program as a server',
    items: [
      name,
      field('command', 'Program', 'Its name, or its whole path. No shell reads it.', 'npx'),
      field('args', 'Arguments', 'One in a line, each passed on as it stands.', '-y', true),
      field(
        'env',
        'Variables',
        `NAME=value, one in a line, besides PATH, HOME, LANG and the temporary folder. They are stored with the settings; \${NAME} takes a variable of your own environment.`,
        `TOKEN=\${MY_TOKEN}`,
        true,
      ),
      add(
        'program',
        'It runs as you, and can read and change whatever you can. It is not started before you look at its tools.',
      ),
    ],
  }
  return [address, program]
}
