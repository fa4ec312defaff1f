import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { commands } from '../commands/command-list.js'
import { everyCommand, helpText } from '../reference/cli-reference.js'
import { createProgram } from '../run-command-line.js'
import { fitHelp, fullName, showCompleteHelp } from './help.js'

const program = () => createProgram(async () => {})

const all = everyCommand(await program()).map((command) => [fullName(command), command] as const)

/** The lines of a text on a terminal of 80 columns. */
const linesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => line.match(/.{1,80}/g) ?? [''])

describe('--help', () => {
  it.each(all)('of %s has at most 40 lines at 80 columns', (_, command) => {
    expect(linesOf(helpText(command, 80)).length).toBeLessThanOrEqual(40)
  })

  it.each(all)('of %s breaks no word at 30 columns', (_, command) => {
    const lines = fitHelp(helpText(command, 30), 30).split('\n')
    // A word that is longer than a line cannot be kept whole.
    const broken = lines.filter((line) => line.length > 30 && line.trim().includes(' '))
    expect(broken.filter((line) => line.split(/\s+/).every((word) => word.length <= 26))).toEqual([])
  })

  it('names every command', async () => {
    const help = helpText(await program(), 80)
    for (const { name, isFormerName } of commands) {
      expect([name, new RegExp(`(^ {0,2}|[ ,])${name}([ ,\n]|$)`, 'm').test(help)]).toEqual([
        name,
        isFormerName !== true,
      ])
    }
  })

  it.each(all.slice(1))('of %s says how to see the rest', (name, command) => {
    expect(helpText(command, 80)).toContain(`All options and examples: ${name} --help --all`)
  })
})

describe('--help --all', () => {
  it('describes every option that is not a former name, and every example', async () => {
    const complete = await program()
    showCompleteHelp(complete)
    for (const command of everyCommand(complete)) {
      const text = helpText(command, 100)
      for (const { hidden, flags } of command.options) if (!hidden) expect(text).toContain(flags)
      expect(text).not.toContain('--help --all')
    }
    const ask = named(complete, 'ask')
    expect(helpText(ask, 100)).toContain('--stall-seconds')
    expect(helpText(ask, 100).split('  $ notewright').length).toBeGreaterThan(4)
    expect(helpText(named(await program(), 'ask'), 100)).not.toContain('--stall-seconds')
  })

  it.each([
    [['ask', '--help', '--all'], true],
    [['help', 'ask', '--all'], true],
    [['ask', '--help'], false],
    [['ask', '--help', '--', '--all'], false],
  ])('is what %j asks for: %s', async (words, isComplete) => {
    const typed = await createProgram(async () => {}, words)
    expect(helpText(named(typed, 'ask'), 100).includes('--stall-seconds')).toBe(isComplete)
  })
})

describe('a former name', () => {
  it('is in no help', async () => {
    const complete = await program()
    showCompleteHelp(complete)
    const text = everyCommand(complete)
      .map((command) => helpText(command, 100))
      .join('\n')
    expect(text).not.toMatch(/--anew|--take-back|--keep-mine|--consent|--window|--level|\bsettle\b|\bpermissions\b/)
  })

  it.each([
    ['index', '--anew', 'rebuild', true],
    ['index', '--rebuild', 'rebuild', true],
    ['undo', '--keep-mine', 'keepEdits', true],
    ['undo', '--take-back', 'discardEdits', true],
    ['recover', '--take-back a.md b.md', 'undo', ['a.md', 'b.md']],
    ['settle', '--take-back a.md', 'undo', ['a.md']],
    ['recover', '--undo a.md', 'undo', ['a.md']],
    ['ask', '--window 4096', 'window', 4096],
    ['ask', '--context-window 4096', 'window', 4096],
    ['ask', '--consent edit', 'consent', 'edit'],
    ['ask', '--approvals edit', 'consent', 'edit'],
    ['mcp', '--consent read-only', 'consent', 'read-only'],
    ['serve keys create', 'x --level ask', 'level', 'ask'],
    ['serve keys create', 'x --approvals ask', 'level', 'ask'],
  ])('works as the current one does: %s %s', async (name, rest, property, value) => {
    const words = [...name.split(' '), ...rest.split(' ')]
    const typed = await createProgram(async () => {}, words)
    await typed.parseAsync(words, { from: 'user' })
    expect(named(typed, ...name.split(' ')).opts()).toMatchObject({ [property]: value })
  })

  it.each([
    ['permissions list', 'approvals rules'],
    ['permissions add', 'approvals add'],
    ['permissions revoke', 'approvals revoke'],
    ['permissions explain', 'approvals explain'],
    ['settle', 'recover'],
  ])('of a command takes the same words: %s, %s', async (former, current) => {
    const [before, now] = [named(await program(), ...former.split(' ')), named(await program(), ...current.split(' '))]
    expect(before.registeredArguments.map((one) => one.name())).toEqual(
      now.registeredArguments.map((one) => one.name()),
    )
    expect(before.options.map(({ flags }) => flags)).toEqual(now.options.map(({ flags }) => flags))
  })

  it('with a wrong value is named as it was typed', async () => {
    const words = ['ask', '--consent', 'some']
    const typed = await createProgram(async () => {}, words)
    await expect(typed.parseAsync(words, { from: 'user' })).rejects.toThrow(
      "option '--consent <level>' argument 'some'",
    )
  })
})

function named(parent: Command, name = '', ...rest: string[]): Command {
  const found = parent.commands.find((command) => command.name() === name)
  if (found === undefined) throw new Error(`no command ${name}`)
  return rest.length === 0 ? found : named(found, ...rest)
}
