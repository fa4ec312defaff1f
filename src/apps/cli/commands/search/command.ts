import { Option } from 'commander'
import { collected, examples, wholeNumber } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareSearch: DeclareCommand = (program, run) => {
  program
    .command('search')
    .description('Find notes by words and by meaning.')
    .argument('[query...]', 'what to look for; "quotes" for a phrase, -word to leave out, tag:name, path:part')
    .option('-n, --limit <count>', 'at most this many hits (default: 10)', wholeNumber(1, 1000))
    .addOption(new Option('--rank <how>', 'how to rank (default: hybrid)').choices(['hybrid', 'lexical', 'semantic']))
    .option('--tag <tag>', 'only notes with this tag or one below it; repeat for several, all must match', collected)
    .option('--folder <folder>', 'only notes in this folder and below')
    .option(
      '--property <key=value>',
      'only notes with this property, e.g. status=done; repeat for several, all must match',
      collected,
    )
    .option('--after <date>', 'only notes from this day on, e.g. 2025-01-31')
    .option('--before <date>', 'only notes up to the end of this day')
    .addOption(
      new Option('--date-field <which>', 'the date that --after and --before look at')
        .choices(['modified', 'created', 'any'])
        .default('modified'),
    )
    .option('--passages', 'several passages of one note instead of its best')
    .option('--explain', 'show what each hit owes its score to')
    .option('--batch <file>', 'queries from JSON lines {id, query}, - for standard input; prints {id, hits} lines')
    .option('--timings', 'with --batch: add the milliseconds each query took')
    .addHelpText(
      'after',
      examples(
        ['notewright search tomato blight'],
        ['notewright search \'"exact phrase" and more\' -n 3'],
        ["notewright search 'tag:recipe soup -leek path:2025'", 'as in Obsidian'],
        ['notewright search --property status=open'],
        ['notewright search budget --tag project/alpha --after 2025-01-01', 'filters combine'],
        ['notewright search --batch queries.jsonl > hits.jsonl'],
      ),
    )
    .action((words: string[], options) =>
      run(async (to) => (await import('./search.js')).search(to, words.join(' '), options)),
    )
}
