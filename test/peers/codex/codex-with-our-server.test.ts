import { appendFile, cp, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../run-program.js'
import { type ServedModel, serveModel } from '../scripted-model/serve-model.js'
import { codexHome, codexPath } from './real-codex.js'

describe('Codex with our server in its settings', () => {
  let served: ServedModel
  beforeAll(async () => {
    served = await serveModel()
  })
  afterAll(() => served.close())

  it('searches the vault for its model, as init has set it up', async () => {
    const { home } = await codexHome(served.url)
    const folder = dirname(home)
    const vault = join(folder, 'vault')
    await cp('examples/vault', vault, { recursive: true })
    const environment = { HOME: folder, CODEX_HOME: home, NOTEWRIGHT_HOME: join(folder, 'notewright') }
    const init = ['init', '--client', 'codex', '--write', '--vault', vault, '--json']
    const written = await runProgram(process.execPath, [resolve('dist/notewright.js'), ...init], environment)
    expect(written).toMatchObject({ code: 0 })
    const settings = await readFile(join(home, 'config.toml'), 'utf8')
    expect(settings).toContain('[mcp_servers.tattling]')
    expect(settings).toContain('[mcp_servers.notewright]')
    // The scripted model answers before any server is there: Codex is told to wait for ours.
    await appendFile(join(home, 'config.toml'), '\nrequired = true\n')
    const ask = 'Please call search_notes and find the Tomatoes.'
    const words = [codexPath('0.166'), 'exec', '--skip-git-repo-check', '--cd', vault, ask]
    const { stdout, stderr } = await runProgram(process.execPath, words, environment)
    expect(stdout + stderr).toContain('Garden/Tomatoes.md')
    const offered = JSON.stringify(served.requests.map((request) => (request as { tools?: unknown }).tools))
    expect(offered).toContain('search_notes')
  })
})
