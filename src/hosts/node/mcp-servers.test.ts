import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OddHttpServer, type OddHttpWay, oddHttpServer } from '../../../test/mcp/odd-http-server.js'
import { approveServers, echo, isAlive, odd, type ServerStage, serverStage } from '../../../test/mcp/odd-servers.js'
import type { ServerSetting } from '../../core/config/index.js'
import { listConfiguredServers, serverApprovals, serverSecrets, trustServer } from './mcp-servers.js'

let stage: ServerStage
let home: string
let root: string
let served: OddHttpServer[]
beforeEach(async () => {
  stage = await serverStage()
  home = stage.home
  root = stage.root
  served = []
})
afterEach(async () => {
  await stage.remove()
  await Promise.all(served.map((server) => server.close()))
})

const start: ServerStage['start'] = (servers, options) => stage.start(servers, options)
const headers = () => stage.headers

describe('MCP servers as child processes', () => {
  it('M01: are ready while others hang, and each call of a bad one ends with a typed error', async () => {
    // Other test files of this process have used memory before.
    const before = process.memoryUsage().rss
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
    expect(process.memoryUsage().rss - before).toBeLessThan(400 << 20)
  })

  it('end when they are closed, also one that ignores it, with their child processes', async () => {
    const pid = join(home, 'pid')
    const { all, servers } = await start({ stubborn: odd('stubborn', pid) })
    await expect.poll(() => all.find('stubborn__echo')).toBeDefined()
    await servers.close()
    expect(isAlive(Number(await readFile(pid, 'utf8')))).toBe(false)
  })

  it('M03: receive only the variables that every program needs, and the configured ones', async () => {
    const environment = {
      ...process.env,
      OPENAI_API_KEY: 'sk-canary-1',
      ANTHROPIC_API_KEY: 'sk-canary-2',
      AWS_SECRET: 'canary-3',
      MINE: 'from outside',
    }
    const { all, call } = await start(
      { env: { ...odd('environment'), env: { TOKEN: `\${MINE}` } } as ServerSetting },
      { environment },
    )
    await expect.poll(() => all.find('env__echo')).toBeDefined()
    const result = await call('env__echo')
    const seen = JSON.parse(result.text)
    expect(result.text).not.toContain('canary')
    expect(seen.TOKEN).toBe('from outside')
    const allowed = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TMP', 'TEMP', 'TOKEN']
    expect(Object.keys(seen).filter((name) => !allowed.includes(name))).toEqual([])
  })

  it('receive their arguments unchanged, without a shell', async () => {
    const words = 'a && touch PWNED; $(id) `id` "x'
    const { all } = await start({ plain: odd('words', words) })
    await expect.poll(() => all.find('plain__echo')?.tool.description).toBe(words)
    expect(existsSync('PWNED')).toBe(false)
  })

  it('that cannot be started are reported in a sentence', async () => {
    const { troubles } = await start({ missing: { command: 'no-such-program-here' } })
    await expect
      .poll(() => troubles)
      .toEqual([expect.stringContaining('no-such-program-here: the program was not found')])
    const other = await start({ unset: { command: 'x', args: [`\${NOT_SET_ANYWHERE}`] } })
    await expect.poll(() => other.troubles).toEqual([expect.stringContaining('NOT_SET_ANYWHERE')])
  })

  it('are not started while none of their tools is on', async () => {
    const pid = join(home, 'pid')
    const { servers } = await start({ idle: odd('pid', pid) }, { enabled: [] })
    await servers.ready(1000)
    expect(existsSync(pid)).toBe(false)
  })
})

