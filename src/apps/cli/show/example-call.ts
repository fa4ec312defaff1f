import type { Tool } from '../../../core/tools/index.js'

/** A usual call of a tool as a person would type it. */
export function exampleCall({ name, example }: Pick<Tool, 'name' | 'example'>): string {
  const input = JSON.stringify(example ?? {}).replaceAll("'", "'\\''")
  return `notewright tool call ${name}${input === '{}' ? '' : ` --input '${input}'`}`
}
