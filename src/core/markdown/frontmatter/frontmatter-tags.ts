import type { Tag } from '../scanned-note.js'
import type { YamlString } from './yaml-value.js'

/** Tags of the `tags` and `tag` properties: a list, or one string parted by commas or spaces. */
export function frontmatterTags(strings: YamlString[], lineOf: (offset: number) => number): Tag[] {
  const tags: Tag[] = []
  for (const { property, value, start, end, isVerbatim } of strings) {
    const key = property.toLowerCase()
    if (key !== 'tags' && key !== 'tag') continue
    for (const match of value.matchAll(/[^\s,]+/g)) {
      const name = withoutSlashes(match[0].replace(/^#+/, ''))
      if (name === '' || /^\d+$/.test(name)) continue
      const at = start + match.index
      const span = isVerbatim ? { start: at, end: at + match[0].length } : { start, end }
      tags.push({ name, from: 'frontmatter', line: lineOf(span.start), ...span })
    }
  }
  return tags
}

function withoutSlashes(name: string): string {
  let end = name.length
  while (end > 0 && name[end - 1] === '/') end--
  return name.slice(0, end)
}
