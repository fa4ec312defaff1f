import { type AddHelpTextContext, type Command, Help, type HelpConfiguration, type Option } from 'commander'
import { linesAtWords, wrapToWidth } from '../terminal/text-width.js'

/** Typed for the complete help: `--help` alone leaves out rare options, rare commands and most examples. */
const completeFlag = '--all'

const completePrograms = new WeakSet<Command>()
const rareOptions = new WeakSet<Option>()
const rareCommands = new WeakSet<Command>()

export function showCompleteHelp(program: Command): void {
  completePrograms.add(program)
}

/** True if `--all` was typed; after `--` it is the text of the user. */
export function asksForCompleteHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end === -1 ? words.length : end).includes(completeFlag)
}

/** Shown by `--help --all` only. */
export function rare(option: Option): Option {
  rareOptions.add(option)
  return option
}

/** Only named, not described, in the list of `--help`. */
export function rareCommand(command: Command): Command {
  rareCommands.add(command)
  return command
}

/** The subcommands that help shows: former names of commands are hidden. */
export function visibleCommands(command: Command): Command[] {
  const shown = new Help().visibleCommands(command)
  return command.commands.filter((child) => shown.includes(child))
}

const columns = 80
/** Below this width there is no room for two columns. */
const narrow = 60

/** The examples at the end of a command's help: without `--all` the first two or three. */
export function examples(...lines: [command: string, about?: string][]) {
  return ({ command }: AddHelpTextContext): string => {
    const isComplete = isCompleteFor(command)
    const fitting = lines.filter(([line]) => line.length + 4 <= columns)
    const shown = isComplete || fitting.length === 0 ? lines : fitting.slice(0, command.parent === null ? 2 : 3)
    const width = Math.max(...shown.map(([line]) => line.length))
    const texts = shown.map(([line, about]) => {
      const text = `  $ ${about ? `${line.padEnd(width)}  # ${about}` : line}`
      return isComplete || text.length <= columns ? text : `  $ ${line}`
    })
    const parts = [`${lines.length > 1 ? 'Examples' : 'Example'}:\n${texts.join('\n')}`]
    if (!isComplete) parts.push(leftOut(command))
    return `\n${parts.join('\n\n')}`
  }
}

function leftOut(command: Command): string {
  const lines: string[] = []
  if (command.parent === null) {
    const names = visibleCommands(command).filter((child) => rareCommands.has(child))
    lines.push(...wrapToWidth(`More commands: ${names.map((child) => child.name()).join(', ')}`, columns))
    lines.push(`All commands: notewright --help ${completeFlag}. One command: notewright COMMAND --help`)
    return lines.join('\n')
  }
  const program = programOf(command)
  const terms = program.options.filter(({ long }) => long !== '--version').map(({ flags }) => flags)
  lines.push(`Global options: ${terms.join(', ')}`)
  lines.push(`All options and examples: ${fullName(command)} --help ${completeFlag}`)
  return lines.join('\n')
}

/** Help in the width of a screen: below 80 columns its lines are broken between words. */
export function fitHelp(text: string, width: number): string {
  // Comments behind commands are aligned, which leaves no room for them on a narrow screen.
  return linesAtWords(width < narrow ? text.replace(/(\S) {3,}#/g, '$1  #') : text, width)
}

export const helpConfiguration: HelpConfiguration = {
  subcommandTerm,
  showGlobalOptions: true,
  visibleOptions(command) {
    const options = new Help().visibleOptions(command)
    return isCompleteFor(command) ? options : options.filter((option) => !rareOptions.has(option))
  },
  visibleGlobalOptions(command) {
    if (!isCompleteFor(command)) return []
    return Object.assign(new Help(), { showGlobalOptions: true }).visibleGlobalOptions(command)
  },
  visibleCommands(command) {
    const commands = new Help().visibleCommands(command)
    return isCompleteFor(command)
      ? commands
      : commands.filter((child) => !rareCommands.has(child) && child.name() !== 'help')
  },
  optionDescription({ description, argChoices, defaultValue }) {
    const notes = [
      ...(argChoices === undefined ? [] : [argChoices.join(', ')]),
      ...(defaultValue === undefined || typeof defaultValue === 'boolean' ? [] : [`default: ${defaultValue}`]),
    ]
    return notes.length === 0 ? description : `${description} (${notes.join('; ')})`
  },
  /** On a narrow screen a description is below its term. */
  formatItem(term, termWidth, description, helper) {
    const { helpWidth = columns } = helper
    if (helpWidth >= narrow) return new Help().formatItem(term, termWidth, description, helper)
    return linesAtWords(`  ${term}${description && `\n    ${description}`}`, helpWidth)
  },
  /** In a list, the first line of a description. */
  subcommandDescription: (command) => (command.summary() || command.description()).split('\n')[0] ?? '',
}

/** The overview shows plain names; the help of a command shows the arguments of its subcommands. */
function subcommandTerm(command: Command): string {
  return command.parent?.parent ? new Help().subcommandTerm(command) : command.name()
}

export const fullName = (command: Command): string =>
  command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()

const programOf = (command: Command): Command => (command.parent ? programOf(command.parent) : command)

const isCompleteFor = (command: Command): boolean => completePrograms.has(programOf(command))
