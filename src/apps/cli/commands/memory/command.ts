import { changeOptions } from '../../program/change-options.js'
import { examples, whenAlone, wholeNumber } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareMemory: DeclareCommand = (program, run) => {
  const memory = program
    .command('memory')
    .description('Show and remove what you asked to have remembered (@memory).')
    .addHelpText('after', examples(['notewright memory list'], ['notewright memory forget 3']))
  memory
    .command('list')
    .description('List what is remembered, newest first.')
    .addHelpText('after', examples(['notewright memory list'], ['notewright memory list --json']))
    .action(() => run(async (to) => (await import('./memory.js')).memoryList(to)))
  changeOptions(
    memory
      .command('forget')
      .description('Remove one thing from the memory note.')
      .argument('<number>', 'the number that `memory list` shows', wholeNumber(1, 1_000_000)),
  )
    .addHelpText(
      'after',
      examples(
        ['notewright memory forget 3'],
        ['notewright memory forget 3 --yes', 'without asking; undo brings it back'],
      ),
    )
    .action((number: number, options) =>
      run(async (to) => (await import('./memory.js')).memoryForget(to, number, options)),
    )
  whenAlone(memory, () => run(async (to) => (await import('./memory.js')).memoryList(to)))
}
