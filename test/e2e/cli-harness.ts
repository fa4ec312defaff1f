import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export const program = resolve('dist/notewright.js')

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

interface PrintedLink {
  source: string
  target: string | null
  raw: string
  subpath?: string
  kind: string
  line: number
}

/** The fields the tests look at, of whatever a command printed. */
export interface Printed {
  [index: number]: { id: string; state: string }
  ok?: boolean
  code?: string
  text: string
  hint?: string
  id: string
  path: string
  query: string
  notes: number
  hits: { path: string; score: number; why?: unknown }[]
  forward: PrintedLink[]
  back: PrintedLink[]
  unresolved: PrintedLink[]
  orphans: string[]
  changes: { kind: string; path: string }[]
  checks: { check: string }[]
}

/** A small vault and an own home for Notewright, both gone after `remove`. */
export interface Stage {
  vault: string
  home: string
  environment: Record<string, string>
  run(words: string[], options?: { input?: string; cwd?: string; environment?: Record<string, string> }): Promise<Ran>
  /** Runs with `--vault` and `--json` and parses what was printed. */
  json(...words: string[]): Promise<{ code: number | null; value: Printed }>
  write(path: string, text: string): Promise<void>
  read(path: string): Promise<string>
  /** One hash over every path and byte below the vault. */
  treeHash(): Promise<string>
  remove(): Promise<void>
}

const notes: Record<string, string> = {
  '.obsidian/app.json': '{}',
  'Home.md': '# Home\n\nStart with the [[Tomatoes]] or the [compost](Garden/Compost.md).\nNowhere: [[Missing note]].\n',
  'Garden/Tomatoes.md':
    '---\naliases: [love apples]\ntags: [garden/vegetables]\n---\n# Tomatoes\n\nTomatoes like sun.\n\n## Blight\n\nLate blight comes with warm rain in August.\n',
  'Garden/Compost.md': '# Compost\n\nFeeds the [[Garden/Tomatoes#Blight|tomatoes]] and the beans. #garden\n',
  'Garden/Beans.md': '# Beans\n\nBeans climb poles and fix nitrogen. #garden\n',
  'Kitchen/Soup.md': '# Soup\n\nTomato soup with basil: ![[Tomatoes]]\n',
  'Kitchen/Beans.md': '# Beans\n\nSoak the beans overnight.\n',
  'Orphan.md': 'Nobody links here. \u001b[31mred\u001b[0m \u202eevil\n',
  'Secret.md': '---\nprivate: true\n---\nTomatoes are my secret.\n',
}

export async function stage(): Promise<Stage> {
  const root = await mkdtemp(join(tmpdir(), 'notewright-e2e-'))
  const [vault, home] = [join(root, 'vault'), join(root, 'home')]
  const environment = { PATH: process.env.PATH ?? '', HOME: join(root, 'person'), NOTEWRIGHT_HOME: home, TZ: 'UTC' }
  await mkdir(environment.HOME)
  const made: Stage = {
    vault,
    home,
    environment,
    run: (words, { input = '', cwd = root, environment: more = {} } = {}) =>
      runProgram(words, input, cwd, { ...environment, ...more }),
    async json(...words) {
      const { code, stdout, stderr } = await made.run([...words, '--vault', vault, '--json'])
      try {
        return { code, value: JSON.parse(stdout) }
      } catch {
        throw new Error(`No JSON from ${words.join(' ')} (exit code ${code}):\n${stdout}\n${stderr}`)
      }
    },
    async write(path, text) {
      await mkdir(dirname(join(vault, path)), { recursive: true })
      await writeFile(join(vault, path), text)
    },
    read: (path) => readFile(join(vault, path), 'utf8'),
    treeHash: () => treeHash(vault),
    remove: () => rm(root, { recursive: true, force: true }),
  }
  for (const [path, text] of Object.entries(notes)) await made.write(path, text)
  return made
}

function runProgram(words: string[], input: string, cwd: string, env: Record<string, string>): Promise<Ran> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [program, ...words], { cwd, env })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.once('error', failed)
    child.once('close', (code) => done({ code, stdout, stderr }))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

async function treeHash(root: string): Promise<string> {
  const hash = createHash('sha256')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  for (const folder of folders.sort()) hash.update(`${folder}/\0`)
  for (const file of files.sort()) hash.update(`${file}\0`).update(await readFile(file))
  return hash.digest('hex')
}
