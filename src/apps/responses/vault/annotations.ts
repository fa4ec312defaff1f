import type { Citation } from '../../../core/agent/index.js'
import type { Annotation } from '../items.js'

/** What an answer names of the vault, as places in its text that lead to the note in Obsidian. */
export function annotationsOf(citations: readonly Citation[], text: string, vault: string): Annotation[] {
  let from = 0
  return citations.flatMap(({ path, raw, heading, lines }): Annotation[] => {
    if (path === undefined) return []
    const found = raw === '' ? -1 : text.indexOf(raw, from)
    const at = found === -1 && raw !== '' ? text.indexOf(raw) : found
    if (found !== -1) from = found + raw.length
    const [start, end] = at === -1 ? [text.length, text.length] : [at, at + raw.length]
    return [
      {
        type: 'url_citation',
        start_index: start,
        end_index: end,
        url: noteUrl(vault, path, heading),
        title: [path, heading, lines && `lines ${lines[0]}–${lines[1]}`].filter(Boolean).join(', '),
      },
    ]
  })
}

/** https://help.obsidian.md/uri: a heading follows the file after a #. */
function noteUrl(vault: string, path: string, heading?: string): string {
  const file = heading === undefined ? path : `${path}#${heading}`
  return `obsidian://open?vault=${encodeURIComponent(vault)}&file=${encodeURIComponent(file)}`
}
