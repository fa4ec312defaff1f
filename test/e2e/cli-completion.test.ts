import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { program, type Stage, stage } from './cli-harness.js'

let here: Stage
let environment: Record<string, string>

beforeAll(async () => {
  here = await stage()
  await here.write('Winter garlic.md', '#garden/winter\n')
  await here.write('Hit $(touch hit).md', 'A name that a shell must not run.\n')
  const bin = join(here.home, '..', 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'notewright'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
  await chmod(join(bin, 'notewright'), 0o755)
  environment = { ...here.environment, PATH: `${bin}${delimiter}${process.env.PATH}` }
  await here.json('index')
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout, code } = await here.run(['completion', shell])
    expect(code).toBe(0)
    await writeFile(join(here.home, shell), stdout)
  }
})
afterAll(() => here.remove())

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

/** Loads the script in a real shell and completes the last word. */
const completed: Record<string, (...words: string[]) => string[]> = {
  bash: (...words) =>
    inShell(
      ['bash', '--norc'],
      [
        `source ${join(here.home, 'bash')}`,
        `COMP_WORDS=(${words.map(quoted).join(' ')}); COMP_CWORD=${words.length - 1}`,
        '_notewright; for word in "${COMPREPLY[@]}"; do printf "%s\\n" "$word"; done',
      ],
    ),
  // The functions of zsh that take the candidates print them here.
  zsh: (...words) =>
    inShell(
      ['zsh', '-f'],
      [
        'compdef() { }',
        `source ${join(here.home, 'zsh')}`,
        '_describe() { local name=$@[-1]; print -l -- ${${(P)name}%%:*} }',
        'compadd() { print -l -- $found }',
        `words=(${words.map(quoted).join(' ')}); CURRENT=${words.length}; _notewright`,
      ],
    ).filter((word) => word.startsWith((words.at(-1) ?? '').replaceAll('\\', ''))),
  fish: (...words) =>
    inShell(
      ['fish', '--no-config'],
      [`source ${join(here.home, 'fish')}`, `complete -C ${quoted(words.join(' '))}`],
    ).map((line) => line.split('\t')[0]),
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function inShell([shell, ...options]: string[], lines: string[]): string[] {
  const { stdout, stderr, status } = spawnSync(shell, [...options, '-c', lines.join('\n')], {
    cwd: here.vault,
    env: environment,
    encoding: 'utf8',
  })
  if (status !== 0 && stderr !== '') throw new Error(stderr)
  return stdout.split('\n').filter((line) => line !== '')
}

describe.each(['bash', 'zsh', 'fish'])('completion in %s', (shell) => {
  const complete = (...words: string[]) => completed[shell]('notewright', ...words)
  const inVault = (...words: string[]) => complete('--vault', here.vault, ...words)

  it.skipIf(!has(shell))(`completes commands, subcommands, flags and choices (needs ${shell})`, () => {
    expect(complete('mo')).toEqual(expect.arrayContaining(['models', 'move']))
    expect(complete('mo')).toHaveLength(2)
    expect(complete('tool', '').sort()).toEqual(['call', 'disable', 'enable', 'list', 'show'])
    expect(complete('read', '--he').sort()).toEqual(['--heading', '--help'])
    expect(complete('ask', '--mode', 'p')).toEqual(['plan'])
    expect(complete('completion', 'f')).toEqual(['fish'])
  })

  it.skipIf(!has(shell))(`completes tools, settings, providers and dialects (needs ${shell})`, () => {
    expect(complete('tool', 'call', 'write_')).toEqual(['write_note'])
    expect(complete('log', '--tool', 'write_')).toEqual(['write_note'])
    expect(complete('config', 'set', 'search.')).toContain('search.limit')
    expect(complete('config', 'set', 'search.limit', '')).not.toContain('search.limit')
    expect(complete('keys', 'set', 'open')).toEqual(expect.arrayContaining(['openai', 'openrouter']))
    expect(complete('ask', '--dialect', 's')).toEqual(['sentinel'])
    expect(complete('dialect', 'parse', '--format', 'llama3')).toContain('llama3_json')
  })

  it.skipIf(!has(shell))(`completes notes and tags from the index (needs ${shell})`, () => {
    expect(inVault('read', 'Com')).toEqual(['Compost'])
    expect(inVault('read', 'Winter\\ g')).toEqual(['Winter garlic'])
    expect(inVault('append', 'Garden/').sort()).toEqual(['Garden/Beans.md', 'Garden/Compost.md', 'Garden/Tomatoes.md'])
    expect(inVault('search', '--tag', 'garden/').sort()).toEqual(['garden/vegetables', 'garden/winter'])
    expect(inVault('read', 'Sec')).toEqual([])
  })

  it.skipIf(!has(shell))(
    `runs nothing that a name contains, and is silent without an index (needs ${shell})`,
    async () => {
      expect(inVault('read', 'Hi')).toEqual(['Hit $(touch hit)'])
      expect(existsSync(join(here.vault, 'hit'))).toBe(false)
      expect(complete('--vault', here.home, 'read', 'Com')).toEqual([])
    },
  )
})
