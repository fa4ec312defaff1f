import type { Command } from 'commander'
import { Failure } from '../../../../core/errors.js'
import { examples, whenAlone } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareKeys: DeclareCommand = (program, run) => {
  const keys = program
    .command('keys')
    .description('Store, list and remove the keys of model providers.')
    .addHelpText('after', examples(['notewright keys list'], ['notewright keys set openai']))
  const set = keys
    .command('set')
    .description('Store a key: in the keyring of this system, or in a private file outside of every vault.')
    .argument('<provider>', 'e.g. openai, anthropic, gemini, openrouter')
    .addHelpText(
      'after',
      examples(
        ['notewright keys set openai', 'asks for the key without showing it'],
        ['notewright keys set openai < key.txt', 'or reads it from standard input'],
      ),
    )
    .action((provider: string, _options, command: Command) => {
      if (command.args.length > 1) throw keyAsArgument()
      return run(async (to) => (await import('./keys.js')).keysSet(to, provider))
    })
  keys
    .command('list')
    .description('List which keys there are and where they come from. Never the keys themselves.')
    .addHelpText('after', examples(['notewright keys list'], ['notewright keys list --json']))
    .action(() => run(async (to) => (await import('./keys.js')).keysList(to)))
  keys
    .command('remove')
    .description('Remove a stored key. A variable of the environment is yours to unset.')
    .argument('<provider>', 'e.g. openai')
    .addHelpText('after', examples(['notewright keys remove openai']))
    .action((provider: string) => run(async (to) => (await import('./keys.js')).keysRemove(to, provider)))
  set.allowExcessArguments()
  whenAlone(keys, () => run(async (to) => (await import('./keys.js')).keysList(to)))
}

/** What was typed is not repeated: it may be a key. */
function keyAsArgument(): Failure {
  return new Failure(
    'invalid-input',
    'A key is not taken from the command line, where others and the shell can see it.',
    {
      hint: 'Type only: notewright keys set PROVIDER. If that was a real key, take it out of the shell history.',
    },
  )
}
