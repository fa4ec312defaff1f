import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProgram } from '../../src/apps/cli/run-command-line.js'
import { type Printed, type Stage, stage } from './cli-harness.js'

const meant = 'House/Roof repair.md'

let here: Stage
beforeAll(async () => {
  here = await stage()
  await here.write(meant, '---\naliases: [Dachsanierung]\n---\nOld slates.\n')
  await here.write('A/Plan.md', 'One.\n')
  await here.write('B/Plan.md', 'Two.\n')
  await here.write('Areas/Projects/Log.md', 'Log.\n')
  const input = '{"path":"Roof repair","content":"More."}'
  const added = await here.json('tool', 'call', 'append_note', '--input', input, '--yes')
  expect(added.code).toBe(0)
})
afterAll(() => here.remove())

/** How each command is called with a note, and what its answer says of the note it took. */
const commands: Record<string, [words: (note: string) => string[], taken: (value: Printed) => unknown]> = {
  append: [(note) => ['append', note, 'More.', '--dry-run'], ({ changes }) => changes[0].path],
  ask: [(note) => ['ask', '--model', 'offline', 'read this note', '--note', note], (value) => JSON.stringify(value)],
  history: [(note) => ['history', '--note', note], (value) => JSON.stringify(value)],
  links: [(note) => ['links', note], ({ path }) => path],
  merge: [(note) => ['merge', note, '--into', 'Merged', '--dry-run'], (value) => JSON.stringify(value)],
  move: [(note) => ['move', note, 'Projects/', '--dry-run'], ({ changes }) => changes[0].path],
  prompt: [(note) => ['prompt', '--note', note, '-m', 'ollama/qwen3:8b', 'hello'], (value) => JSON.stringify(value)],
  read: [(note) => ['read', note], ({ path }) => path],
  related: [(note) => ['related', note], ({ path }) => path],
  undo: [(note) => ['undo', '--note', note, '--dry-run'], ({ changes }) => changes[0].path],
}

describe('every command that takes a note', () => {
  it('is in this table', async () => {
    const taking = (await createProgram(() => Promise.resolve())).commands.filter(
      ({ registeredArguments, options }) =>
        registeredArguments.some((argument) =>
          /^note |^from .*\bnote\b/.test(`${argument.name()} ${argument.description}`),
        ) || options.some(({ flags }) => flags.includes('<note>')),
    )
    expect(taking.map((command) => command.name()).sort()).toEqual(Object.keys(commands))
  })

  it.each(Object.entries(commands))(
    '%s finds it by name and alias, and lists notes of one name',
    async (_, command) => {
      const [words, taken] = command
      for (const name of ['roof repair', 'Dachsanierung']) {
        const { code, value } = await here.json(...words(name))
        expect({ code, taken: taken(value) }).toEqual({ code: 0, taken: expect.stringContaining(meant) })
      }
      expect((await here.json(...words('Plan'))).value).toMatchObject({
        code: 'ambiguous',
        text: 'Several notes have the name Plan: A/Plan.md, B/Plan.md',
      })
    },
  )

  it('moves into the only folder of that name, and renames in place', async () => {
    const into = await here.json('move', 'Roof repair', 'Projects/', '--dry-run')
    expect(into.value).toMatchObject({ from: meant, to: 'Areas/Projects/Roof repair.md' })
    const renamed = await here.json('move', 'Roof repair', 'Roof done', '--dry-run')
    expect(renamed.value).toMatchObject({ to: 'House/Roof done.md' })
    const top = await here.json('move', 'Roof repair', './Roof done', '--dry-run')
    expect(top.value).toMatchObject({ to: 'Roof done.md' })
    const folder = await here.json('move', 'projects', 'Attic/', '--dry-run')
    expect(folder.value).toMatchObject({ from: 'Areas/Projects', to: 'Attic/Projects' })
  })
})
