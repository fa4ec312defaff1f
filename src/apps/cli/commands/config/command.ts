import { examples, whenAlone } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareConfig: DeclareCommand = (program, run) => {
  const config = program
    .command('config')
    .description('Show and change settings.')
    .addHelpText('after', examples(['notewright config list'], ['notewright config set vault ~/Notes']))
  config
    .command('path')
    .description('Print where the configuration file is.')
    .addHelpText('after', examples(['notewright config path']))
    .action(() => run(async (to) => (await import('./config.js')).configPath(to)))
  config
    .command('list')
    .description('Print every setting, its value and where it comes from.')
    .addHelpText('after', examples(['notewright config list'], ['notewright config list --json']))
    .action(() => run(async (to) => (await import('./config.js')).configList(to)))
  config
    .command('get')
    .description('Print one setting.')
    .argument('<name>', 'e.g. search.limit')
    .addHelpText('after', examples(['notewright config get search.limit']))
    .action((name: string) => run(async (to) => (await import('./config.js')).configGet(to, name)))
  config
    .command('set')
    .description('Change one setting in the configuration file.')
    .argument('<name>', 'e.g. search.limit')
    .argument('<value>', 'the new value; "" goes back to the default')
    .addHelpText(
      'after',
      examples(['notewright config set search.limit 20'], ['notewright config set exclude "Journal/, *.draft.md"']),
    )
    .action((name: string, value: string) =>
      run(async (to) => (await import('./config.js')).configSet(to, name, value)),
    )
  whenAlone(config, () => run(async (to) => (await import('./config.js')).configList(to)))
}
