import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commands as listedCommands } from '../../src/apps/cli/commands/command-list.js'
import { program, type Stage, stage } from './cli-harness.js'

let here: Stage
beforeEach(async () => {
  here = await stage()
})
afterEach(() => here.remove())

/** Each has a folder of its own. */
const commands = listedCommands.filter(({ isFormerName }) => !isFormerName).map(({ name }) => name)

const paths = (value: { hits: { path: string }[] }) => value.hits.map(({ path }) => path)

describe('help and mistakes', () => {
  it('prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    expect(await here.run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('lists every command', async () => {
    const { stdout } = await here.run(['--help', '--all'])
    const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) .*/gm)].map(([, name]) => name)
    expect(listed.filter((name) => name !== 'help').sort()).toEqual([...commands].sort())
  })

  it.each(commands)('explains %s with an example', async (command) => {
    const help = await here.run([command, '--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain(`$ notewright ${command}`)
  })

  it('suggests the right name and exits with 2', async () => {
    const command = await here.run(['serach', 'x'])
    expect(command).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Did you mean search?') })
    const option = await here.run(['search', 'x', '--limt', '3'])
    expect(option).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Did you mean --limit?') })
  })

  it('prints failures as JSON with --json', async () => {
    const { code, value } = await here.json('search', 'x', '--after', 'yesterday')
    expect([code, value.ok, value.code]).toEqual([2, false, 'invalid-input'])
    const wrongWay = await here.json('search', 'x', '--after', '2025-02-01', '--before', '2025-01-01')
    expect(wrongWay.value.text).toBe('End time must be after start time')
  })

  it('reports where it looked if there is no vault', async () => {
    const { code, stderr } = await here.run(['status'], { cwd: here.environment.HOME })
    expect(code).toBe(3)
    expect(stderr).toContain('No vault found')
    expect(stderr).toContain('--vault FOLDER')
    expect((await here.run(['status', '--vault', 'gone'])).code).toBe(3)
  })

  it('finds the vault from the environment, the configuration, and the current folder', async () => {
    const root = async (options: Parameters<Stage['run']>[1]) =>
      JSON.parse((await here.run(['status', '--json'], options)).stdout).vault
    const cwd = join(here.vault, 'Garden')
    expect(await root({ environment: { OBSIDIAN_VAULT_PATH: here.vault } })).toBe(here.vault)
    expect(await root({ cwd })).toBe(here.vault)
    await here.run(['config', 'set', 'vault', here.vault])
    expect(await root({})).toBe(here.vault)
  })
})

