import { changeOptions } from '../../program/change-options.js'
import { examples } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareUndo: DeclareCommand = (program, run) => {
  changeOptions(
    program
      .command('undo')
      .description('Take a change back: the last one, or the one you name. Later edits stay.')
      .argument('[id]', 'a change set, as `notewright history` names it')
      .option('--session <session>', 'take back everything one session did')
      .option('--note <note>', 'take back the last change to this note')
      .option('--keep-mine', 'where later edits touch the same lines, keep what is there now')
      .option('--take-back', 'where later edits touch the same lines, take these back too'),
  )
    .addHelpText('after', examples(['notewright undo'], ['notewright undo --note Projects/Plan.md --dry-run']))
    .action((id: string | undefined, options) => run(async (to) => (await import('./undo.js')).undo(to, id, options)))
}
