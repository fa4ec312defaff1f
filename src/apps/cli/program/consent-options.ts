import { type Command, Option } from 'commander'
import { consentLevels } from '../../../core/approval/index.js'
import { collected } from './command-words.js'

/** The options of every command that lets tools run. */
export function consentOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--consent <level>', 'how much to ask, instead of what the settings say').choices(consentLevels),
    )
    .option(
      '--allow <rule>',
      'let this pass without asking, e.g. "append_note(Inbox/**)"; repeat for several',
      collected,
    )
    .option('--project <name>', 'only the notes of this project (notewright projects list)')
    .option('--deny <rule>', 'never let this happen, e.g. "writes(folder:Journal)"; repeat for several', collected)
}
