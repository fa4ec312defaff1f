import { findFrontmatter } from './find-frontmatter.js'
import { readFullYaml } from './read-full-yaml.js'

/** A note's properties for someone to look at: numbers as their author wrote them. null where there are none to read. */
export function writtenProperties(text: string): Record<string, unknown> | null {
  const fence = findFrontmatter(text)
  if (fence === undefined) return null
  const { start, end } = fence.yaml
  return readFullYaml(text.slice(start, end), start, 'as written').reading?.data ?? null
}
