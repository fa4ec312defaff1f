import { changeOptions } from '../../program/change-options.js'
import { examples } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareSettle: DeclareCommand = (program, run) => {
  changeOptions(
    program
      .command('settle')
      .description('Decide about notes that someone else changed while a change of Notewright was cut off.')
      .argument('[id]', 'a change set, as `notewright history` names it; needed where two of them name one note')
      .option('--keep <note...>', 'leave these notes as they are now')
      .option('--take-back <note...>', 'make these notes what they were before the change')
      .option('--finish <note...>', 'make these notes what the change meant them to be'),
  )
    .addHelpText('after', examples(['notewright settle'], ['notewright settle --keep Plan.md --finish "Old plan.md"']))
    .action((id: string | undefined, options) =>
      run(async (to) => (await import('./settle.js')).settle(to, id, options)),
    )
}
