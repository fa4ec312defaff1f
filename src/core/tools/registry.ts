import { Failure } from '../errors.js'
import { type ForeignTool, isOfferable, offeredName } from './offered-name.js'
import { type Category, categories, type Tool, type ToolWords } from './tool.js'

export interface RegisteredTool {
  tool: Tool
  /** `built-in`, `custom`, `custom:<path of its module>`, or `mcp:<server>`. */
  source: string
  /** Which tool of which server it is; its own name is the one it is offered by. */
  foreign?: ForeignTool
}

export type OwnSource = 'built-in' | 'custom' | `custom:${string}`

/** The tools there are. A value: each session may have its own. */
export interface Registry {
  /** Refuses a name that is taken, or that could be mistaken for one that is. */
  register(tool: Tool, source?: OwnSource): void
  registerAll(tools: readonly Tool[], source?: OwnSource): void
  /** The tools of an MCP server, named as it names them, in place of those it had. Off until someone enables them. */
  registerServer(server: string, tools: readonly Tool[]): void
  /** Takes out everything that came from one source. */
  unregister(source: string): void
  find(name: string): RegisteredTool | undefined
  /** In order of registration. */
  all(): RegisteredTool[]
  byCategory(): Map<Category, Tool[]>
  /** Those a person can switch on and off. */
  configurable(): Tool[]
  /** The tools for a list of ids: always-on tools and those listed; without a vault, only those that need none. */
  enabled(ids: ReadonlySet<string>, surroundings: { vault: boolean }): Tool[]
  metadata(name: string): ToolWords | undefined
  clear(): void
  /** Told of what came and went, once for each call that changed something. Answers how to stop it. */
  onChange(listener: (change: RegistryChange) => void): () => void
}

/** A tool that is replaced has gone and come. */
export interface RegistryChange {
  came: readonly RegisteredTool[]
  went: readonly RegisteredTool[]
}

export function registry(tools: readonly Tool[] = []): Registry {
  const registered = new Map<string, RegisteredTool>()
  /** Names by what they look like, but for those of servers: they all begin with the server's. */
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
          throw notAName('tool', name, 'Letters, digits, - and _, at most 64, beginning with a letter.')
        const like = registered.has(name) ? name : names.get(skeleton(name))
        if (like !== undefined) throw taken(name, like)
        names.set(skeleton(name), name)
      }
      change(
        [],
        several.map((tool) => ({ tool, source })),
      )
    },
    registerServer(server, several) {
      if (!isServerName(server)) throw notAName('server', server, 'Letters, digits, ., - and _, at most 40.')
      const went = self.all().filter(({ foreign }) => foreign?.server === server)
      const came = several.map((tool) => fromServer(server, tool, (name) => bySkeleton.has(skeleton(name))))
      const free = new Set(went.map(({ tool }) => tool.name))
      for (const [at, { tool }] of came.entries()) {
        const isTwice = came.findIndex((other) => other.tool.name === tool.name) < at
        if (isTwice || (registered.has(tool.name) && !free.has(tool.name))) throw taken(tool.name)
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

/** Ids of the tools that are on when nobody chose. */
export function defaultToolset(tools: Registry): Set<string> {
  return new Set(tools.all().flatMap(({ tool }) => (tool.offByDefault ? [] : [tool.name])))
}

function fromServer(server: string, tool: Tool, isLike: (name: string) => boolean): RegisteredTool {
  if (!isForeignName(tool.name)) throw notAName('tool', tool.name, `The server ${server} calls one so.`)
  const foreign = { server, tool: tool.name }
  const name = offeredName(foreign, isLike)
  return { tool: { ...tool, name, alwaysOn: false, offByDefault: true }, source: `mcp:${server}`, foreign }
}

// What a rule can name as mcp(server/tool): a server has no slash, a tool is not `*`, and nothing in it is hidden.
const isServerName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,39}$/.test(name)
const isForeignName = (name: string): boolean =>
  name.length <= 128 && name !== '*' && name === name.trim() && /^\P{C}+$/u.test(name)

function notAName(what: string, name: string, hint: string): Failure {
  return new Failure('invalid-input', `Not a ${what} name: ${JSON.stringify(name.slice(0, 100))}`, { hint })
}

function taken(name: string, like = name): Failure {
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
