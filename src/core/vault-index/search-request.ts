import type { NotePath } from '../vault/index.js'

export type Rank = 'hybrid' | 'lexical' | 'semantic'

export interface SearchRequest {
  /** Words, "phrases", and `tag:`, `path:` and `-word` as in Obsidian's search. */
  query: string
  /** Default 10. */
  limit?: number
  rank?: Rank
  /** With or without `#`; all must match. */
  tags?: string[]
  notTags?: string[]
  folder?: string
  /** Parts of paths that all must match, and that none may. */
  paths?: string[]
  notPaths?: string[]
  /** Only these notes, whatever else is asked. */
  among?: ReadonlySet<NotePath>
  /** Property name to wanted value. */
  properties?: Record<string, string>
  /** ISO 8601 date or date-time, inclusive. */
  after?: string
  /** ISO 8601; a plain date includes that whole day. */
  before?: string
  dateField?: 'modified' | 'created' | 'any'
  /** Several passages of one note instead of its best one. */
  passages?: boolean
  /** The whole passage with each hit, not only its preview. */
  texts?: boolean
  explain?: boolean
}

/** `fresh`, or how many files the index has yet to look at, or that damage cost it what searching by meaning needs. */
export type Freshness = 'fresh' | `catching up (${number} left)` | 'without vectors'

export interface SearchHit {
  path: NotePath
  title: string
  /** Nearest heading above the passage; '' when there is none. */
  heading: string
  /** First and last line of the passage, 1-based, inclusive. */
  lines: [number, number]
  preview: string
  /** The passage as it stands in the note, with `texts`. */
  text?: string
  /** 0 to 1, best first. */
  score: number
  /** Contributions of each part, with `explain`. */
  why?: Record<string, unknown>
}

export interface SearchAnswer {
  query: string
  freshness: Freshness
  /** Words the vault does not contain, with the nearest word searched instead. */
  corrected?: Record<string, string>
  /** What the query said after a minus: no hit holds it. */
  excluded?: string[]
  /** The quoted phrase was found nowhere; hits are for its words. */
  phraseMissed?: boolean
  /** What the answer had to do without, and what to do about it: a provider's model that is away. */
  notice?: string
  hits: SearchHit[]
}