describe('index and search', () => {
  it('index reports counts for scripts', async () => {
    await here.write('broken.md', '---\ntitle: [\n---\ntext')
    const { code, value } = await here.json('index')
    expect(code).toBe(0)
    expect(value).toEqual({
      notes: expect.any(Number),
      chunks: expect.any(Number),
      links: expect.any(Number),
      skipped: expect.any(Array),
      ms: expect.any(Number),
      lexicalMs: expect.any(Number),
      vectorsMs: expect.any(Number),
    })
    expect(value.notes).toBe(8)
  })

  it('search answers with passages and their lines', async () => {
    await here.json('index')
    const { code, value } = await here.json('search', 'late blight', '-n', '3')
    expect(code).toBe(0)
    expect(value).toMatchObject({ query: 'late blight', freshness: 'fresh' })
    const [hit] = value.hits
    expect(hit).toEqual({
      path: 'Garden/Tomatoes.md',
      title: 'Tomatoes',
      heading: expect.any(String),
      lines: [expect.any(Number), expect.any(Number)],
      preview: expect.stringContaining('blight'),
      score: expect.any(Number),
    })
    expect(hit.score).toBeGreaterThan(0)
    expect(hit.score).toBeLessThanOrEqual(1)
    expect(value.hits.length).toBeLessThanOrEqual(3)
  })

  it('search works in a vault that was never indexed, and sees an edit made since', async () => {
    expect(paths((await here.json('search', 'nitrogen')).value)).toContain('Garden/Beans.md')
    await here.write('Garden/Peas.md', 'Peas are sweeter than zucchini.\n')
    expect(paths((await here.json('search', 'zucchini')).value)).toEqual(['Garden/Peas.md'])
  })

  it('no hits are not a failure', async () => {
    await here.json('index')
    const { code, value } = await here.json('search', 'xqzwvk')
    expect([code, value.hits]).toEqual([0, []])
    const plain = await here.run(['search', 'xqzwvk', '--vault', here.vault])
    expect(plain).toMatchObject({ code: 0, stdout: '' })
  })

  it('filters by tag, folder and date', async () => {
    await here.json('index')
    const hits = async (...more: string[]) => paths((await here.json('search', 'beans tomatoes', ...more)).value).sort()
    expect(await hits('--folder', 'Kitchen/')).toEqual(['Kitchen/Beans.md', 'Kitchen/Soup.md'])
    expect(await hits('--tag', '#garden', '--tag', 'garden/vegetables')).toEqual(['Garden/Tomatoes.md'])
    expect(await hits('--before', '1999-12-31')).toEqual([])
    expect(await hits('--after', '2020-01-01', '--folder', 'Garden')).toContain('Garden/Beans.md')
  })

  it('never shows a private note', async () => {
    await here.json('index')
    expect(paths((await here.json('search', 'secret tomatoes', '-n', '50')).value)).not.toContain('Secret.md')
    expect((await here.json('links', 'Secret')).code).toBe(3)
  })

  it('explains a score with --explain', async () => {
    await here.json('index')
    const { value } = await here.json('search', 'blight', '--explain')
    expect(value.hits[0].why).toBeTypeOf('object')
  })

  it('reads a batch from a file or from standard input, in order', async () => {
    await here.json('index')
    const batch = '{"id": 7, "query": "blight"}\n\n{"id": "b", "query": "nitrogen"}\n'
    const piped = await here.run(['search', '--batch', '-', '--vault', here.vault], { input: batch })
    const lines = piped.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ id }) => id)).toEqual([7, 'b'])
    expect(lines[1].hits[0].path).toBe('Garden/Beans.md')
    expect(Object.keys(lines[0])).toEqual(['id', 'hits'])

    await writeFile(join(here.home, 'queries.jsonl'), batch)
    const words = ['search', '--batch', join(here.home, 'queries.jsonl'), '--timings', '--vault', here.vault]
    const timed = (await here.run(words)).stdout.trimEnd().split('\n')
    expect(JSON.parse(timed[1])).toMatchObject({ id: 'b', ms: expect.any(Number) })

    const wrong = await here.run(['search', '--batch', '-', '--vault', here.vault], { input: 'not json\n' })
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Line 1') })
    expect((await here.run(['search', '--batch', 'gone.jsonl', '--vault', here.vault])).code).toBe(3)
  })

  it('writes nothing into the vault, and keeps its own files private', async () => {
    const before = await here.treeHash()
    await here.json('index')
    await here.json('search', 'tomatoes')
    await here.json('links', 'Tomatoes')
    await here.json('status')
    await here.json('doctor')
    expect(await here.treeHash()).toBe(before)
    for (const entry of await readdir(here.home, { recursive: true })) {
      const { mode } = await stat(join(here.home, entry))
      expect([entry, mode & 0o077]).toEqual([entry, 0])
    }
  })

  it('prints no escape sequences into a pipe, even if a note contains some', async () => {
    await here.json('index')
    const { stdout, stderr } = await here.run(['search', 'nobody links here', '--vault', here.vault])
    expect(stdout).toContain('Orphan.md')
    expect(stdout + stderr).not.toMatch(/[\x1b\u202e]/)
    const { stdout: json } = await here.run(['search', 'nobody links here', '--vault', here.vault, '--json'])
    expect(json).not.toMatch(/[\x1b\u202e]/)
  })
})

describe('links', () => {
  it('are listed from and to a note, by any of its names', async () => {
    for (const name of ['Garden/Tomatoes.md', 'Garden/Tomatoes', 'Tomatoes', 'tomatoes']) {
      const { code, value } = await here.json('links', name)
      expect([code, value.path, value.forward]).toEqual([0, 'Garden/Tomatoes.md', []])
      expect(value.back.map(({ source, kind }) => [source, kind])).toEqual([
        ['Garden/Compost.md', 'wikilink'],
        ['Home.md', 'wikilink'],
        ['Kitchen/Soup.md', 'embed'],
      ])
    }
    const { value } = await here.json('links', 'Home')
    expect(value.forward).toEqual([
      { target: 'Garden/Tomatoes.md', raw: '[[Tomatoes]]', kind: 'wikilink', line: 3 },
      { target: 'Garden/Compost.md', raw: '[compost](Garden/Compost.md)', kind: 'markdown', line: 3 },
      { target: null, raw: '[[Missing note]]', kind: 'wikilink', line: 4 },
    ])
    expect((await here.json('links', 'Compost')).value.forward[0].subpath).toBe('#Blight')
  })

  it('of an ambiguous name are refused with the candidates, of a missing one with exit code 3', async () => {
    const { code, value } = await here.json('links', 'Beans')
    expect([code, value.code]).toEqual([2, 'ambiguous'])
    expect(JSON.stringify(value)).toContain('Garden/Beans.md')
    expect(JSON.stringify(value)).toContain('Kitchen/Beans.md')
    expect(await here.json('links', 'Nothing')).toMatchObject({ code: 3, value: { ok: false, code: 'not-found' } })
  })

  it('unresolved links and orphans are listed', async () => {
    const { value } = await here.json('links', '--unresolved')
    expect(value.unresolved).toMatchObject([{ source: 'Home.md', raw: '[[Missing note]]', line: 4 }])
    expect((await here.json('links', '--orphans')).value.orphans).toContain('Orphan.md')
  })
})

