import type { Frontmatter } from '../scanned-note.js'
import { findFrontmatter } from './find-frontmatter.js'
import { readFullYaml, yamlLimits } from './read-full-yaml.js'
import { readPlainYaml } from './read-plain-yaml.js'
import type { YamlString } from './yaml-value.js'

/** Frontmatter with the places of its strings, for the links and tags in them. */
export interface FrontmatterReading {
  frontmatter: Frontmatter
  strings: YamlString[]
}

/** Reads a note's frontmatter; undefined when it has none. YAML that cannot be read leaves `errors`, and never throws. */
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
