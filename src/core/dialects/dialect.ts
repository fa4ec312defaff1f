import type { EventQueue } from './event-queue.js'
import type { FindTool } from './reader-tool.js'
import type { Reading, Source } from './source.js'

/** A text that may open a call. */
export interface Marker {
  text: string
  /** One of these characters must follow. */
  next?: string
  /** `text` is the start of a tag, such as `<tool_call`: case and attributes are forgiven, longer names are other words. */
  tag?: boolean
  /** Not in the middle of a word. */
  word?: boolean
  /** Only here: at the start of a line, or where nothing has been shown yet. */
  place?: 'line-start' | 'reply-start'
  /** No marker of its own, so it counts only when the dialect is chosen by name. */
  bare?: boolean
}

/** What a dialect is given to read a call. */
export interface Block {
  source: Source
  events: EventQueue
  find: FindTool
  /** Whether any tool may be called. */
  offersTools: boolean
  /** The most characters one call may have. */
  limit: number
  /** Frames around visible text that are open, by the name of the dialect that opened them. */
  frames: Set<string>
  /** Says that this is a call: from here on nothing goes back to the text. */
  commit(): void
}

/** How a family of models writes calls. */
export interface Dialect {
  /** The names it can be chosen by; the reference to formats uses the same. */
  names: readonly string[]
  markers: readonly Marker[]
  /** It also frames reasoning and visible text, so it is read when no tool may be called. */
  isFrame?: boolean
  /**
   * Reads what follows a marker and reports it. False, before anything was reported or committed, when it is no call;
   * then the marker is text.
   */
  read(block: Block, marker: Marker): Reading<boolean>
}

export function defineDialect<const Name extends string>(
  dialect: Dialect & { names: readonly Name[] },
): Dialect & { names: readonly Name[] } {
  return dialect
}
