import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { program, type Stage, stage } from './cli-harness.js'
import { atTerminal, noPty } from './pty.js'

let here: Stage
beforeEach(async () => {
  here = await stage()
})
afterEach(() => here.remove())

const run = (...words: string[]) => here.run([...words, '--vault', here.vault])
const logged = async () => {
  const { stdout } = await run('log', '--json')
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { tool_name: string; decision: string })
}

describe('read', () => {
  it('prints a note by its path, name or alias, and logs the call', async () => {
    const text = await here.read('Garden/Compost.md')
    for (const name of ['Garden/Compost.md', 'garden/compost', 'Compost']) {
      expect((await run('read', name)).stdout).toBe(text)
    }
    expect((await run('read', 'love apples')).stdout).toContain('Tomatoes like sun.')
    expect(await logged()).toMatchObject(Array(4).fill({ tool_name: 'read_note', decision: 'allowed' }))
  })

  it('prints one section or some lines', async () => {
    expect((await run('read', 'Tomatoes', '--heading', 'Blight')).stdout).toBe(
      '## Blight\n\nLate blight comes with warm rain in August.\n',
    )
    expect(await here.json('read', 'Tomatoes', '--lines', '5-7')).toMatchObject({
      code: 0,
      value: { path: 'Garden/Tomatoes.md', lines: [5, 7], text: '# Tomatoes\n\nTomatoes like sun.\n' },
    })
  })

  it('prints every part of a long note, and escapes what a terminal would obey', async () => {
    const long = `${Array.from({ length: 900 }, (_, at) => `line ${at}`).join('\n')}\n`
    await here.write('Long.md', long)
    expect((await run('read', 'Long')).stdout).toBe(long)
    const { value } = await here.json('read', 'Orphan')
    expect(value).toMatchObject({ hidden: 3, text: expect.stringContaining('⟦U+001B⟧[31mred') })
  })

  it('answers with exit code 3 for a note that is not there or private, and 2 for a name of two notes', async () => {
    for (const name of ['Nothing like it', 'Secret.md']) {
      expect(await here.json('read', name)).toMatchObject({ code: 3, value: { code: 'not-found' } })
    }
    const { code, value } = await here.json('read', 'Beans')
    expect({ code, ...value }).toMatchObject({ code: 'ambiguous', ok: false })
    expect((await run('read', 'Beans')).code).toBe(2)
  })
})

describe('append', () => {
  it('asks first: without an answer nothing changes and the exit code is 4', async () => {
    const before = await here.treeHash()
    expect(await here.json('append', 'Home', 'More.')).toMatchObject({
      code: 4,
      value: { code: 'needs-approval', hint: expect.stringContaining('--yes') },
    })
    expect(await here.json('append', 'Home', 'More.', '--dry-run')).toMatchObject({
      code: 0,
      value: {
        applied: false,
        path: 'Home.md',
        changes: [{ kind: 'append', diff: expect.stringContaining('+More.') }],
      },
    })
    expect(await here.treeHash()).toBe(before)
  })

  it('adds text at the end or under a heading, and undo takes the beginning of its id', async () => {
    const before = await here.read('Garden/Tomatoes.md')
    const { value } = await here.json('append', 'love apples', '- none this year', '--heading', 'Blight', '--yes')
    expect(value).toMatchObject({ path: 'Garden/Tomatoes.md', applied: true })
    expect(await here.read('Garden/Tomatoes.md')).toBe(`${before}- none this year\n`)
    expect(await here.json('undo', value.id.slice(0, 6), '--yes')).toMatchObject({ code: 0 })
    expect(await here.read('Garden/Tomatoes.md')).toBe(before)
    expect(await logged()).toMatchObject([{ tool_name: 'append_note', decision: 'approved' }])
  })

  it('reads the text from standard input for -', async () => {
    const words = ['append', 'Home', '-', '--yes', '--vault', here.vault]
    expect((await here.run(words, { input: 'one\ntwo\n' })).code).toBe(0)
    expect((await here.read('Home.md')).endsWith('\none\ntwo\n')).toBe(true)
    expect((await here.run(words, { input: '' })).code).toBe(2)
  })

  it('refuses an option it does not have, and what a rule denies', async () => {
    expect(await here.json('append', 'Home', '--headng', 'x', '--yes')).toMatchObject({
      code: 2,
      value: { text: "unknown option '--headng'" },
    })
    await here.run(['config', 'set', 'permissions.deny', '["append_note(Home.md)"]'])
    expect(await here.json('append', 'Home', 'x', '--yes')).toMatchObject({ code: 4, value: { code: 'denied' } })
  })

  it.skipIf(noPty !== undefined)('shows the change at a terminal and waits for the approval', async () => {
    const { sees, send, exit } = atTerminal(
      [process.execPath, program, 'append', 'Home', 'More soon.', '--vault', here.vault],
      here.environment,
    )
    await sees('More soon.')
    await sees(/\[[yY]\/[nN]/).catch(() => {})
    send('y')
    expect(await exit()).toBe(0)
    expect((await here.read('Home.md')).endsWith('\nMore soon.\n')).toBe(true)
  })
})

describe('daily', () => {
  it('creates the daily note as Obsidian is configured, adds text, and shows it', async () => {
    await here.write('.obsidian/daily-notes.json', '{"folder": "Journal", "format": "YYYY/MM-DD", "template": "Day"}')
    await here.write('Day.md', '# {{date}}\n')
    const created = await here.json('daily', '- Sowed the peas.', '--date', '2026-03-01', '--yes')
    expect(created.value).toMatchObject({ path: 'Journal/2026/03-01.md', created: true, applied: true })
    expect(await here.read('Journal/2026/03-01.md')).toBe('# 2026-03-01\n- Sowed the peas.\n')
    expect((await run('daily', '--date', '2026-03-01')).stdout).toBe('# 2026-03-01\n- Sowed the peas.\n')
  })

  it('asks before it creates the note of today', async () => {
    expect((await here.json('daily')).code).toBe(4)
    const { value } = await here.json('daily', '--yes')
    expect(value.path).toMatch(/^\d{4}-\d\d-\d\d\.md$/)
    expect(await here.json('daily')).toMatchObject({ code: 0, value: { created: false, text: '' } })
  })
})

describe('tags', () => {
  it('lists tags by use or by name, without those of private notes', async () => {
    await here.write('Zoo.md', '#zoo #zoo/cats\n')
    await here.write('Hidden.md', '---\nprivate: true\n---\n#secret\n')
    const { value } = await here.json('tags', '--sort', 'name')
    expect(value).toEqual({
      tags: [
        { tag: 'garden', notes: 2 },
        { tag: 'garden/vegetables', notes: 1 },
        { tag: 'zoo', notes: 1 },
        { tag: 'zoo/cats', notes: 1 },
      ],
    })
    expect((await run('tags')).stdout.split('\n')[0]).toBe('2  #garden')
  })
})

describe('undo', () => {
  it('shows a move as a move, with the links it updates', async () => {
    await here.write('Self.md', 'See [[Self]] and [home](Home.md).\n')
    await run('move', 'Self.md', 'Sub/Other.md', '--yes')
    const shown = await run('undo', '--dry-run')
    expect(shown.stdout).toContain('Move Sub/Other.md to Self.md\n  Update 1 link in 1 note')
    expect(shown.stdout).not.toMatch(/create|remove/)
    expect((await run('undo', '--yes')).stderr).toContain('Moved Sub/Other.md to Self.md, 1 link updated in 1 note.')
    expect(await here.read('Self.md')).toBe('See [[Self]] and [home](Home.md).\n')
  })
})
