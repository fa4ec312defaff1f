import { citationLink } from './citation-link.js'
import { recordsIn, textOf } from './result-data.js'

/** The notes that link to a note, each once. */
export function backlinkList(name: string, text: string): string {
  const { data, remarks } = recordsIn(text)
  const counts = new Map<string, number>()
  for (const { source_path } of data) counts.set(textOf(source_path), (counts.get(textOf(source_path)) ?? 0) + 1)
  if (counts.size === 0) return `No other note links to ${name}.`
  const lines = [...counts].map(([path, count]) => `- ${citationLink(path)}${count > 1 ? ` (${count} links)` : ''}`)
  return listed(`${counts.size === 1 ? 'One note links' : `${counts.size} notes link`} to ${name}:`, lines, remarks)
}

/** Where a note's links lead, each place once. */
export function forwardLinkList(name: string, text: string): string {
  const { data, remarks } = recordsIn(text)
  const lines = data.map(({ target_path, target }) => {
    if (typeof target_path === 'string') return `- ${citationLink(target_path)}`
    return `- ${textOf(target)
      .replace(/[[\]`\n]/g, ' ')
      .trim()} (leads to no note)`
  })
  if (lines.length === 0) return `There are no links in ${name}.`
  return listed(`Links in ${name}:`, [...new Set(lines)], remarks)
}

export const listed = (heading: string, lines: readonly string[], remarks: readonly string[]): string =>
  [[heading, '', ...lines].join('\n'), ...remarks].join('\n\n')
