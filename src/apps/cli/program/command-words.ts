import { type Command, InvalidArgumentError } from 'commander'
import { Failure } from '../../../core/errors.js'
import { nearestName } from '../../../core/names/index.js'

/** The end of a command's help. */
export function examples(...lines: [command: string, about?: string][]): string {
  const width = Math.max(...lines.map(([command]) => command.length))
  const shown = lines.map(([command, about]) => `  $ ${about ? `${command.padEnd(width)}  # ${about}` : command}`)
  return `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${shown.join('\n')}`
}

/**
 * What a command that holds others does when none of them follows. Said after those it holds are declared:
 * commands inherit when they are made, and only this one looks at surplus words itself.
 */
export function whenAlone(command: Command, alone: () => Promise<void>): void {
  command.allowExcessArguments().action(async () => {
    if (command.args.length > 0) throw unknownCommand(command.args, command)
    await alone()
  })
}

function unknownCommand(words: string[], parent: Command): Failure {
  const names = parent.commands.map((command) => command.name())
  const nearest = nearestName(words[0], names)
  // Several words are more likely a question than a command whose first letter is wrong.
  const isQuestion = parent.parent === null && words.length > 1 && nearest?.[0] !== words[0][0]
  const near = isQuestion ? undefined : nearest
  const otherwise =
    parent.parent === null ? `To ask: notewright ask "${words.join(' ')}"` : `There is ${names.join(', ')}.`
  const hint = near === undefined ? otherwise : `Did you mean ${near}?`
  return new Failure('invalid-input', `unknown command '${words[0]}'`, { hint })
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
    }
    return value
  }
}

export function numberUpTo(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d*\.?\d+$/.test(text) || value > most) {
      throw new InvalidArgumentError(`It must be a number from 0 to ${most}.`)
    }
    return value
  }
}

/** An option that may be given several times. */
export function collected(value: string, earlier: string[] = []): string[] {
  return [...earlier, value]
}

/** Names with commas between them. */
export function listed(text: string): string[] {
  return text.split(',').filter((name) => name.trim() !== '')
}
