/** Half-open range of UTF-16 offsets into the note's text, as for `String.slice`. */
export interface Span {
  start: number
  end: number
}

export type LinkKind = 'wikilink' | 'embed' | 'markdown' | 'reference' | 'frontmatter' | 'external'

/** The syntax of a link, which decides how it is rewritten. `definition` is `[label]: destination`. */
export type LinkSyntax = 'wiki' | 'inline' | 'definition' | 'autolink'

export interface NoteLink extends Span {
  kind: LinkKind
  syntax: LinkSyntax
  /** The whole link as written, e.g. `![[Plan#Goals|the plan]]`. */
  raw: string
  /** Path part, ready to resolve: percent-decoded for Markdown links, `\|` undone in tables; '' means this note. */
  target: string
  /** `#Heading`, `#H1#H2`, `#^block`, `#page=3`; absent when there is none. */
  subpath?: string
  /** Display text as written: after `|`, or between the brackets of a Markdown link. */
  display?: string
  /** 1-based line of `start`. */
  line: number
  /**
   * The span of the path part, without subpath, brackets, `<>` or title: a rename replaces it.
   * Empty with a non-empty `target` when the path has no span of its own (a frontmatter value with YAML escapes in the link).
   */
  targetSpan: Span
  /** The span of the subpath as written, `#` included. Absent without a subpath, or without a span of its own. */
  subpathSpan?: Span
  /** For Markdown destinations with a `?`: the path before it, which is the whole path where links are URLs. */
  beforeQuery?: { target: string; targetSpan: Span }
  /** For Markdown destinations: written inside `<...>`. */
  angled?: boolean
  /** Inside a table row, where `|` must stay `\|`. */
  inTable?: boolean
  /** For frontmatter links: the property's key. */
  property?: string
}

export interface Heading extends Span {
  level: number
  /** Heading text without marks, closing `#`s and surrounding space. */
  text: string
  line: number
}

export interface Tag extends Span {
  /** Without `#`, as written: `Projects/alpha`. */
  name: string
  line: number
  from: 'inline' | 'frontmatter'
}

/** A block id such as `^a1b2c3`; span and line are those of the id. */
export interface BlockId extends Span {
  id: string
  line: number
}

/** A list item with a checkbox; the span runs from its list marker to the end of that line. */
export interface Task extends Span {
  /** The character between the brackets: ' ' is open, 'x' is done, plugins use others. */
  status: string
  text: string
  line: number
}

/** `html` is a raw block: `<script>`, `<style>`, `<pre>` or `<textarea>`. */
export type RegionKind =
  | 'frontmatter'
  | 'fence'
  | 'indented-code'
  | 'code-span'
  | 'math'
  | 'comment'
  | 'html-comment'
  | 'html'

/** A span in which Markdown syntax does not count. (In a `comment`, `%%...%%`, links still count, as in Obsidian.) */
export interface Region extends Span {
  kind: RegionKind
}

export interface Frontmatter extends Span {
  /** Range of the YAML between the fences. */
  yaml: Span
  /** Null-prototype object; undefined when the YAML could not be read (see `errors`). */
  data?: Record<string, unknown> | undefined
  errors: string[]
}

/** The result of scanning a note. */
export interface ScannedNote {
  frontmatter?: Frontmatter | undefined
  headings: Heading[]
  links: NoteLink[]
  tags: Tag[]
  blocks: BlockId[]
  tasks: Task[]
  regions: Region[]
  /** Offset of each line; `lineStarts[0]` is 0, even with a BOM. There is no line after a final line break. */
  lineStarts: Int32Array
}
