import type { Result } from '../prompt/index.js'
import { citationLink } from './citation-link.js'
import { recordsIn, textOf } from './result-data.js'

/** What a tool said about a missing note, and the notes that may have been meant. Which one, only the person can say. */
export function candidateText(said: string, search: Result | undefined): string {
  const hits = search === undefined || search.isError ? [] : recordsIn(search.text).data
  const paths = [...new Set(hits.map(({ path }) => textOf(path)))].filter((path) => path !== '').slice(0, 5)
  if (paths.length === 0) return said
  return [said, '', 'Did you mean one of these?', ...paths.map((path) => `- ${citationLink(path)}`)].join('\n')
}
