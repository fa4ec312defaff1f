import type { Surroundings } from '../../../hosts/node/state/index.js'
import type { Terminal } from '../terminal/index.js'

/** The options every command takes. */
export interface SharedOptions {
  vault?: string
  /** All of them, where several were named: for a command that takes more than one. */
  vaults?: string[]
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

/** Opens the terminal for the options given, then acts. */
export type Start = (options: SharedOptions, act: (invocation: Invocation) => Promise<void>) => Promise<void>

/** The same for the options that were typed. */
export type Run = (act: (invocation: Invocation) => Promise<void>) => Promise<void>
