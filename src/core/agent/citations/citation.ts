import type { NotePath } from '../../vault/index.js'

/** A place in the vault that an answer names, and whether what it quotes from there is really there. */
export interface Citation {
  /** undefined when no such note exists. */
  path?: NotePath
  /** As the answer wrote it; empty for what was only read. */
  raw: string
  heading?: string
  block?: string
  /** Where the quote stands, 1-based, inclusive; without a quote the lines the answer names. */
  lines?: [number, number]
  quote?: string
  /**
   * `verbatim`: the quote is in the note. `differs`: it is not. `unquoted`: nothing was quoted. `missing`: no such note or section.
   * `read`: the answer names no note, and this one was read for it.
   */
  check: 'verbatim' | 'differs' | 'unquoted' | 'missing' | 'read'
}
