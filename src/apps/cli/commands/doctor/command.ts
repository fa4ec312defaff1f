import { examples } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareDoctor: DeclareCommand = (program, run) => {
  program
    .command('doctor')
    .description('Check everything Notewright stands on and say what to do about what is wrong.')
    .addHelpText('after', examples(['notewright doctor'], ['notewright doctor --vault ~/Notes --json']))
    .action(() => run(async (to) => (await import('./doctor.js')).doctor(to)))
}
