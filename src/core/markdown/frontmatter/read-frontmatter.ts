import type { Frontmatter } from '../scanned-note.js'
import { findFrontmatter } from './find-frontmatter.js'
import { readFullYaml, yamlLimits } from './full-yaml.js'
import { readPlainYaml, type YamlString } from './plain-yaml.js'

/** Frontmatter with the spans of its strings, for the links and tags in them. */
interface FrontmatterReading {
  frontmatter: Frontmatter
  strings: YamlString[]
}

/** Reads a note's frontmatter; undefined when it has none. Never throws: invalid YAML is reported in `errors`. */
export function readFrontmatter(text: string): Frontmatter | undefined {
  return readFrontmatterStrings(text)?.frontmatter
}

export function readFrontmatterStrings(text: string): FrontmatterReading | undefined {
  const fence = findFrontmatter(text)
  if (fence === undefined) return undefined
  const { start, end, yaml } = fence
  const plain = yaml.end - yaml.start > yamlLimits.size ? undefined : readPlainYaml(text, yaml.start, yaml.end)
  if (plain !== undefined) {
    return { frontmatter: { start, end, yaml, data: plain.data, errors: [] }, strings: plain.strings }
  }
  const { reading, errors } = readFullYaml(text.slice(yaml.start, yaml.end), yaml.start)
  return { frontmatter: { start, end, yaml, data: reading?.data, errors }, strings: reading?.strings ?? [] }
}

/** A note's properties for display, with numbers as written; null when there are none or they cannot be read. */
export function displayProperties(text: string): Record<string, unknown> | null {
  const fence = findFrontmatter(text)
  if (fence === undefined) return null
  const { start, end } = fence.yaml
  return readFullYaml(text.slice(start, end), start, 'as written').reading?.data ?? null
}
