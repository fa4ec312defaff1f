import { type Command, InvalidArgumentError, Option } from 'commander'
import { modes } from '../../../core/agent/index.js'
import { consentLevels } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import { nearestName } from '../../../core/text/index.js'
import { rare, visibleCommands } from './help.js'

/**
 * Sets the action of a command group that is called without a subcommand. Call it after the subcommands are declared:
 * they inherit `allowExcessArguments` when they are created, and only the group checks surplus words itself.
 */
export function withoutSubcommand(command: Command, alone: () => Promise<void>): void {
  command.allowExcessArguments().action(async () => {
    if (command.args.length > 0) throw unknownCommand(command.args, command)
    await alone()
  })
}

function unknownCommand(words: string[], parent: Command): Failure {
  const [first = ''] = words
  const names = visibleCommands(parent).map((command) => command.name())
  const nearest = nearestName(first, names)
  // Several words are more likely a question than a command whose first letter is wrong.
  const isQuestion = parent.parent === null && words.length > 1 && nearest?.[0] !== first[0]
  const near = isQuestion ? undefined : nearest
  const otherwise =
    parent.parent === null ? `To ask: notewright ask "${words.join(' ')}"` : `Use one of: ${names.join(', ')}.`
  const hint = near === undefined ? otherwise : `Did you mean ${near}?`
  return new Failure('invalid-input', `unknown command '${words[0]}'`, { hint })
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`Use a whole number from ${least} to ${most}.`)
    }
    return value
  }
}

function numberUpTo(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d*\.?\d+$/.test(text) || value > most) {
      throw new InvalidArgumentError(`Use a number from 0 to ${most}.`)
    }
    return value
  }
}

/** An option that may be given several times. */
export function collected(value: string, earlier: string[] = []): string[] {
  return [...earlier, value]
}

/** Names with commas between them. */
export function parseList(text: string): string[] {
  return text.split(',').filter((name) => name.trim() !== '')
}

/**
 * An option under its current name; the former name still works and help does not show it. Both set the same property:
 * the one of the current name, or `property`.
 */
export function renamedOption(command: Command, current: Option, formerFlags: string, property?: string): Command {
  const name = property ?? current.attributeName()
  const former = new Option(formerFlags, current.description).hideHelp()
  if (current.argChoices !== undefined) former.argChoices = current.argChoices
  if (current.parseArg !== undefined) former.parseArg = current.parseArg
  for (const option of [current, former]) option.attributeName = () => name
  return command.addOption(current).addOption(former)
}

/** The options of everything that asks a model. */
export function agentOptions(command: Command): Command {
  command
    .option('-m, --model <model>', 'model to use, as provider/model, or offline (default: the model setting)')
    .option('-r, --resume <id>', 'continue a chat: its id, the start of its id, or its title')
    .addOption(rare(new Option('--session <name>', 'continue the chat with this name, or start it')))
    .option('--no-session', "don't save this chat")
  approvalOptions(command)
  for (const option of [
    new Option('--mode <mode>', 'how to answer (default: the mode setting)').choices(modes),
    dialectOption(),
    new Option('--max-steps <count>', 'maximum model calls per request').argParser(wholeNumber(1, 50)),
    new Option('--minutes <count>', 'maximum minutes per request').argParser(numberUpTo(1440)),
  ]) {
    command.addOption(rare(option))
  }
  const contextWindow = new Option(
    '--context-window <tokens>',
    'context window in tokens (default: as the server says)',
  )
  renamedOption(command, rare(contextWindow.argParser(wholeNumber(1024, 1e7))), '--window <tokens>', 'window')
  for (const option of [
    new Option('--stall-seconds <count>', 'stop if the model sends nothing for this long').argParser(
      wholeNumber(1, 86_400),
    ),
    new Option('--temperature <number>', 'sampling temperature, 0 to 2').argParser(numberUpTo(2)),
    new Option('--thinking <how>', 'reasoning: off, on, or at most this many tokens').argParser(thinking),
    new Option('--instructions <text>', 'instructions for the model, for this request only'),
    new Option('--stream', 'show the answer while it is written'),
    new Option('--no-stream', 'request each reply in one piece'),
    new Option('--no-tools', "don't offer tools to the model"),
    codexToolsOption(),
  ]) {
    command.addOption(rare(option))
  }
  return command
}

export const dialectOption = (): Option =>
  new Option('--dialect <dialect>', 'how the model calls tools: auto, native, sentinel or use-tool')

export const codexToolsOption = (): Option =>
  new Option('--codex-tools <names>', 'built-in tools Codex may use: shell, web, image, agents, mcp').argParser(
    parseList,
  )

function thinking(text: string): 'off' | 'on' | number {
  if (text === 'off' || text === 'on') return text
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use off, on, or a number of tokens.')
}

/** The options of every command that lets tools run. */
export function approvalOptions(command: Command): Command {
  const level = new Option('--approvals <level>', 'approval level, instead of the setting').choices(consentLevels)
  return renamedOption(command, level, '--consent <level>', 'consent')
    .option('--allow <rule>', 'allow without asking, e.g. "append_note(Inbox/**)"; repeatable', collected)
    .option('--deny <rule>', 'always deny, e.g. "writes(folder:Journal)"; repeatable', collected)
    .option('--project <name>', 'use only the notes of this project')
}

/** Approves everything a run would ask. */
export const approveAllOption = (): Option => new Option('-y, --yes', 'approve all requests; deny rules still apply')

export const dryRunOption = (): Option => new Option('--dry-run', 'show the change without making it')

export const nothingChanged = 'Nothing was changed (--dry-run).'

/** Skips the question of a command that changes no notes. */
export const noConfirmationOption = (): Option => new Option('-y, --yes', "don't ask for confirmation")

export const trustFormsOption = (): Option =>
  new Option('--trust-forms', 'let you approve changes in the forms of the client, if it shows them to you')

/** The description of an argument that names a note. */
export const namesNote = 'path, name or alias of the note'

export interface ChangeOptions {
  dryRun?: boolean
  yes?: boolean
}

/** The options of every command that shows a change of notes and asks before it makes it. */
export function changeOptions(command: Command): Command {
  return command.option('--dry-run', 'show the change without making it').option('-y, --yes', 'apply without asking')
}

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

const isoTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** A moment in the past: `2h` ago, the beginning of the local day `2026-01-31`, or an ISO time. */
export function sinceTime(text: string, now: Date): Date {
  const [, number, unit = ''] = /^(\d{1,6})\s?([smhdw])$/.exec(text.trim()) ?? []
  const unitMs = units[unit]
  if (unitMs !== undefined) return new Date(now.getTime() - Number(number) * unitMs)
  // A plain date would be read as midnight in Greenwich.
  const time = isoTime.test(text) ? Date.parse(text.length === 10 ? `${text}T00:00` : text) : Number.NaN
  if (Number.isNaN(time)) {
    throw new Failure('invalid-input', `--since takes a time, not "${text}".`, {
      hint: 'Examples: 30m, 2h, 3d, 2026-01-31 or 2026-01-31T18:30.',
    })
  }
  return new Date(time)
}

/** `Note#Heading` as in a link. */
export function noteAndPart(written: string): { path: string; part?: string } {
  const hash = written.indexOf('#')
  if (hash < 0) return { path: written }
  return { path: written.slice(0, hash), part: written.slice(hash + 1) }
}
