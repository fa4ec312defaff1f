import { Failure } from '../../core/errors.js'
import {
  builtInTools,
  defaultToolset,
  findTool,
  type GuidanceSetting,
  type Registry,
  registry,
} from '../../core/tools/index.js'
import type { Config } from '../../hosts/node/config/index.js'

export interface ToolShelf {
  registry: Registry
  /** Names of the tools that are on. */
  enabled: Set<string>
  guidance: Record<string, GuidanceSetting>
}

/** The tools there are and which of them the settings switch on. A name no tool has is an error: it would do nothing. */
export function toolShelf(config: Pick<Config, 'tools'>): ToolShelf {
  const tools = registry(builtInTools)
  const { enabled: ids, calling: _calling, ...guidance } = config.tools
  const settings = guidance as Record<string, GuidanceSetting>
  for (const name of [...(ids ?? []), ...Object.keys(settings)]) checkName(tools, name)
  const always = tools.all().flatMap(({ tool }) => (tool.alwaysOn ? [tool.name] : []))
  return { registry: tools, enabled: ids ? new Set([...ids, ...always]) : defaultToolset(tools), guidance: settings }
}

function checkName(tools: Registry, name: string): void {
  if (tools.find(name) !== undefined) return
  try {
    findTool(tools, { name, input: {} })
  } catch (error) {
    if (error instanceof Failure) throw new Failure('invalid-input', `Settings: ${error.message}`, error.details)
    throw error
  }
}
