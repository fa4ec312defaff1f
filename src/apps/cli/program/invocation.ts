import type { Command } from 'commander'
import type { HostEnvironment } from '../../../hosts/node/state-folders.js'
import type { Terminal } from '../terminal/terminal.js'

/** The options every command takes. */
export interface SharedOptions {
  vault?: string
  /** All of them, if several were given: for a command that takes more than one. */
  vaults?: string[]
  json?: boolean
  color: boolean
  verbose?: boolean
}

/** Everything a command gets besides its own arguments. */
export interface Invocation {
  options: SharedOptions
  terminal: Terminal
  surroundings: HostEnvironment
  /** Aborts on Ctrl-C and when the output is closed. */
  signal: AbortSignal
  version: string
}

/** Opens the terminal for the options given, then acts. */
export type Start = (options: SharedOptions, act: (invocation: Invocation) => Promise<void>) => Promise<void>

/** The same for the options that were typed. */
export type Run = (act: (invocation: Invocation) => Promise<void>) => Promise<void>

/** Declares the arguments, options and subcommands of a command that already has its name and description. */
export type DeclareCommand = (command: Command, run: Run) => void
