import { Failure } from '../../../core/errors.js'
import {
  aliases,
  findTool,
  guidanceFor,
  inputSchema,
  outputSchema,
  type Tool,
  toolId,
  toolNamed,
} from '../../../core/tools/index.js'
import { type ConfiguredTools, configuredTools } from './configured-tools.js'
import type { Setup } from './read-setup.js'
import { switchTools } from './switch-tools.js'

/** A tool in a list. */
export function toolRow(tool: Tool, enabled: ReadonlySet<string>) {
  const { name, title, description, category, effects, alwaysOn } = tool
  return {
    name,
    title,
    description,
    category,
    effects,
    enabled: enabled.has(name),
    ...(alwaysOn && { alwaysOn }),
    inputSchema: inputSchema(tool),
  }
}

export function toolRows({ registry, toolset }: ConfiguredTools) {
  return registry.all().map(({ tool, source }) => {
    return { ...toolRow(tool, toolset.names), ...(source !== 'built-in' && { source }) }
  })
}

/** Everything about one tool, with what a model is told about using it. */
export function toolDetails({ registry, toolset }: ConfiguredTools, name: string) {
  const { tool, source } = findTool(registry, { name, input: {} }).registered
  const setting = toolset.guidance[tool.name]
  return {
    ...registry.metadata(tool.name),
    source,
    enabled: toolset.names.has(tool.name),
    aliases: Object.keys(aliases).filter((alias) => aliases[alias].tool === tool.name),
    guidance: guidanceFor(tool, setting),
    ...(setting?.addGuidance && { addGuidance: setting.addGuidance }),
    example: tool.example,
    inputSchema: inputSchema(tool),
    outputSchema: outputSchema(tool),
  }
}

/** Switches one tool on or off, ours or as `server/tool`. Answers its own name. */
export async function switchTool(
  setup: Setup,
  name: string,
  isOn: boolean,
): Promise<{ name: string; enabled: boolean; waits: boolean }> {
  const { registry } = await configuredTools(setup)
  const found = name.includes('/') ? toolNamed(name, registry) : findTool(registry, { name, input: {} }).registered
  const id = found ? toolId(found) : name
  if (found?.tool.alwaysOn && !isOn) throw new Failure('invalid-input', `${id} is always on.`)
  await switchTools(setup, [id], isOn)
  return { name: found?.tool.name ?? name, enabled: isOn, waits: found === undefined }
}
