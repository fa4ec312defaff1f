/** What stands in a line of Markdown. Plain data: drawn as nodes, never as HTML. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'emphasis' | 'strong' | 'strike' | 'mark'; inner: Inline[] }
  /** To an address elsewhere. */
  | { kind: 'link'; target: string; inner: Inline[] }
  /** To a note of the vault. An embed is a link too: nothing is loaded by being shown. */
  | { kind: 'note-link'; target: string; label: string; embed: boolean }
  /** Never loaded: shown as words with where it lies. */
  | { kind: 'picture'; target: string; label: string }
  | { kind: 'break' }

export type Block =
  | { kind: 'paragraph'; inner: Inline[] }
  | { kind: 'heading'; level: number; inner: Inline[] }
  | { kind: 'code'; info: string; text: string }
  /** A callout has words of its own above it, or none. */
  | { kind: 'quote'; callout?: { kind: string; title: Inline[] }; blocks: Block[] }
  | { kind: 'list'; start?: number; items: ListItem[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' }
  /** HTML and what is nested too deep: its source, as text. */
  | { kind: 'source'; text: string }

export interface ListItem {
  /** Of a task. */
  done?: boolean
  blocks: Block[]
}
