import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { program } from './cli-harness.js'

const needed = ['dbus-run-session', 'gnome-keyring-daemon']
const missing = needed.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
const canary = 'sk-test-CANARYKEY-keyring'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'notewright-keyring-'))
  mkdirSync(join(home, 'run'), { mode: 0o700 })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Runs shell lines in a session with an unlocked keyring of its own; `nw` is the program. */
function inSession(...lines: string[]): string {
  const script = join(home, 'script.sh')
  const unlock = 'printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1'
  const nw = `nw() { '${process.execPath}' '${program}' "$@" 2>&1; }`
  writeFileSync(script, [unlock, nw, ...lines, ''].join('\n'))
  const { NOTEWRIGHT_HOME: _, ...environment } = process.env
  const folders = { XDG_CONFIG_HOME: 'config', XDG_DATA_HOME: 'data', XDG_STATE_HOME: 'state', XDG_CACHE_HOME: 'cache' }
  const own = Object.fromEntries(Object.entries(folders).map(([name, folder]) => [name, join(home, folder)]))
  return execFileSync('dbus-run-session', ['--', 'sh', script], {
    encoding: 'utf8',
    timeout: 30_000,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...environment, HOME: home, XDG_RUNTIME_DIR: join(home, 'run'), ...own },
  })
}

const name = `keys in the keyring of this system${missing.length > 0 ? ` (not here: ${missing.join(', ')})` : ''}`
describe.skipIf(missing.length > 0)(name, () => {
  it('are stored only there, found again, and removed', () => {
    const output = inSession(
      `printf ${canary} | nw keys set openai`,
      'nw keys list --json',
      'nw keys remove openai',
      'nw keys list --json',
    )
    expect(output.trim().split('\n')).toEqual([
      'Stored the API key for OpenAI in the system keyring.',
      '{"keys":[{"provider":"openai","source":"keyring"}]}',
      'Removed the API key for OpenAI.',
      '{"keys":[]}',
    ])
    expect(filesWith(canary)).toEqual([join(home, 'script.sh')])
  })

  it('are not stored there if NOTEWRIGHT_HOME is set', () => {
    const own = join(home, 'own')
    const output = inSession(
      `export NOTEWRIGHT_HOME='${own}'`,
      `printf ${canary} | nw keys set openai`,
      'nw keys list --json',
    )
    expect(output).toContain('"source":"file"')
    expect(filesWith(canary).filter((file) => !file.startsWith(own))).toEqual([join(home, 'script.sh')])
  })
})

function filesWith(text: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'latin1').includes(text))
}
