import { Failure } from '../errors.js'
import { type Category, categories, type Tool, type ToolWords } from './tool.js'

export interface RegisteredTool {
  tool: Tool
  /** `built-in`, `custom`, or `mcp:<server>`. */
  source: string
}

/** The tools there are. A value: each session may have its own. */
export interface Registry {
  /** Refuses a name that is taken, or that could be mistaken for one that is. */
  register(tool: Tool, source?: string): void
  registerAll(tools: readonly Tool[], source?: string): void
  /** Takes out everything that came from one source. */
  unregister(source: string): void
  find(name: string): RegisteredTool | undefined
  /** In order of registration. */
  all(): RegisteredTool[]
  byCategory(): Map<Category, Tool[]>
  /** Those a person can switch on and off. */
  configurable(): Tool[]
  /** The toolset for a list of ids: always-on tools and those listed; without a vault, only those that need none. */
  enabled(ids: ReadonlySet<string>, surroundings: { vault: boolean }): Tool[]
  metadata(name: string): ToolWords | undefined
  clear(): void
}

export function registry(tools: readonly Tool[] = []): Registry {
  const registered = new Map<string, RegisteredTool>()
  const bySkeleton = new Map<string, string>()

  const self: Registry = {
    register(tool, source = 'built-in') {
      if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(tool.name)) {
        throw new Failure('invalid-input', `Not a tool name: ${JSON.stringify(tool.name.slice(0, 100))}`, {
          hint: 'Letters, digits, - and _, at most 64, beginning with a letter.',
        })
      }
      const taken = registered.has(tool.name) ? tool.name : bySkeleton.get(skeleton(tool.name))
      if (taken !== undefined) {
        const how = taken === tool.name ? 'is already taken' : `could be mistaken for ${taken}`
        throw new Failure('invalid-input', `The tool name ${tool.name} ${how}.`)
      }
      registered.set(tool.name, { tool, source })
      bySkeleton.set(skeleton(tool.name), tool.name)
    },
    registerAll(several, source) {
      for (const tool of several) self.register(tool, source)
    },
    unregister(source) {
      for (const [name, entry] of registered) {
        if (entry.source !== source) continue
        registered.delete(name)
        bySkeleton.delete(skeleton(name))
      }
    },
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
      return tools.filter((tool) => (tool.alwaysOn || ids.has(tool.name)) && (vault || !tool.needsVault))
    },
    metadata(name) {
      const tool = registered.get(name)?.tool
      if (tool === undefined) return undefined
      const { title, description, activity, category, effects, guidance, alwaysOn, offByDefault } = tool
      const { needsVault, background, timeoutMs } = tool
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
        needsVault,
        background,
        timeoutMs,
      }
    },
    clear() {
      registered.clear()
      bySkeleton.clear()
    },
  }
  self.registerAll(tools)
  return self
}

/** Ids of the tools that are on when nobody chose. */
export function defaultToolset(tools: Registry): Set<string> {
  return new Set(tools.all().flatMap(({ tool }) => (tool.offByDefault ? [] : [tool.name])))
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
