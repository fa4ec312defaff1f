import { collected, examples } from '../../program/command-words.js'
import { consentOptions } from '../../program/consent-options.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareMcp: DeclareCommand = (program, run) => {
  const command = program
    .command('mcp')
    .description(
      'Serve your notes to an MCP client (Claude, Cursor, VS Code, Codex …) over standard input and output.\nThe client starts this; "notewright init" sets it up. Repeat --vault for several vaults.',
    )
    .option('--read-only', 'offer nothing that changes notes')
    .option('--tools <names>', 'tools or categories to offer, with commas between (default: search,file)')
    .option('--scope <folder>', 'keep the client to this folder of the vault; repeat for several', collected)
  consentOptions(command)
    .addHelpText(
      'after',
      examples(
        ['notewright mcp --vault ~/Notes'],
        ['notewright mcp --vault ~/Notes --read-only'],
        ['notewright mcp --vault ~/Notes --consent edit --scope Projects --scope Inbox'],
        ['notewright mcp --vault ~/Notes --allow "append_note(Inbox/**)" --tools search,file,time'],
      ),
    )
    .action((options) => run(async (to) => (await import('./mcp.js')).mcp(to, options)))
}
