import { Failure } from '../errors.js'
import { isRecord } from '../is-record.js'
import { nearestNames, scalarText } from '../text/index.js'
import { hashBytes } from '../vault/index.js'
import type { ToolCall } from './run/tool-call.js'
import { type Category, categories, type ForeignTool, type Tool, type ToolInfo } from './tool.js'

export interface RegisteredTool {
  tool: Tool
  /** `built-in`, `custom`, `custom:<path of its module>`, or `mcp:<server>`. */
  source: string
  /** The server and tool it comes from; its own name is the one it is offered by. */
  foreign?: ForeignTool
}

type OwnSource = 'built-in' | 'custom' | `custom:${string}`

/** The tools there are. A value: each session may have its own. */
export interface Registry {
  /** Refuses a name that is taken, or that could be mistaken for one that is. */
  register(tool: Tool, source?: OwnSource): void
  registerAll(tools: readonly Tool[], source?: OwnSource): void
  /** Replaces the tools of an MCP server. They are off until the user enables them. */
  registerServer(server: string, tools: readonly Tool[]): void
  /** Takes out everything that came from one source. */
  unregister(source: string): void
  find(name: string): RegisteredTool | undefined
  /** In order of registration. */
  all(): RegisteredTool[]
  byCategory(): Map<Category, Tool[]>
  /** Tools that a user can switch on and off. */
  configurable(): Tool[]
  /** The tools for a list of ids: always-on tools and those listed; without a vault, only those that need none. */
  enabled(ids: ReadonlySet<string>, surroundings: { vault: boolean }): Tool[]
  metadata(name: string): ToolInfo | undefined
  clear(): void
  /** Reports added and removed tools, once for each change. Returns a stop function. */
  onChange(listener: (change: RegistryChange) => void): () => void
}

/** A replaced tool is listed in both. */
interface RegistryChange {
  came: readonly RegisteredTool[]
  went: readonly RegisteredTool[]
}

