import { spawn } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { program, type Stage, stage } from './cli-harness.js'
import { createKey, type Serving, serving } from './serving.js'

describe('notewright serve', () => {
  let place: Stage
  let served: Serving

  beforeAll(async () => {
    place = await stage()
    served = await serving(place)
  })
  afterAll(async () => {
    await served.stop('SIGKILL')
    await place.remove()
  })

  it('prints its address as one line, and answers there', async () => {
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await (await fetch(`${served.url}/health`)).text()).toBe('ok')
    expect((await fetch(`${served.url}/v1/models`)).status).toBe(401)
    expect((await served.ask('/nothing')).status).toBe(404)
  })

  it('listens only on this machine', async () => {
    const { port } = new URL(served.url)
    const others = Object.values(networkInterfaces())
      .flatMap((list = []) => list)
      .filter(({ internal, family }) => !internal && family === 'IPv4')
    for (const { address } of others) {
      await expect(fetch(`http://${address}:${port}/health`)).rejects.toThrow('fetch failed')
    }
  })

  it('says in one sentence that its port is taken', async () => {
    const { port } = new URL(served.url)
    const ran = await place.run(['serve', '--port', port, '--vault', place.vault])
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain(`Port ${port} is in use.`)
  })

  it('accepts other machines only with --allow-remote and an access key that the user created', async () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.2']) {
      const alone = await place.run(['serve', '--host', host, '--vault', place.vault])
      expect(alone.code).toBe(2)
      expect(alone.stderr).toContain('--allow-remote')
    }
    const fresh = await stage()
    const keyless = await fresh.run(['serve', '--host', '0.0.0.0', '--allow-remote', '--vault', fresh.vault])
    expect(keyless.code).toBe(2)
    expect(keyless.stderr).toContain('notewright serve keys create')
    await fresh.remove()
    const open = await serving(place, ['--host', '0.0.0.0', '--allow-remote'])
    expect(await open.stop()).toBe(130)
  })

  it('creates a first key that can only read, and prints it once', async () => {
    const fresh = await stage()
    const words = ['serve', '--port', '0', '--json', '--vault', fresh.vault]
    const starts: { key?: string }[] = []
    for (let start = 0; start < 2; start++) {
      const child = spawn(process.execPath, [program, ...words], { env: fresh.environment })
      const line = await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve))
      starts.push(JSON.parse(line))
      child.kill('SIGKILL')
    }
    expect(starts[0].key).toMatch(/^nwk-/)
    expect(starts[1].key).toBeUndefined()
    const { value } = await fresh.json('serve', 'keys', 'list')
    expect(value).toMatchObject([{ name: 'default', level: 'read-only', routes: ['api', 'mcp'], trustsForms: false }])
    await fresh.remove()
  })

  it('refuses a missing, unknown, revoked or unsuitable key, in the format of each protocol', async () => {
    const models = (key?: string, path = '/v1/models') =>
      fetch(served.url + path, { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } })
    const other = await stage()
    const created = await other.run(['serve', 'keys', 'create', 'x', '--vault', other.vault], {
      environment: { NOTEWRIGHT_HOME: place.home },
    })
    const forOther = created.stdout.trim()
    const apiOnly = await createKey(place, ['--use', 'api'])
    const mcpOnly = await createKey(place, ['--use', 'mcp'])
    const revoked = await createKey(place, [])
    expect((await models(revoked)).status).toBe(200)
    const { value } = await place.json('serve', 'keys', 'list')
    await place.run(['serve', 'keys', 'revoke', (value as unknown as { name: string }[]).at(-1)!.name])
    for (const [key, status, words] of [
      [undefined, 401, 'missing'],
      ['nwk-unknown', 401, 'unknown'],
      [revoked, 401, 'revoked'],
      [mcpOnly, 403, "can't use the API"],
      [forOther, 403, 'not for the vault'],
    ] as const) {
      const answer = await models(key)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining(words) } })
    }
    const answer = await models(apiOnly, '/mcp')
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.stringContaining('MCP') } })
    await other.remove()
  })
})
