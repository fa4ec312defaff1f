import { builtInTools, findToolById, registry, type Tool } from '../../../core/tools/index.js'

/** A usual call of a tool as a user would type it. */
export function exampleCall({ name, example }: Pick<Tool, 'name' | 'example'>): string {
  const input = JSON.stringify(example ?? {}).replaceAll("'", "'\\''")
  return `notewright tool call ${name}${input === '{}' ? '' : ` --input '${input}'`}`
}

/** The hint for enabling a tool that is off; undefined for an unknown tool. */
export function switchedOff(name: string): string | undefined {
  const tool = findToolById(name, registry(builtInTools))?.tool
  return tool && `${tool.title} is turned off. To turn it on: notewright tool enable ${tool.name}`
}
