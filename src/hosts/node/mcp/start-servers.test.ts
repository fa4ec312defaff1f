import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { approvalDesk, guard, ruleVocabulary } from '../../../core/approval/index.js'
import type { ServerSetting } from '../../../core/config/index.js'
import type { ServerTool, ToolServers } from '../../../core/mcp/index.js'
import { builtInTools, memoryLog, registry, runTool } from '../../../core/tools/index.js'
import { testContext } from '../../../core/tools/testing/test-context.js'
import { knownServers, listServers, startServers } from './index.js'

const program = resolve('test/mcp/odd-server.mjs')
const odd = (...args: string[]): ServerSetting => ({ command: process.execPath, args: [program, ...args] })
const echo: ServerTool = {
  name: 'echo',
  description: 'Says what it was told.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

let home: string
let root: string
let started: ToolServers[]
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'notewright-mcp-'))
  root = await mkdtemp(join(tmpdir(), 'notewright-vault-'))
  started = []
})
afterEach(async () => {
  await Promise.all(started.map((servers) => servers.close()))
  await rm(home, { recursive: true, force: true })
  await rm(root, { recursive: true, force: true })
})

describe('MCP servers as child processes', () => {
  it('M01: are ready beside those that hang, and each call of a bad one ends with a typed error', async () => {
    const { all, call, servers } = await start({
      hangs: odd('hangs'),
      listsNever: odd('lists-never'),
      callsNever: { ...odd('calls-never'), timeoutMs: 500 },
      dies: odd('dies'),
      longLine: odd('long-line'),
      chatty: odd('chatty'),
      notifies: odd('notifications'),
      good: odd('good'),
    })
    await servers.ready(3000)
    await expect.poll(() => all.find('good__echo')).toBeDefined()
    expect(all.find('hangs__echo') ?? all.find('listsNever__echo')).toBeUndefined()
    for (const name of ['callsNever', 'dies', 'longLine', 'chatty', 'notifies']) {
      await expect.poll(() => all.find(`${name}__echo`)).toBeDefined()
    }
    expect(await call('callsNever__echo')).toMatchObject({ ok: false, code: 'timeout' })
    expect(await call('dies__echo')).toMatchObject({ ok: false, code: 'network' })
    expect(await call('longLine__echo')).toMatchObject({ ok: false, code: 'too-large' })
    expect(await call('notifies__echo')).toMatchObject({ ok: false, code: 'too-large' })
    expect(await call('chatty__echo')).toMatchObject({ ok: true, text: 'hello' })
    expect(await call('good__echo')).toMatchObject({ ok: true, text: 'hello' })
    expect(process.memoryUsage().rss).toBeLessThan(512 << 20)
  })

  it('are gone when they are closed, also one that would stay, and what it has started', async () => {
    const pid = join(home, 'pid')
    const { all, servers } = await start({ stubborn: odd('stubborn', pid) })
    await expect.poll(() => all.find('stubborn__echo')).toBeDefined()
    await servers.close()
    expect(isAlive(Number(await readFile(pid, 'utf8')))).toBe(false)
  })

  it('M03: see of our environment only what every program needs, and what is configured', async () => {
    const environment = {
      ...process.env,
      OPENAI_API_KEY: 'sk-canary-1',
      ANTHROPIC_API_KEY: 'sk-canary-2',
      AWS_SECRET: 'canary-3',
      MINE: 'from outside',
    }
    const { all, call } = await start(
      { env: { ...odd('environment'), env: { TOKEN: `\${MINE}` } } as ServerSetting },
      environment,
    )
    await expect.poll(() => all.find('env__echo')).toBeDefined()
    const result = await call('env__echo')
    const seen = JSON.parse(result.text)
    expect(result.text).not.toContain('canary')
    expect(seen.TOKEN).toBe('from outside')
    const allowed = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TMP', 'TEMP', 'TOKEN']
    expect(Object.keys(seen).filter((name) => !allowed.includes(name))).toEqual([])
  })

  it('are passed their arguments as they stand: no shell reads them', async () => {
    const words = 'a && touch PWNED; $(id) `id` "x'
    const { all } = await start({ plain: odd('words', words) })
    await expect.poll(() => all.find('plain__echo')?.tool.description).toBe(words)
    expect(existsSync('PWNED')).toBe(false)
  })

  it('that cannot be started are told in a sentence', async () => {
    const { troubles } = await start({ missing: { command: 'no-such-program-here' } })
    await expect
      .poll(() => troubles)
      .toEqual([expect.stringContaining('no-such-program-here: there is no such program')])
    const other = await start({ unset: { command: 'x', args: [`\${NOT_SET_ANYWHERE}`] } })
    await expect.poll(() => other.troubles).toEqual([expect.stringContaining('NOT_SET_ANYWHERE')])
  })

  it('are not started while none of their tools is on', async () => {
    const pid = join(home, 'pid')
    const { servers } = await start({ idle: odd('pid', pid) }, process.env, [])
    await servers.ready(1000)
    expect(existsSync(pid)).toBe(false)
  })
})

