import type { Command } from 'commander'
import type { Run } from './invocation.js'

/** Says how a command is called. This is loaded at every start; what the command does, only when it is the one typed. */
export type DeclareCommand = (program: Command, run: Run) => void
