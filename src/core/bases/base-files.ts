import type { NotePath } from '../vault/index.js'

/** A file as expressions see it. What takes a look-up is a function and may be called often. */
export interface BaseFile {
  path: NotePath
  size: number
  ctimeMs: number
  mtimeMs: number
  /** Without `#`, inline and from properties. */
  tags: readonly string[]
  /** null for a file that is no note, or has none. */
  properties: Readonly<Record<string, unknown>> | null
}

/** A link in a file. */
export interface BaseLink {
  /** As written, without brackets and display text. */
  text: string
  display: string | undefined
  /** Path of the file it leads to; undefined if there is none. */
  target: NotePath | undefined
  isEmbed: boolean
}

/** The files that an expression can reach from the one it is evaluated for. */
export interface BaseFiles {
  /** The file for a path, a path without `.md`, or a name. */
  find: (text: string, from: NotePath) => BaseFile | undefined
  at: (path: string) => BaseFile | undefined
  linksOf: (path: string) => readonly BaseLink[]
  /** Paths of the files with a link to this one. */
  backlinksOf: (path: string) => readonly NotePath[]
  wordsOf: (path: string) => number
}