describe('MCP servers at an address', () => {
  it.each<OddHttpWay>(['good', 'streams'])('are used like programs, and told goodbye (%s)', async (way) => {
    const { url, seen } = await serve(way)
    const { all, call, servers, log } = await start({ wiki: { type: 'http', url } })
    await expect.poll(() => all.find('wiki__echo')).toBeDefined()
    expect(await call('wiki__echo')).toMatchObject({ ok: true, text: 'hello' })
    expect(log.calls[0].egress).toMatchObject([{ destination: `mcp:wiki/echo (${url.replace(/\?.*/, '')}` }])
    await servers.close()
    const [greeting, ...after] = seen.slice(seen.findIndex(({ method }) => method === 'initialize'))
    expect(greeting.headers['mcp-session-id']).toBeUndefined()
    for (const { headers } of after) expect(headers['mcp-session-id']).toBe('session-1')
    expect(after.at(-1)?.http).toBe('DELETE')
  })

  it('receive the headers of the settings with variables filled in, and the stored ones, at their address only', async () => {
    const { url, seen } = await serve('good')
    await headers().keep('wiki', url, { Authorization: 'Bearer kept-key' })
    const setting: ServerSetting = { url, headers: { 'X-Team': `\${TEAM}` } }
    const environment = { ...process.env, TEAM: 'garden' }
    const { all } = await start({ wiki: setting }, { environment })
    await expect.poll(() => all.find('wiki__echo')).toBeDefined()
    expect(seen[0].headers).toMatchObject({ authorization: 'Bearer kept-key', 'x-team': 'garden' })
    const other = await serve('good')
    const moved = await start({ wiki: { ...setting, url: other.url } }, { environment })
    await expect.poll(() => moved.all.find('wiki__echo')).toBeDefined()
    expect(other.seen[0].headers.authorization).toBeUndefined()
    const places = { settings: { mcpServers: { wiki: setting } }, known: serverApprovals(home), headers: headers() }
    expect(await serverSecrets({ ...places, environment })).toEqual([
      'garden',
      'Bearer kept-key',
      'kept-key',
      'in-the-address',
    ])
  })

  it('of a vault do not receive headers stored for another server of that name', async () => {
    const { url, seen } = await serve('good')
    await headers().keep('wiki', url, { Authorization: 'Bearer kept-key' })
    await writeFile(join(root, '.mcp.json'), JSON.stringify({ mcpServers: { wiki: { url } } }))
    const onTrouble = () => {}
    const [{ hash }] = await listConfiguredServers({ settings: {}, root, known: serverApprovals(home), onTrouble })
    await serverApprovals(home).trust(root, 'wiki', hash)
    await serverApprovals(home).seen.add('wiki', [echo])
    const { all } = await start({}, { enabled: ['wiki/echo'] })
    await expect.poll(() => all.find('wiki__echo')).toBeDefined()
    expect(seen[0].headers.authorization).toBeUndefined()
  })

  it.each<[OddHttpWay, string]>([
    ['wants-sign-in', 'requires a browser sign-in, which is not supported yet (401)'],
    ['wants-key', 'requires a key (401)'],
    ['redirects', 'redirect'],
  ])('that are not to be had are told in a sentence (%s)', async (way, words) => {
    const other = await serve('good')
    const { url } = await serve(way, other.url)
    const { troubles } = await start({ wiki: { url } })
    await expect.poll(() => troubles).toEqual([expect.stringContaining(words)])
    expect(other.seen).toEqual([])
  })

  it('that refuse the key are reported as such', async () => {
    const { url } = await serve('wants-key')
    await headers().keep('wiki', url, { Authorization: 'Bearer wrong-key' })
    const { troubles } = await start({ wiki: { url } })
    await expect.poll(() => troubles).toEqual([expect.stringContaining('rejected the key')])
  })

  it('receive no headers over an unencrypted connection', async () => {
    const { troubles } = await start({ wiki: { url: 'http://example.org/mcp', headers: { 'X-Key': 'k' } } })
    await expect.poll(() => troubles).toEqual([expect.stringContaining('would be sent without encryption')])
  })

  it.each<[OddHttpWay, string]>([
    ['long-answer', 'too-large'],
    ['long-event', 'too-large'],
    ['flood', 'too-large'],
    ['fails', 'network'],
  ])('M01: end a call with a typed error when they send too much or nothing useful (%s)', async (way, code) => {
    const { url } = await serve(way)
    const { all, call } = await start({ wiki: { url } })
    await expect.poll(() => all.find('wiki__echo')).toBeDefined()
    const result = await call('wiki__echo')
    expect(result).toMatchObject({ ok: false, code })
    expect(result.text.length).toBeLessThan(1000)
  })

  it('that lost the session or were unreachable are initialized again', async () => {
    const { url, seen } = await serve('forgets')
    const { all, call } = await start({ wiki: { url } })
    await expect.poll(() => all.find('wiki__echo')).toBeDefined()
    expect(await call('wiki__echo')).toMatchObject({ ok: false, code: 'network' })
    await expect.poll(() => seen.filter(({ method }) => method === 'initialize').length, { timeout: 5000 }).toBe(2)
    await expect.poll(() => all.find('wiki__echo')).toBeDefined()
    expect(await call('wiki__echo')).toMatchObject({ ok: true, text: 'hello' })
  })

  it('that are removed lose their tools', async () => {
    const { url, close } = await serve('good')
    const { all, call, troubles } = await start({ wiki: { url } })
    await expect.poll(() => all.find('wiki__echo')).toBeDefined()
    await close()
    expect(await call('wiki__echo')).toMatchObject({ ok: false, code: 'network' })
    await expect.poll(() => all.find('wiki__echo')).toBeUndefined()
    expect(troubles).toEqual([expect.stringContaining('cannot be reached')])
  })
})

describe('the servers of a vault', () => {
  const pwned = () => join(home, 'PWNED')
  const bring = (servers: unknown) => writeFile(join(root, '.mcp.json'), JSON.stringify({ mcpServers: servers }))

  it('M02: are listed with all they would run, and start nothing before they are trusted', async () => {
    const touch = { command: 'sh', args: ['-c', `touch ${pwned()}`] }
    await bring({ evil: touch })
    const { servers } = await start({}, { enabled: ['evil/echo'] })
    await servers.ready(1000)
    expect(existsSync(pwned())).toBe(false)
    expect(await list()).toMatchObject([{ name: 'evil', from: 'vault', state: 'untrusted', setting: touch }])
  })

  it('are started once trusted, until a byte of their entry changes', async () => {
    await bring({ team: odd('good') })
    const [server] = await list()
    await trustServer(server, serverApprovals(home), root)
    const { all } = await start({}, { enabled: ['team/echo'] })
    await expect.poll(() => all.find('team__echo')).toBeDefined()
    await bring({ team: odd('good', 'more') })
    expect(await list()).toMatchObject([{ state: 'untrusted' }])
  })

  it('do not replace one of the settings with the same name', async () => {
    await bring({ files: odd('good') })
    await approveServers(serverApprovals(home), { files: odd('good') })
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
    return listConfiguredServers({ settings: { mcpServers }, root, known: serverApprovals(home), onTrouble })
  }
})

describe('reviewed tools', () => {
  it('are known to the next process, for that server only', async () => {
    await serverApprovals(home).seen.add('a', [echo])
    await serverApprovals(home).seen.add('a', [{ ...echo, name: '__proto__' }])
    expect([...(await serverApprovals(home).seen.of('a')).keys()]).toEqual(['echo', '__proto__'])
    expect((await serverApprovals(home).seen.of('b')).size).toBe(0)
  })
})

async function serve(way: OddHttpWay, elsewhere?: string): Promise<OddHttpServer> {
  const server = await oddHttpServer(way, elsewhere)
  served.push(server)
  return server
}