describe('the servers of a vault', () => {
  const pwned = () => join(home, 'PWNED')
  const bring = (servers: unknown) => writeFile(join(root, '.mcp.json'), JSON.stringify({ mcpServers: servers }))

  it('M02: are listed with all they would run, and start nothing before they are trusted', async () => {
    const touch = { command: 'sh', args: ['-c', `touch ${pwned()}`] }
    await bring({ evil: touch })
    const { servers } = await start({}, process.env, ['evil/echo'])
    await servers.ready(1000)
    expect(existsSync(pwned())).toBe(false)
    expect(await list()).toMatchObject([{ name: 'evil', from: 'vault', state: 'untrusted', setting: touch }])
  })

  it('are started once trusted, until a byte of their entry changes', async () => {
    await bring({ team: odd('good') })
    const [{ hash }] = await list()
    await knownServers(home).trust(root, 'team', hash)
    const { all } = await start({}, process.env, ['team/echo'])
    await expect.poll(() => all.find('team__echo')).toBeDefined()
    await bring({ team: odd('good', 'more') })
    expect(await list()).toMatchObject([{ state: 'untrusted' }])
  })

  it('do not stand in for one of the settings that has their name', async () => {
    await bring({ files: odd('good') })
    const listed = await list({ files: odd('good') })
    expect(listed.map(({ from, state }) => [from, state])).toEqual([
      ['settings', 'on'],
      ['vault', 'hidden'],
    ])
  })

  it.each(['{', '[]', '{"mcpServers": {"../x": {"command": "sh"}}}', '{"mcpServers": {"x": {"command": 5}}}'])(
    'are none where the file says %s, and that is told',
    async (text) => {
      await writeFile(join(root, '.mcp.json'), text)
      const troubles: string[] = []
      expect(await list({}, troubles)).toEqual([])
      expect(troubles).toEqual([expect.stringContaining('.mcp.json')])
    },
  )

  function list(mcpServers: Record<string, ServerSetting> = {}, troubles: string[] = []) {
    const onTrouble = (text: string) => void troubles.push(text)
    return listServers({ settings: { mcpServers }, root, known: knownServers(home), onTrouble })
  }
})

describe('what a person has looked at', () => {
  it('is known to the next process, and other servers are not concerned', async () => {
    await knownServers(home).seen.add('a', [echo])
    await knownServers(home).seen.add('a', [{ ...echo, name: '__proto__' }])
    expect([...(await knownServers(home).seen.of('a')).keys()]).toEqual(['echo', '__proto__'])
    expect((await knownServers(home).seen.of('b')).size).toBe(0)
  })
})

async function start(
  mcpServers: Record<string, ServerSetting>,
  environment: Record<string, string | undefined> = process.env,
  enabled = Object.keys(mcpServers).map((name) => `${name}/echo`),
) {
  const all = registry(builtInTools)
  const known = knownServers(home)
  for (const name of Object.keys(mcpServers)) await known.seen.add(name, [echo])
  const troubles: string[] = []
  const desk = approvalDesk({ asker: async () => ({ verdict: 'allow' }) })
  const servers = await startServers({
    settings: { mcpServers, tools: { enabled } },
    root,
    registry: all,
    known,
    desk,
    environment,
    onTrouble: (text) => troubles.push(text),
  })
  started.push(servers)
  const context = await testContext({})
  const call = (name: string) => {
    const rules = guard({ level: 'ask', rules: [], vocabulary: () => ruleVocabulary(all), desk })
    const setup = { registry: all, context, apply: context.apply, log: memoryLog(), guard: rules }
    return runTool({ id: '1', name, input: { text: 'hello' } }, setup)
  }
  return { all, call, servers, troubles }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
