import { type Command, InvalidArgumentError, Option } from 'commander'
import { modes } from '../../../core/agent/index.js'
import { listed, numberUpTo, wholeNumber } from './command-words.js'
import { consentOptions } from './consent-options.js'

/** The options of everything that puts questions to a model. */
export function agentOptions(command: Command): Command {
  return consentOptions(
    command
      .option('-m, --model <model>', 'who answers, as provider/model, or offline (default: the model setting)')
      .addOption(new Option('--mode <mode>', 'how to go about it (default: the mode setting)').choices(modes))
      .option('--dialect <name>', 'how the model calls tools: auto, native, sentinel or use-tool')
      .option('--max-steps <count>', 'at most so many replies of the model', wholeNumber(1, 50))
      .option('--minutes <count>', 'at most so many minutes for one request', numberUpTo(1440))
      .option('--window <tokens>', 'how much fits into the model (default: as its server says)', wholeNumber(1024, 1e7))
      .option('--stall-seconds <count>', 'how long the model may send nothing', wholeNumber(1, 86_400))
      .option('--temperature <number>', 'how freely it chooses its words, 0 to 2', numberUpTo(2))
      .option('--thinking <how>', 'off, on, or for how many tokens', thinking)
      .option('--instructions <text>', 'your own words to the model, for this time')
      .option('--stream', 'show the answer while it is written')
      .option('--no-stream', 'ask for each reply in one piece')
      .option('--no-tools', 'offer the model no tools')
      .option('--codex-tools <names>', 'tools of its own that Codex may use: shell, web, image, agents, mcp', listed)
      .option('-r, --resume <id>', 'go on with a session: its id, the beginning of it, or its title')
      .option('--session <name>', 'go on with the session of that name, or begin it; undo can take it back as a whole')
      .option('--no-session', 'keep nothing of this conversation'),
  )
}

function thinking(text: string): 'off' | 'on' | number {
  if (text === 'off' || text === 'on') return text
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be off, on, or a number of tokens.')
}
