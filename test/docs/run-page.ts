import { spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Block, blocksOf, isCommands } from './blocks.js'

/** The port in the docs; a free one takes its place. */
const documentedPort = '8427'

/**
 * Runs the commands of a page in order, in one shell and with a home folder of its own. `~/Notes` is a copy of the sample
 * vault, and `~/Work` a small one. Guides find it in the settings; other pages show how to choose it, or begin in it. The result says what failed.
 */
export async function runPage(page: string, models: { url: string }): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'notewright-docs-'))
  const port = await freePort()
  const blocks = blocksOf(page).filter((block) => block.notRun === undefined)
  try {
    await prepare(home, page)
    const script = blocks.map((block, index) => step(block, index, port)).filter((text) => text !== '')
    await writeFile(join(home, 'ran/script'), `cd "$HOME/Notes"\nset -eo pipefail\n${script.join('\n')}`)
    const code = await shell(join(home, 'ran/script'), {
      PATH: `${join(home, 'ran/bin')}:${process.env.PATH}`,
      HOME: home,
      TZ: 'UTC',
      RAN: join(home, 'ran'),
      OLLAMA_HOST: models.url,
      LMSTUDIO_BASE_URL: `${models.url}/v1`,
      NOTEWRIGHT_SERVE_PORT: port,
    })
    const read = (name: string) => readFile(join(home, 'ran', name), 'utf8').catch(() => '')
    if (code !== 0) {
      const at = Number(await read('at'))
      const place = `${page}:${blocks[at].line}`
      const printed = `${await read(`${at}.out`)}${await read(`${at}.err`)}`
      return `${place} ends with exit code ${code}.\n${blocks[at].text}\n${printed}`
    }
    for (const [index, block] of blocks.entries()) {
      const shown = await read(`${index}.out`)
      if (block.output === undefined || matches(shown, block.output)) continue
      return `${page}:${block.line} prints something else than the page shows:\n${shown}`
    }
    return ''
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function prepare(home: string, page: string): Promise<void> {
  await cp('examples/vault', join(home, 'Notes'), { recursive: true })
  await mkdir(join(home, 'Notes/.obsidian'))
  await writeFile(join(home, 'Notes/.obsidian/app.json'), '{}\n')
  await mkdir(join(home, 'Work/.obsidian'), { recursive: true })
  await writeFile(join(home, 'Work/Plan.md'), '# Plan\n')
  // A program of the reader's own finds the package that `npm link` or `npm install` has put there.
  await mkdir(join(home, 'node_modules'))
  await symlink(resolve('.'), join(home, 'node_modules/notewright'))
  const programs = join(home, 'ran/bin')
  await mkdir(programs, { recursive: true })
  const program = `exec "${process.execPath}" "${resolve('dist/notewright.js')}" "$@"\n`
  await writeFile(join(programs, 'notewright'), `#!/bin/sh\n${program}`)
  // Nothing opens a browser or an editor on the machine that runs the tests.
  for (const name of ['xdg-open', 'open']) await writeFile(join(programs, name), '#!/bin/sh\n')
  for (const name of ['notewright', 'xdg-open', 'open']) await chmod(join(programs, name), 0o755)
  if (!page.startsWith('docs/guides/')) return
  await mkdir(join(home, '.config/notewright'), { recursive: true })
  await writeFile(join(home, '.config/notewright/config.json'), '{ "vault": "~/Notes" }\n')
}

/** The part of the script that does what a reader does with one block. */
function step(block: Block, index: number, port: string): string {
  const head = `echo ${index} > "$RAN/at"; exec > "$RAN/${index}.out" 2> "$RAN/${index}.err" < /dev/null`
  const text = block.text.replaceAll(documentedPort, port)
  if (block.file !== undefined) {
    const file = block.file.replace(/^~/, '$HOME')
    return `${head}\nmkdir -p "$(dirname "${file}")"\ncat > "${file}" <<'END OF FILE'\n${text}\nEND OF FILE`
  }
  if (!isCommands(block)) return ''
  const commands = block.isApproved ? text.replace(/^(notewright .*?)(\s+# .*)?$/gm, '$1 --yes$2') : text
  if (block.keepsRunning) {
    const waits = `until [ -s "$RAN/${index}.out" -o -s "$RAN/${index}.err" ]; do kill -0 $!; sleep 0.05; done`
    return `${head}\n{ ${commands.trimEnd()}\n} &\n${waits}`
  }
  if (block.exitCode === 0) return `${head}\n${commands}`
  return `${head}\nset +e\n${commands}\nended=$?\nset -e\n[ "$ended" = ${block.exitCode} ]`
}

/** Whether the output is what the page shows: `…` stands for any text, and alone in a line for any lines. */
function matches(shown: string, documented: string): boolean {
  const tidy = (text: string) => text.replace(/[^\S\n]+$/gm, '').trim()
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const lines = tidy(documented)
    .split('\n')
    .map((line) => (line.trim() === '…' ? '[\\s\\S]*?' : line.split('…').map(literal).join('.*')))
  return new RegExp(`^${lines.join('\n')}$`).test(tidy(shown))
}

/** Runs a script to its end, and ends everything that it has started. */
function shell(script: string, env: Record<string, string>): Promise<number | null> {
  return new Promise((done, failed) => {
    const child = spawn('bash', [script], { cwd: dirname(script), env, detached: true, stdio: 'ignore' })
    child.once('error', failed)
    child.once('exit', (code) => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // Nothing of it runs any more.
      }
      done(code)
    })
  })
}

function freePort(): Promise<string> {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(`${typeof address === 'object' ? address?.port : ''}`))
    })
  })
}
