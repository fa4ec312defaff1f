import {
  aliases,
  builtInTools,
  type Category,
  inputSchema,
  type JsonSchema,
  outputSchema,
  registry,
  type Tool,
} from '../../core/tools/index.js'

/** The text of docs/reference/tools.md: every tool there is, as models and clients are told of it. */
export function toolsReference(): string {
  const groups = [...registry(builtInTools).byCategory()]
  const lists = groups.flatMap(([, tools]) => tools.map(contents))
  const sections = groups.map(([category, tools]) => `## ${headings[category]}\n\n${tools.map(section).join('\n')}`)
  return `${introduction}\n${table(['tool', 'what for', 'effects', 'by default'], lists)}\n\n${sections.join('\n')}`
}

/** Arguments for the example of each tool, on the vault of examples/. */
export const exampleInputs: Record<string, Record<string, unknown>> = {
  search_notes: { query: 'late blight', top_k: 3, filter: { tags: ['garden'], folder: 'Garden' } },
  vault_search: { query: 'compost', limit: 5 },
  search_by_tag: { tags: ['garden'], match: 'all' },
  get_tag_list: {},
  list_backlinks: { path: 'Garden/Tomatoes.md' },
  list_forward_links: { path: 'Garden/Tomatoes.md' },
  get_note_metadata: { path: 'Garden/Tomatoes.md' },
  get_random_note: { folder: 'Garden' },
  index_vault: {},
  read_note: { path: 'Garden/Tomatoes.md', heading: 'Blight' },
  file_read: { filePaths: ['Garden/Tomatoes.md', 'Garden/Compost.md'] },
  get_file_tree: { folder: 'Garden', depth: 1 },
  write_note: { path: 'Inbox/Peas.md', content: '# Peas\n\nSow in March.\n' },
  edit_note: { path: 'Garden/Tomatoes.md', old_text: 'the size of a cherry', new_text: 'as small as a cherry' },
  append_note: { path: 'Garden/Tomatoes.md', content: 'None this year.', heading: 'Blight' },
  update_frontmatter: { path: 'Garden/Tomatoes.md', updates: { status: 'sown' }, add: { tags: ['summer'] } },
  create_daily_note: { date: '2026-03-01', content: '- Sowed the peas.' },
  rename_note: { path: 'Garden/Tomatoes.md', new_path: 'Garden/Love apples.md' },
  delete_note: { path: 'Inbox/A Thought about Benches.md' },
  get_current_time: { timezone: 'Asia/Tokyo' },
  get_time_range: { expression: 'last week' },
  convert_timezone: { time: '2026-03-01 14:30', from: 'Europe/Berlin', to: 'America/New_York' },
  pomodoro: { action: 'start', minutes: 25 },
  web_search: { query: 'when to sow peas', limit: 3 },
  web_fetch: { url: 'https://example.org/peas' },
  youtube_transcription: { url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', language: 'en' },
}

const headings: Record<Category, string> = {
  search: 'Searching and looking around',
  file: 'Reading and writing notes',
  time: 'Time',
  media: 'The web',
  mcp: 'Tools of other servers',
  custom: 'Tools of your own',
}

function contents(tool: Tool): string[] {
  return [`[\`${tool.name}\`](#${tool.name})`, tool.title, effectsOf(tool), stateOf(tool)]
}

const effectsOf = ({ effects }: Tool): string => effects.join(', ') || 'none'
const stateOf = ({ alwaysOn, offByDefault }: Tool): string => (alwaysOn ? 'always on' : offByDefault ? 'off' : 'on')

function section(tool: Tool): string {
  const also = Object.keys(aliases).filter((alias) => aliases[alias].tool === tool.name)
  const input = fieldRows(inputSchema(tool))
  const output = outputSchema(tool)
  const example = exampleInputs[tool.name]
  return [
    `### ${tool.name}`,
    '',
    `**${tool.title}.** ${tool.description}`,
    '',
    `- Effects: ${effectsOf(tool)}`,
    `- By default: ${stateOf(tool)}`,
    ...(also.length > 0 ? [`- Also called: ${also.map((alias) => `\`${alias}\``).join(', ')}`] : []),
    ...(tool.guidance ? [`- Guidance for models: ${tool.guidance}`] : []),
    '',
    ...(input.length > 0 ? [table(['argument', 'type', 'about'], input), ''] : ['Takes no arguments.', '']),
    ...(output ? [`Output: \`${shape(output)}\``, ''] : []),
    '```sh',
    `notewright tool call ${tool.name}${example && Object.keys(example).length > 0 ? ` --input '${JSON.stringify(example)}'` : ''}`,
    '```',
    '',
  ].join('\n')
}

function fieldRows(schema: JsonSchema, above = ''): string[][] {
  const required = (schema.required ?? []) as string[]
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, own]) => {
    const about = [
      ...(required.includes(name) ? ['Required.'] : []),
      ...(own.description ? [sentence(`${own.description}`)] : []),
    ]
    const row = [`\`${above}${name}\``, typeOf(own), about.join(' ')]
    return [row, ...fieldRows(own, `${above}${name}.`)]
  })
}

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${value}\``).join(' or ')
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as JsonSchema)}s`
  const limits = [
    ...(schema.minimum === undefined ? [] : [`from ${schema.minimum}`]),
    ...(schema.maximum === undefined ? [] : [`to ${schema.maximum}`]),
    ...(schema.maxLength === undefined ? [] : [`at most ${schema.maxLength} characters`]),
  ]
  const words: Record<string, string> = {
    string: 'text',
    number: 'number',
    integer: 'number',
    boolean: 'true or false',
  }
  return [words[`${schema.type}`] ?? `${schema.type ?? 'any'}`, ...limits].join(', ')
}

/** The shape of a value in one line: `[{path, score, lines?}]`. */
function shape(schema: JsonSchema): string {
  const choice = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choice !== undefined) return choice.map(shape).join(' or ')
  if (schema.type === 'array')
    return `[${(schema.items ? [schema.items] : (schema.prefixItems as JsonSchema[])).map((item) => shape(item as JsonSchema)).join(', ')}]`
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  if (schema.type !== 'object' || properties.length === 0) return `${schema.type ?? 'any'}`
  const required = (schema.required ?? []) as string[]
  const fields = properties.map(([name, own]) => {
    const inner = own.type === 'object' || own.type === 'array' || own.anyOf ? shape(own) : ''
    return `${name}${required.includes(name) ? '' : '?'}${/[{[]\{|\{/.test(inner) ? `: ${inner}` : ''}`
  })
  return `{${fields.join(', ')}}`
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

const introduction = `<!-- Generated by scripts/build-docs.mjs from the tools in src/core/tools. -->

# Tools

What a model can do with your vault, and what you can do from the terminal: \`notewright tool call NAME --input JSON\` runs
the same checks, the same policy and the same log as a model's call. A tool that writes first shows what it would change;
\`--dry-run\` shows it and does nothing. Which calls ask you is in the [guide to permissions](../guides/permissions.md);
\`notewright tool enable NAME\` and \`disable NAME\` say which are offered at all.

Arguments that are not listed are refused. Optional arguments may be left out or null. Answers with \`--json\` are
\`{ok: true, output, text, changeSet?, log_id}\`; a failure is \`{ok: false, code, text, hint?}\`.
`
