import { type Command, Option } from 'commander'
import { modes } from '../../../core/agent/index.js'
import { wholeNumber } from './command-words.js'
import { consentOptions } from './consent-options.js'

/** The options of everything that puts questions to a model. */
export function agentOptions(command: Command): Command {
  return consentOptions(
    command
      .option('-m, --model <model>', 'who answers, as provider/model, or offline (default: the model setting)')
      .addOption(new Option('--mode <mode>', 'how to go about it (default: agent)').choices(modes))
      .option('--dialect <name>', 'how the model calls tools: auto, native, sentinel or use-tool')
      .option('--max-steps <count>', 'at most so many replies of the model', wholeNumber(1, 50))
      .option('--no-stream', 'ask for each reply in one piece')
      .option('--no-tools', 'offer the model no tools')
      .option('--session <name>', 'the session it belongs to, so that undo can take it back with the rest'),
  )
}
