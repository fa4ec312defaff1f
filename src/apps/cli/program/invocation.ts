import type { Surroundings } from '../../../hosts/node/state/index.js'
import type { Terminal } from '../terminal/index.js'

/** The options every command takes. */
export interface SharedOptions {
  vault?: string
  json?: boolean
  color: boolean
  verbose?: boolean
}

/** What a command is handed besides its own arguments. */
export interface Invocation {
  options: SharedOptions
  terminal: Terminal
  surroundings: Surroundings
  /** Aborts on Ctrl-C and when nobody reads the output any more. */
  signal: AbortSignal
  version: string
}