/** Creates a registry of tools. */
export function registry(tools: readonly Tool[] = []): Registry {
  const registered = new Map<string, RegisteredTool>()
  /** Names by visual skeleton, except those of servers, which all begin with the server's name. */
  const bySkeleton = new Map<string, string>()
  const listeners = new Set<(change: RegistryChange) => void>()

  function change(went: readonly RegisteredTool[], came: readonly RegisteredTool[]): void {
    for (const { tool, foreign } of went) {
      registered.delete(tool.name)
      if (foreign === undefined) bySkeleton.delete(skeleton(tool.name))
    }
    for (const entry of came) {
      const { name } = entry.tool
      registered.set(name, entry)
      if (entry.foreign === undefined) bySkeleton.set(skeleton(name), name)
    }
    if (went.length + came.length > 0) for (const listener of [...listeners]) listener({ came, went })
  }

  const self: Registry = {
    register: (tool, source) => self.registerAll([tool], source),
    registerAll(several, source = 'built-in') {
      const names = new Map(bySkeleton)
      for (const { name } of several) {
        if (!isOfferable(name))
          throw invalidName('tool', name, 'Use at most 64 letters, digits, - and _, starting with a letter.')
        const like = registered.has(name) ? name : names.get(skeleton(name))
        if (like !== undefined) throw nameTaken(name, like)
        names.set(skeleton(name), name)
      }
      change(
        [],
        several.map((tool) => ({ tool, source })),
      )
    },
    registerServer(server, several) {
      if (!isServerName(server)) throw invalidName('server', server, 'Use at most 40 letters, digits, dots, - and _.')
      const went = self.all().filter(({ foreign }) => foreign?.server === server)
      const came = several.map((tool) => fromServer(server, tool, (name) => bySkeleton.has(skeleton(name))))
      const free = new Set(went.map(({ tool }) => tool.name))
      for (const [at, { tool }] of came.entries()) {
        const isTwice = came.findIndex((other) => other.tool.name === tool.name) < at
        if (isTwice || (registered.has(tool.name) && !free.has(tool.name))) throw nameTaken(tool.name)
      }
      change(went, came)
    },
    unregister: (source) =>
      change(
        self.all().filter((entry) => entry.source === source),
        [],
      ),
    find: (name) => registered.get(name),
    all: () => [...registered.values()],
    byCategory() {
      const all = self.all().map(({ tool }) => tool)
      const groups = categories.map((category) => [category, all.filter((tool) => tool.category === category)] as const)
      return new Map(groups.filter(([, members]) => members.length > 0))
    },
    configurable: () => self.all().flatMap(({ tool }) => (tool.alwaysOn ? [] : [tool])),
    enabled(ids, { vault }) {
      const tools = self.all().map(({ tool }) => tool)
      return tools.filter(
        (tool) => (tool.alwaysOn || ids.has(tool.name)) && (vault || !tool.needsVault) && tool.withheld === undefined,
      )
    },
    metadata(name) {
      const tool = registered.get(name)?.tool
      if (tool === undefined) return undefined
      const { title, description, activity, category, effects, guidance, alwaysOn, offByDefault } = tool
      const { withheld, needsVault, background, timeoutMs } = tool
      return {
        name,
        title,
        description,
        activity,
        category,
        effects,
        guidance,
        alwaysOn,
        offByDefault,
        withheld,
        needsVault,
        background,
        timeoutMs,
      }
    },
    clear: () => change(self.all(), []),
    onChange(listener) {
      const own: typeof listener = (change) => listener(change)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
  self.registerAll(tools)
  return self
}

/** Ids of the tools that are on by default. */
export function defaultToolset(tools: Registry): Set<string> {
  return new Set(tools.all().flatMap(({ tool }) => (tool.offByDefault ? [] : [tool.name])))
}

function fromServer(server: string, tool: Tool, isLike: (name: string) => boolean): RegisteredTool {
  if (!isForeignName(tool.name)) throw invalidName('tool', tool.name, `The server ${server} has a tool with this name.`)
  const foreign = { server, tool: tool.name }
  const name = offeredName(foreign, isLike)
  return { tool: { ...tool, name, alwaysOn: false, offByDefault: true }, source: `mcp:${server}`, foreign }
}

// Names that a rule can write as mcp(server/tool): no slash in the server, not `*`, no invisible characters.
const isServerName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,39}$/.test(name)
const isForeignName = (name: string): boolean =>
  name.length <= 128 && name !== '*' && name === name.trim() && /^\P{C}+$/u.test(name)

function invalidName(what: string, name: string, hint: string): Failure {
  return new Failure('invalid-input', `Not a ${what} name: ${JSON.stringify(name.slice(0, 100))}`, { hint })
}

function nameTaken(name: string, like = name): Failure {
  const how = like === name ? 'is already taken' : `could be mistaken for ${like}`
  return new Failure('invalid-input', `The tool name ${name} ${how}.`)
}

/** Names that look alike have the same skeleton: `read_note`, `Read-Note`, `read_n0te`. */
function skeleton(name: string): string {
  return name
    .toLowerCase()
    .replace(/[-_]/g, '')
    .replaceAll('0', 'o')
    .replace(/[1i]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

/** Names that every provider takes: models are offered tools by them. */
export const isOfferable = (name: string): boolean => /^[A-Za-z][\w-]{0,63}$/.test(name)

/**
 * The name under which a server's tool is offered: `server__tool`, or its words with a hash if that name is invalid,
 * taken or ambiguous. It depends only on the server and the tool.
 */
export function offeredName({ server, tool }: ForeignTool, isTaken: (name: string) => boolean = () => false): string {
  const plain = `${server}__${tool}`
  // The first `__` of a plain name ends the server's part, and a name with a hash has none: no two can be the same.
  const isPlain = isOfferable(plain) && !server.includes('__') && !server.endsWith('_')
  return isPlain && !isTaken(plain) ? plain : hashedName(server, tool)
}

/** True if a tool of this server could be offered by this name. */
export function mayBeOffered(name: string, server: string): boolean {
  return name.startsWith(`${server}__`) || (name.startsWith(`${nameWords(server)}_`) && /_[0-9a-f]{12}$/.test(name))
}

/** True if a name has the form `server__tool`, for any server. */
export const isServerToolName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,39}?__\S/.test(name)

function hashedName(server: string, tool: string): string {
  const hash = hashBytes(new TextEncoder().encode(JSON.stringify([server, tool]))).slice(0, 12)
  const readable = nameWords(`${server}_${tool}`).slice(0, 51).replace(/_$/, '')
  return `${readable}_${hash}`
}

function nameWords(text: string): string {
  const readable = text.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_|_$/g, '')
  return /^[A-Za-z]/.test(readable) ? readable : `mcp_${readable}`
}

/** The tool a call means, also by a name other systems use, with its arguments as the tool wants them. */
export function findTool(
  registry: Registry,
  { name, input }: Pick<ToolCall, 'name' | 'input'>,
  offered?: ReadonlySet<string>,
  described = offered,
): { registered: RegisteredTool; input: unknown } {
  if (typeof name !== 'string' || name === '') {
    throw new Failure('unknown-tool', 'Invalid tool call - missing tool name')
  }
  const isOffered = (tool: string) => offered === undefined || offered.has(tool)
  const own = registry.find(name)
  if (own?.tool.withheld !== undefined) throw new Failure('denied', own.tool.withheld)
  if (own !== undefined && isOffered(name)) return { registered: own, input }
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  const meant = alias && registry.find(alias.tool)
  if (alias && meant && isOffered(alias.tool)) return { registered: meant, input: adaptInput(alias, input) }
  throw unknownTool(name, registry, (tool) => described === undefined || described.has(tool))
}

/** Fails when a tool has been taken away or replaced since its call was understood: servers come and go meanwhile. */
export function checkStillThere(registered: RegisteredTool, registry: Registry): void {
  const { name } = registered.tool
  const now = registry.find(name)
  if (now === registered) return
  if (now === undefined) throw unknownTool(name, registry)
  throw new Failure('conflict', `The tool ${name} has changed since this call was shown, so nothing was done.`, {
    modelHint: 'Call it again.',
  })
}

function unknownTool(name: string, registry: Registry, isOffered: (tool: string) => boolean = () => true): Failure {
  const names = registry.all().flatMap(({ tool }) => (isOffered(tool.name) ? [tool.name] : []))
  const near = nearestNames(name, names)
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Available tools: ${names.join(', ')}.`
  return new Failure('unknown-tool', `Unknown tool: ${name.slice(0, 100)}.`, { hint, data: { near } })
}

/** Arguments may still be JSON text here; invalid JSON is left for validation to report. */
function adaptInput(alias: Alias, input: unknown): unknown {
  try {
    const value: unknown = typeof input === 'string' && input !== '' ? JSON.parse(input) : (input ?? {})
    return isRecord(value) && alias.adapt ? alias.adapt(value) : input
  } catch {
    return input
  }
}

/** Names other systems use for our tools, and how their arguments read in ours. Served, never advertised. */
export const aliases: Record<string, Alias> = {
  localSearch: {
    tool: 'search_notes',
    adapt: ({ query, salientTerms, timeRange }) => ({ query, salient_terms: salientTerms, time_range: timeRange }),
  },
  // The conversation stays here: a search service gets the query and nothing else.
  webSearch: { tool: 'web_search', adapt: ({ query, limit }) => ({ query, limit }) },
  getFileTree: { tool: 'get_file_tree', adapt: ({ folder, depth }) => ({ folder, depth }) },
  getCurrentTime: {
    tool: 'get_current_time',
    adapt: ({ timezoneOffset, timezone }) => ({ timezone: timezone ?? timezoneOffset }),
  },
  getTimeRangeMs: { tool: 'get_time_range', adapt: ({ timeExpression }) => ({ expression: timeExpression }) },
  convertTimeBetweenTimezones: {
    tool: 'convert_timezone',
    adapt: ({ time, fromOffset, toOffset }) => ({ time, from: fromOffset, to: toOffset }),
  },
  getTagList: { tool: 'get_tag_list', adapt: () => ({}) },
  readNote: {
    tool: 'read_note',
    adapt: ({ notePath, path, chunkIndex }) => ({ path: path ?? notePath, part: partNumber(chunkIndex) }),
  },
  writeToFile: { tool: 'write_note', adapt: noteToWrite },
  writeFile: { tool: 'write_note', adapt: noteToWrite },
  replaceInFile: { tool: 'edit_note', adapt: ({ path, diff }) => ({ path, diff }) },
  editFile: {
    tool: 'edit_note',
    adapt: ({ path, oldText, newText }) => ({ path, old_text: oldText, new_text: newText }),
  },
  list_changes: { tool: 'undo_changes', adapt: () => ({ list: true }) },
  undo_last_change: { tool: 'undo_changes', adapt: () => ({}) },
  updateMemory: { tool: 'remember', adapt: ({ statement, text }) => ({ text: text ?? statement }) },
  indexTool: { tool: 'index_vault', adapt: () => ({}) },
  indexVault: { tool: 'index_vault', adapt: () => ({}) },
  pomodoroTool: {
    tool: 'pomodoro',
    adapt: ({ action, minutes, interval }) => ({ action: action ?? 'start', minutes: minutes ?? minutesOf(interval) }),
  },
  youtubeTranscription: { tool: 'youtube_transcription', adapt: ({ url }) => ({ url }) },
}

interface Alias {
  tool: string
  adapt?(input: Record<string, unknown>): Record<string, unknown>
}

/** Chunks are counted from 0, parts from 1; either may come as text. */
function partNumber(chunkIndex: unknown): unknown {
  return /^\d+$/.test(scalarText(chunkIndex)) ? Number(chunkIndex) + 1 : chunkIndex
}

/** Structured content (a canvas) arrives as an object. */
function noteToWrite({ path, content }: Record<string, unknown>): Record<string, unknown> {
  return { path, content: typeof content === 'object' && content !== null ? JSON.stringify(content, null, 2) : content }
}

/** "25min", "25 minutes" or 25. */
function minutesOf(interval: unknown): unknown {
  const read = /^(\d+)\s*(?:m|min|mins|minutes?)?$/i.exec(scalarText(interval).trim())
  return read ? Number(read[1]) : interval
}
