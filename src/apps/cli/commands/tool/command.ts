import { examples, whenAlone } from '../../program/command-words.js'
import { consentOptions } from '../../program/consent-options.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareTool: DeclareCommand = (program, run) => {
  const tool = program
    .command('tool')
    .description('List, describe and call the tools a model can use.')
    .addHelpText('after', examples(['notewright tool list'], ['notewright tool show read_note']))
  tool
    .command('list')
    .description('List every tool and whether it is on.')
    .addHelpText('after', examples(['notewright tool list'], ['notewright tool list --json', 'with input schemas']))
    .action(() => run(async (to) => (await import('./list.js')).toolList(to)))
  tool
    .command('show')
    .description('Describe one tool: what it does, what it takes, what a model is told about it.')
    .argument('<name>', 'its name, or a name other systems use for it')
    .addHelpText('after', examples(['notewright tool show edit_note']))
    .action((name: string) => run(async (to) => (await import('./show.js')).toolShow(to, name)))
  consentOptions(
    tool
      .command('call')
      .description('Call a tool as a model would: the same checks, the same policy, the same log.')
      .argument('<name>', 'the tool')
      .option('--input <json>', 'its arguments as JSON, or - to read them from standard input')
      .option('-y, --yes', 'allow what would be asked; what a rule denies stays denied')
      .option('--dry-run', 'show what would happen and do none of it')
      .option('--session <name>', 'the session it belongs to, so that undo can take it back with the rest'),
  )
    .addHelpText(
      'after',
      examples(
        [`notewright tool call search_notes --input '{"query": "tomatoes"}'`],
        [`notewright tool call append_note --input '{"path": "Inbox.md", "content": "- milk"}' --dry-run`],
        ['notewright tool call write_note --input - --yes < note.json'],
      ),
    )
    .action((name: string, options) => run(async (to) => (await import('./call.js')).toolCall(to, name, options)))
  for (const [word, isOn] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    tool
      .command(word)
      .description(`Switch a tool ${isOn ? 'on' : 'off'}, in your configuration.`)
      .argument('<name>', 'the tool')
      .addHelpText('after', examples([`notewright tool ${word} ${isOn ? 'web_fetch' : 'delete_note'}`]))
      .action((name: string) => run(async (to) => (await import('./enable.js')).toolEnable(to, name, isOn)))
  }
  whenAlone(tool, () => run(async (to) => (await import('./list.js')).toolList(to)))
}
