import { Failure } from '../errors.js'
import { isRecord } from '../is-record.js'
import { nearestNames } from '../names/index.js'
import { type Alias, aliases } from './aliases.js'
import type { RegisteredTool, Registry } from './registry.js'
import type { ToolCall } from './run/tool-call.js'

/** The tool a call means, also by a name other systems use, with its arguments as the tool wants them. */
export function findTool(
  registry: Registry,
  { name, input }: Pick<ToolCall, 'name' | 'input'>,
  offered?: ReadonlySet<string>,
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
  if (alias && meant && isOffered(alias.tool)) return { registered: meant, input: adapted(alias, input) }
  throw unknownTool(name, registry, isOffered)
}

/** Fails when a tool has been taken away or replaced since its call was understood: servers come and go meanwhile. */
export function checkStillThere(registered: RegisteredTool, registry: Registry): void {
  const { name } = registered.tool
  const now = registry.find(name)
  if (now === registered) return
  if (now === undefined) throw unknownTool(name, registry)
  throw new Failure('conflict', `The tool ${name} was replaced meanwhile, so nothing was done.`, {
    hint: 'Call it again.',
  })
}

function unknownTool(name: string, registry: Registry, isOffered: (tool: string) => boolean = () => true): Failure {
  const names = registry.all().flatMap(({ tool }) => (isOffered(tool.name) ? [tool.name] : []))
  const near = nearestNames(name, names)
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Available tools: ${names.join(', ')}.`
  return new Failure('unknown-tool', `Unknown tool: ${name.slice(0, 100)}.`, { hint, data: { near } })
}

/** Arguments may still be JSON text here; what cannot be read is left as it is, for validation to complain about. */
function adapted(alias: Alias, input: unknown): unknown {
  try {
    const value: unknown = typeof input === 'string' && input !== '' ? JSON.parse(input) : (input ?? {})
    return isRecord(value) && alias.adapt ? alias.adapt(value) : input
  } catch {
    return input
  }
}