describe('status, doctor and config', () => {
  it('status shows the contents of the index', async () => {
    await here.json('index')
    expect((await here.json('status')).value).toMatchObject({
      vault: here.vault,
      notes: 7,
      freshness: 'fresh',
      lastChange: null,
    })
  })

  it('doctor passes on a healthy setup, and fails on a broken one', async () => {
    await here.json('index')
    const { code, value } = await here.json('doctor')
    expect([code, value.ok]).toEqual([0, true])
    const subjects = value.checks.map(({ check }) => check)
    for (const subject of ['Node.js', 'Vault', 'Exclusions', 'Index', 'Journal', 'Permissions', 'Local models']) {
      expect(subjects).toContain(subject)
    }
    const broken = await here.run(['doctor', '--json'])
    expect(broken.code).toBe(1)
    expect(JSON.parse(broken.stdout).ok).toBe(false)
  })

  it.each([
    ['model', 'ollam/qwen3', 'Did you mean ollama?'],
    ['vault', 'nowhere', 'Vault folder not found'],
    ['tools.enabled', 'raed_note', 'read_note'],
    ['dialect', 'klingon', 'sentinel'],
    ['search.limits', '1', 'Did you mean search.limit?'],
  ])('config set %s %s is refused and not stored', async (key, value, why) => {
    const refused = await here.run(['config', 'set', key, value])
    expect([refused.code, refused.stdout]).toEqual([key === 'vault' ? 3 : 2, ''])
    expect(refused.stderr).toContain(why)
    expect((await here.run(['config', 'get', key])).stdout).not.toContain(value)
  })

  it('config set is stored, and overrides only the default', async () => {
    expect((await here.run(['config', 'path'])).stdout.trim()).toBe(join(here.home, 'config.json'))
    expect((await here.run(['config', 'set', 'search.limit', '1'])).code).toBe(0)
    expect((await here.json('search', 'tomatoes')).value.hits).toHaveLength(1)
    expect((await here.json('search', 'tomatoes', '-n', '2')).value.hits).toHaveLength(2)
    expect((await here.run(['config', 'get', 'search.limit'])).stdout).toBe('1\n')
  })

  it('a settings file with an unknown name is refused, with how to list the names', async () => {
    await mkdir(here.home, { recursive: true })
    await writeFile(join(here.home, 'config.json'), '{"serch": {}}')
    expect(await here.run(['status', '--vault', here.vault])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/serch[\s\S]*List the available settings: notewright config list/),
    })
  })
})

describe('no command, and a pipe', () => {
  it('answers a question per line', async () => {
    const { code, stdout } = await here.run(['--vault', here.vault], { input: 'late blight\nwhat links to Beans?\n' })
    expect(code).toBe(0)
    expect(stdout).toContain('Late blight comes with warm rain in August')
    expect(stdout.match(/^Sources$/gm)).not.toBeNull()
  })

  it('prints an answer per line as JSON', async () => {
    const { stdout } = await here.run(['--vault', here.vault, '--json'], { input: 'blight\n\nnitrogen\n' })
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers.map(({ reason, model }) => [reason, model])).toEqual([
      ['answered', 'offline'],
      ['answered', 'offline'],
    ])
    expect(answers[1].answer).toContain('nitrogen')
  })
})

describe('signals and pipes', () => {
  const start = (...words: string[]) =>
    spawn(process.execPath, [program, ...words, '--vault', here.vault], { env: here.environment })

  it('an interrupt ends cleanly with 130', async () => {
    await here.json('index')
    const child = start()
    child.stdin.write('blight\n')
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect(code).toBe(130)
  })

  it('a reader that closes the pipe causes no error', async () => {
    await here.json('index')
    const child = start('search', '--batch', '-')
    child.stdin.on('error', () => {})
    let stderr = ''
    child.stderr.on('data', (text) => (stderr += text))
    child.stdin.write('{"id": 1, "query": "beans"}\n')
    await once(child.stdout, 'data')
    child.stdout.destroy()
    for (let id = 2; id < 200; id++) child.stdin.write(`{"id": ${id}, "query": "beans"}\n`)
    child.stdin.end()
    const [code] = await once(child, 'close')
    expect([code, stderr]).toEqual([0, ''])
  })

  it('verbose lines go to standard error and hold no note text', async () => {
    const { stdout, stderr } = await here.run(['search', 'blight', '--vault', here.vault, '--verbose', '--json'])
    expect(JSON.parse(stdout).hits).not.toEqual([])
    expect(stderr).toMatch(/^\[Notewright\] /m)
    expect(stderr).not.toContain('warm rain')
  })
})

it('keeps two vaults of the same name apart', async () => {
  const other = join(here.home, 'other', 'vault')
  await mkdir(other, { recursive: true })
  await writeFile(join(other, 'Only.md'), 'Quinces.\n')
  await here.json('index')
  const { stdout } = await here.run(['search', 'tomatoes quinces', '--vault', other, '--json'])
  expect(paths(JSON.parse(stdout))).toEqual(['Only.md'])
})
