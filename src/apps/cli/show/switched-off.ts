import { builtInTools, registry, toolNamed } from '../../../core/tools/index.js'

/** How to switch a tool on that was called though it is off; undefined where no tool has that name. */
export function switchedOff(name: string): string | undefined {
  const tool = toolNamed(name, registry(builtInTools))?.tool
  return tool && `${tool.title} is switched off. To switch it on: notewright tool enable ${tool.name}`
}
