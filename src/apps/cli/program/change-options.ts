import type { Command } from 'commander'

export interface ChangeOptions {
  dryRun?: boolean
  yes?: boolean
}

/** The options of every command that shows a change of notes and asks before it makes it. */
export function changeOptions(command: Command): Command {
  return command
    .option('--dry-run', 'show what would happen and change nothing')
    .option('-y, --yes', 'do it without asking')
}
