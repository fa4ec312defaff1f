import type { SearchRequest } from './search-request.js'

/** A search as it was typed: what to look for, and what the notes must or must not be, as in Obsidian's search. */
export interface SearchText {
  /** What is left to look for; quoted phrases stay in it. */
  text: string
  /** Words and phrases behind a minus: notes that hold them are no answers. */
  excluded: string[]
  tags: string[]
  notTags: string[]
  paths: string[]
  notPaths: string[]
}

/** Reads `tag:`, `path:` and a minus before any of them or before a word or phrase. Everything else is text. */
export function readSearchText(query: string): SearchText {
  const read: SearchText = { text: '', excluded: [], tags: [], notTags: [], paths: [], notPaths: [] }
  const rest: string[] = []
  for (const [part] of query.matchAll(parts)) {
    const { minus, operator, value } = partOf(part)
    if (operator === 'tag' && value !== '') (minus ? read.notTags : read.tags).push(value)
    else if (operator === 'path' && value !== '') (minus ? read.notPaths : read.paths).push(value)
    else if (minus && operator === undefined) read.excluded.push(value)
    else rest.push(part)
  }
  read.text = rest.join(' ')
  return read
}

/** The request with what its query says of notes beside what it already asked for. */
export function withFilters(request: SearchRequest, { tags, notTags, paths, notPaths }: SearchText): SearchRequest {
  return {
    ...request,
    ...(tags.length > 0 && { tags: [...(request.tags ?? []), ...tags] }),
    ...(notTags.length > 0 && { notTags }),
    ...(paths.length > 0 && { paths }),
    ...(notPaths.length > 0 && { notPaths }),
  }
}

const excludable = /^(?:"[^"]*[\p{L}\p{N}]|[\p{L}\p{N}]{2}|\p{Script=Han})/u

// A run without spaces; quotes keep spaces together.
const parts = /(?:[^\s"]*"[^"]*"|[^\s"]|")[^\s"]*/g

function partOf(part: string): { minus: boolean; operator?: 'tag' | 'path'; value: string } {
  const {
    minus,
    operator,
    value = '',
  } = /^(?<minus>-)?(?:(?<operator>tag|path):)?(?<value>.*)$/su.exec(part)?.groups ?? {}
  const bare = value.replaceAll('"', '').trim()
  // A minus before a sign or a single letter is punctuation or an option of a command, as in `--verbose` or `-s`.
  const excludes = minus !== undefined && (operator !== undefined || excludable.test(value))
  return { minus: excludes, operator: operator as 'tag' | 'path' | undefined, value: bare }
}
