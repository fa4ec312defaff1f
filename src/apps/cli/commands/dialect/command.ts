import { examples, whenAlone, wholeNumber } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareDialect: DeclareCommand = (program, run) => {
  const dialect = program
    .command('dialect')
    .description(
      'How models write tool calls in text. Without a subcommand: the names of the dialects that can be read.',
    )
    .addHelpText('after', examples(['notewright dialect'], ['notewright dialect parse --tools tools.json < reply.txt']))
  dialect
    .command('parse')
    .description("Read a model's reply from standard input and print its text, reasoning, calls and errors as JSON.")
    .option('--tools <file>', 'the tools that may be called: a JSON array of {name, parameters}')
    .option('--format <dialect>', 'read this dialect alone, bare forms included', 'any')
    .option('--starts-in-reasoning', 'the prompt has already opened the think block')
    .option('--chunk <count>', 'feed the reply in pieces of this many characters', wholeNumber(1, 1_000_000))
    .option(
      '--batch <file>',
      'replies from JSON lines {id, text, tools, format?, starts_in_reasoning?}, - for standard input',
    )
    .addHelpText(
      'after',
      examples(
        ['notewright dialect parse --tools tools.json < reply.txt', 'what would be called'],
        ['notewright dialect parse --tools tools.json --format llama3_json --chunk 1 < reply.txt'],
        ['notewright dialect parse --batch replies.jsonl', 'one result a line, with its id'],
      ),
    )
    .action((options) => run(async (to) => (await import('./dialect-parse.js')).dialectParse(to, options)))
  whenAlone(dialect, () => run(async (to) => (await import('./dialect-parse.js')).dialectList(to)))
}
