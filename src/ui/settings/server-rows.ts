import type { ServerField, ServerForms, ServerKind, ShownServer } from '../../core/mcp/index.js'
import { count, quotedArgv, scalarText, visibleText } from '../../core/text/index.js'
import type { RowAction, SettingsRow } from './settings-rows.js'

// MCP servers in the settings of page and plugin, as data: rows, and the form for a new one.

export const serverWords = {
  heading: 'MCP servers',
  about:
    'Extra tools from other programs. A tool is off until you have read its description, and turns off again if the description changes.',
  programsRun: 'A program runs with your rights on this computer. Add only servers you trust.',
  noPrograms: 'Programs can only be started by Obsidian on a desktop. Their entries are kept.',
  none: 'No servers yet.',
  add: 'Add server',
  name: {
    key: 'name',
    label: 'Name',
    hint: 'Letters, digits, ., - and _, at most 40.',
    takes: 'text',
    placeholder: 'wiki',
    isRequired: true,
  } satisfies ServerField,
  kinds: {
    program: {
      label: 'A program on this computer',
      add: 'Add without starting',
      about: 'It starts when its tools are read.',
    },
    address: {
      label: 'A web address',
      add: 'Add without connecting',
      about: 'It is contacted when its tools are read.',
    },
  } satisfies Record<ServerKind, { label: string; add: string; about: string }>,
}

export type ServerAction = 'review' | 'tools' | 'test' | 'remove'

export interface ServerRowFacts {
  forms: ServerForms
  /** How many of its tools are on. */
  toolsOn: number
  /** True if programs can be started here. */
  startsPrograms: boolean
}

export function serverRow(server: ShownServer, facts: ServerRowFacts): SettingsRow<ServerAction> {
  const { name, from, state, type } = server
  const isProgram = type === 'stdio'
  const canRun = !isProgram || facts.startsPrograms
  const row = {
    title: visibleText(name).text,
    code: visibleText(commandOf(server)).text,
    facts: otherFields(server, facts.forms),
    ...(from === 'vault' && { about: 'Configured by this vault in .mcp.json. Remove it from that file.' }),
  }
  const remove: RowAction<ServerAction>[] =
    from === 'settings'
      ? [{ id: 'remove', label: `Remove ${row.title}`, about: 'Its tools are removed with it.', isDanger: true }]
      : []
  if (state === 'hidden') {
    const about = 'Your settings have a server with the same name.'
    return { ...row, about, status: { tone: 'off', text: 'Not used' }, actions: [] }
  }
  if (!canRun) {
    return {
      ...row,
      about: serverWords.noPrograms,
      status: { tone: 'off', text: 'Not available here' },
      actions: remove,
    }
  }
  if (state === 'untrusted') {
    const review: RowAction<ServerAction> = {
      id: 'review',
      label: 'Review…',
      about: 'Shows what it would run or reach.',
    }
    return { ...row, status: { tone: 'warn', text: 'Needs approval' }, actions: [review, ...remove] }
  }
  if (state === 'off') return { ...row, status: { tone: 'off', text: 'Turned off' }, actions: remove }
  const reads = isProgram ? 'Starts the program, lists its tools and stops it.' : 'Asks the server for its tools.'
  return {
    ...row,
    status: facts.toolsOn > 0 ? { tone: 'ok', text: `${count(facts.toolsOn, 'tool')} on` } : noTools,
    actions: [
      { id: 'tools', label: 'Show tools', about: `${reads} No notes are sent.` },
      { id: 'test', label: 'Test', about: `${reads} No notes are sent.` },
      ...remove,
    ],
  }
}

const noTools = { tone: 'off', text: 'No tools on' } as const

/** Each argument as it is passed on, or the address. */
function commandOf({ command, args, url }: ShownServer): string {
  if (typeof command !== 'string') return scalarText(url)
  return quotedArgv([command, ...(Array.isArray(args) ? args.map(scalarText) : [])])
}

const inCommand = ['command', 'args', 'url']

function otherFields(server: ShownServer, forms: ServerForms): { label: string; text: string }[] {
  const fields = forms[server.type === 'stdio' ? 'program' : 'address']
  return fields.flatMap(({ key, label }) => {
    const value = server[key]
    const text = Array.isArray(value) ? value.map(scalarText).join(', ') : scalarText(value)
    return text === '' || inCommand.includes(key) ? [] : [{ label, text: visibleText(text).text }]
  })
}

/** The entry that was typed. Empty fields are left out; the schema checks the rest. */
export function serverFromForm(
  fields: readonly ServerField[],
  typed: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const values = fields.flatMap(({ key, takes }) => {
    const text = typed[key] ?? ''
    return text.trim() === '' ? [] : [[key, typedValue(takes, text)]]
  })
  return Object.fromEntries(values) as Record<string, unknown>
}

function typedValue(takes: ServerField['takes'], text: string): unknown {
  const lines = text.split('\n').filter((line) => !/^\s*=?\s*$/.test(line))
  switch (takes) {
    case 'number':
      return Number(text)
    case 'yes-no':
      return text === 'true'
    case 'list':
      return lines
    case 'pairs':
      return Object.fromEntries(lines.map(pairOf))
    case 'text':
      return text.trim()
    default:
      return takes satisfies never
  }
}

/** A line without a name makes the entry invalid. */
function pairOf(line: string): [string, string | undefined] {
  const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(line) ?? []
  return name === undefined ? [line, undefined] : [name, value?.trim()]
}
