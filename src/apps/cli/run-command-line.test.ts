import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { fullName } from './program/help.js'
import { cliReference, everyCommand } from './reference/cli-reference.js'
import { createProgram } from './run-command-line.js'

async function parse(...words: string[]): Promise<void> {
  const program = await createProgram(async () => {}, words)
  await program.parseAsync(words, { from: 'user' })
}

describe('every command', () => {
  it('has a description, and an example that names it', async () => {
    const reference = await cliReference()
    for (const command of everyCommand(await createProgram(async () => {}))) {
      expect(command.description()).not.toBe('')
      expect(reference).toContain(`$ ${fullName(command)}`)
    }
  })

  it('takes the shared options before and after its name', async () => {
    const seen: unknown[] = []
    const words = [
      ['--vault', 'v', '--json', 'status'],
      ['status', '--vault', 'v', '--json'],
    ]
    for (const line of words) {
      const program = await createProgram(async (options) => void seen.push(options), line)
      await program.parseAsync(line, { from: 'user' })
    }
    expect(seen).toEqual([
      { vault: 'v', json: true, color: true },
      { vault: 'v', json: true, color: true },
    ])
  })
})

describe('a mistake', () => {
  it.each([
    [['serach', 'x'], "unknown command 'serach'", 'Did you mean search?'],
    [['what', 'is', 'this'], "unknown command 'what'", 'To ask: notewright ask "what is this"'],
    [['config', 'lst'], "unknown command 'lst'", 'Did you mean list?'],
  ])('in the command %j is named, with what was meant', async (words, message, hint) => {
    await expect(parse(...words)).rejects.toMatchObject({ code: 'invalid-input', message, details: { hint } })
  })

  it.each([
    [['search', '--jsno', 'x'], /unknown option '--jsno'[\s\S]*Did you mean --json\?/],
    [['search', 'x', '--rank', 'best'], /Allowed choices are hybrid, lexical, semantic/],
    [['search', 'x', '-n', '0'], /whole number from 1 to 1000/],
    [['search', 'x', '-n', '1e2'], /whole number/],
    [['move', 'a'], /missing required argument 'to'/],
    [['move', 'a', 'b', 'c'], /too many arguments/],
  ])('in the options %j is named', async (words, message) => {
    await expect(parse(...words)).rejects.toThrow(message)
  })
})

it('keeps docs/reference/cli.md in step with the commands (node scripts/build-docs.mjs writes it)', async () => {
  expect(await readFile('docs/reference/cli.md', 'utf8')).toBe(await cliReference())
})
