import type { BlockId, Frontmatter, Heading, NoteLink, Task } from './scanned-note.js'

/** A passage of a note: what search scores and shows. Chunks of a note are in order and do not overlap. */
export interface Chunk {
  /** Position among the note's chunks, from 0. */
  ordinal: number
  /** Text of the nearest heading above or at the chunk's start; '' before the first. */
  heading: string
  /** UTF-16 offsets into the note's text. */
  start: number
  end: number
  /** First and last line, 1-based, inclusive. */
  lines: [number, number]
  text: string
}

/** What the index keeps of a note. Made by `parseNote`, a pure function. */
export interface ParsedNote {
  /** Shown title: frontmatter `title`, else the only level-1 heading where it opens the body, else the file name. */
  title: string
  /** The level-1 heading that opens the body: searched like a name, also where it is one section of several. */
  opening?: string
  aliases: string[]
  /** Unique tags without `#`, inline and frontmatter, as first written. */
  tags: string[]
  /** Frontmatter as plain data (JSON-safe); null when there is none or it could not be read. */
  properties: Record<string, unknown> | null
  frontmatter?: Frontmatter
  /** Text and numbers of the frontmatter, one value per line, for search (no keys, no nested objects; title, aliases, tags left out). */
  propertyText: string
  /** `private: true` (also when the YAML around it is broken): the note must answer as if it were not there. */
  isPrivate: boolean
  /** From frontmatter (`created`, `date`, …), else a daily-note file name; milliseconds, local midnight for plain dates. */
  createdMs?: number
  headings: Heading[]
  blocks: BlockId[]
  tasks: Task[]
  links: NoteLink[]
  chunks: Chunk[]
}
