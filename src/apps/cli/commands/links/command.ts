import { examples } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareLinks: DeclareCommand = (program, run) => {
  program
    .command('links')
    .description('Show where a note leads and what leads to it, as Obsidian resolves links.')
    .argument('[note]', 'its path, with or without .md, or its name when only one note has it')
    .option('--unresolved', 'instead: every link in the vault that leads nowhere')
    .option('--orphans', 'instead: every note that no other note links to')
    .addHelpText('after', examples(['notewright links "Garden plan"'], ['notewright links --unresolved --json']))
    .action((note: string | undefined, options) =>
      run(async (to) => (await import('./links.js')).links(to, note, options)),
    )
}
