import { Command } from 'commander'
import { processEnvironment } from '../../hosts/node/state-folders.js'
import { version } from '../../hosts/node/version.js'
import { type CommandEntry, commands } from './commands/command-list.js'
import { interrupted, reportFailure } from './program/failures.js'
import {
  asksForCompleteHelp,
  examples,
  fitHelp,
  helpConfiguration,
  rareCommand,
  showCompleteHelp,
} from './program/help.js'
import type { Run, SharedOptions, Start } from './program/invocation.js'
import { withoutSubcommand } from './program/options.js'
import { columnsOf, type Streams, type Terminal, type TerminalOptions, terminal } from './terminal/terminal.js'

/** Runs one command line and answers its exit code. Never throws, never calls `process.exit` while work is under way. */
export async function runCommandLine(words: string[]): Promise<number> {
  const stop = new AbortController()
  const output = watchOutput(stop)
  watchInterrupts(stop)
  let surface = openTerminal({ json: asksForJson(words), verbose: false, color: 'auto' })
  const start: Start = async (options, act) => {
    const { verbose = false, json = false } = options
    surface = openTerminal({ json, verbose, color: options.color ? 'auto' : 'never' })
    await act({ options, terminal: surface, surroundings: processEnvironment(), signal: stop.signal, version })
  }
  try {
    const program = await createProgram(start, words)
    await program.parseAsync(words, { from: 'user' })
    // A command that worked but has bad news (doctor) sets the code itself.
    return stop.signal.aborted && !output.isClosed() ? interrupted : Number(process.exitCode ?? 0)
  } catch (error) {
    if (output.isClosed()) return 0
    if (stop.signal.aborted || (error as Error)?.name === 'AbortError') {
      surface.say('Stopped.')
      return interrupted
    }
    return reportFailure(error, surface)
  } finally {
    if (isInputOpen) process.stdin.pause()
  }
}

let isInputOpen = false

function openTerminal(options: TerminalOptions): Terminal {
  const { stdout: output, stderr: messages, env: environment } = process
  const streams: Streams = {
    output,
    messages,
    environment,
    get input() {
      isInputOpen = true
      return process.stdin
    },
  }
  return terminal(streams, options)
}

/** `notewright search … | head` closes the pipe: that is an ending, not an error. */
function watchOutput(stop: AbortController): { isClosed(): boolean } {
  let isClosed = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    isClosed = true
    stop.abort()
  })
  process.stderr.on('error', () => {})
  return { isClosed: () => isClosed }
}

/** The first Ctrl-C lets the work stop cleanly, the second does not wait. */
function watchInterrupts(stop: AbortController): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(interrupted)
      stop.abort()
    })
  }
}

/** Needed before the options are read: also a usage error is reported the way it was asked for. */
function asksForJson(words: string[]): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end === -1 ? words.length : end).includes('--json')
}

/**
 * The program with all its commands. With `words`, only the command they name is loaded; the others have their name and
 * description, which is all that help and suggestions show.
 */
export async function createProgram(start: Start, words?: readonly string[]): Promise<Command> {
  const program = withSharedOptions(new Command('notewright').version(version, '-V, --version', 'print the version'))
  const vaults: string[] = []
  const run: Run = (act) => start({ ...program.opts<SharedOptions>(), ...(vaults.length > 1 && { vaults }) }, act)

  program
    .description('Ask, search and safely change a folder of Markdown notes.')
    .helpOption('-h, --help', 'show help; add --all for everything')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp(helpConfiguration)
    .configureOutput({
      writeOut: (text) => void process.stdout.write(fitHelp(text, columnsOf(process.stdout))),
      writeErr: () => {},
      outputError: () => {},
    })
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      examples(
        ['notewright ask "what did we decide about the roof?"'],
        ['notewright move Inbox/Plan.md Projects/', 'updates all links to it'],
        ['notewright undo', 'undoes the last change'],
        ['notewright', 'starts a chat'],
        ['notewright search "winter vegetables"', 'finds notes'],
      ),
    )

  program.on('option:vault', (folder: string) => vaults.push(folder))
  const typed = words && commandIn(words)
  const declare = async (name: string, { description, isCommon, load }: CommandEntry, hidden = false) => {
    const command = program.command(name, { hidden }).description(description)
    if (!isCommon) rareCommand(command)
    if (words === undefined || name === typed) (await load())(command, run)
  }
  for (const entry of commands) {
    await declare(entry.name, entry, entry.isFormerName)
    if (entry.formerName !== undefined) await declare(entry.formerName, entry, true)
  }
  if (words && asksForCompleteHelp(words)) showCompleteHelp(program)
  withoutSubcommand(program, () => run(async (to) => (await import('./commands/chat.js')).startChat(to)))
  return program
}

function withSharedOptions(program: Command): Command {
  return program
    .option('--vault <folder>', 'the folder of notes (default: detected automatically)')
    .option('--json', 'print data as JSON')
    .option('--no-color', 'print without colors')
    .option('--verbose', 'log each step to standard error')
}

/** The command that these words call or ask help for, found as Commander finds it. */
function commandIn(words: readonly string[]): string | undefined {
  const quiet = new Command().exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} })
  try {
    const [first, second] = withSharedOptions(quiet).parseOptions([...words]).operands
    return first === 'help' ? second : first
  } catch {
    // An option without its value: the program itself reports it.
    return undefined
  }
}
