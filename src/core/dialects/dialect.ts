// A dialect: how a family of models writes calls, and the input of its parser.

import type { EventQueue } from './events.js'
import type { ParseGenerator, TextSource } from './source.js'

/** A text that may open a call. */
export interface Marker {
  text: string
  /** One of these characters must follow. */
  next?: string
  /** `text` starts a tag, such as `<tool_call`: any case and attributes match, longer names do not. */
  tag?: boolean
  /** Not inside a word. */
  word?: boolean
  /** The only valid position: at the start of a line, or before any visible text. */
  place?: 'line-start' | 'reply-start'
  /** Too common to be a marker, so it counts only if the dialect is chosen by name. */
  bare?: boolean
}

/** Everything a dialect needs to read one call. */
export interface Block {
  source: TextSource
  events: EventQueue
  find: FindTool
  /** True if any tool may be called. */
  offersTools: boolean
  /** Maximum length of one call in characters. */
  limit: number
  /** Open frames around visible text, by the name of the dialect that opened them. */
  frames: Set<string>
  /** Confirms that this is a call: from here on nothing returns to the text. */
  commit(): void
}

/** How a family of models writes calls. */
export interface Dialect {
  /** The names to choose it by; the reference of dialects uses the same. */
  names: readonly string[]
  markers: readonly Marker[]
  /** The dialect also frames reasoning and visible text, so it is read even if no tool may be called. */
  isFrame?: boolean
  /**
   * Reads and reports what follows a marker. Returns false, before anything was reported or committed, if it is no
   * call; then the marker is text.
   */
  read(block: Block, marker: Marker): ParseGenerator<boolean>
}

export function defineDialect<const Name extends string>(
  dialect: Dialect & { names: readonly Name[] },
): Dialect & { names: readonly Name[] } {
  return dialect
}

/** A JSON Schema, as far as reading a call needs it. */
export type ArgumentSchema = Readonly<Record<string, unknown>>

/** A tool that may be called, as the reader needs it. */
export interface ReaderTool {
  name: string
  /** JSON Schema of the arguments object. */
  inputSchema: ArgumentSchema
  /** Other names of the tool. A call keeps the name it was made with. */
  aliases?: readonly string[]
}

export interface DeclaredTool {
  /** As declared. */
  name: string
  inputSchema: ArgumentSchema
}

/** Finds a tool by the name a model wrote: the exact name, or the only one that differs just in case. */
export type FindTool = (name: string) => DeclaredTool | undefined

export function toolFinder(tools: readonly ReaderTool[]): FindTool {
  const exact = new Map<string, DeclaredTool>()
  const folded = new Map<string, DeclaredTool[]>()
  for (const { name, inputSchema, aliases = [] } of tools) {
    for (const known of [name, ...aliases]) {
      if (exact.has(known)) continue
      const entry = { name: known, inputSchema }
      exact.set(known, entry)
      folded.set(known.toLowerCase(), [...(folded.get(known.toLowerCase()) ?? []), entry])
    }
  }
  return (name) => {
    const found = exact.get(name)
    if (found) return found
    const near = folded.get(name.toLowerCase()) ?? []
    return near.length === 1 ? near[0] : undefined
  }
}
