import { stat } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stage, stage } from './cli-harness.js'
import { type Serving, serving } from './serving.js'

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

  it('prints its address and token as one line, and answers there', async () => {
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await (await fetch(`${served.url}/health`)).text()).toBe('ok')
    expect((await fetch(`${served.url}/v1/models`)).status).toBe(401)
    expect((await served.ask('/nothing')).status).toBe(404)
  })

  it('keeps its token in a file of its own, the same at every start', async () => {
    const shown = await place.run(['serve', '--show-token'])
    expect(shown).toMatchObject({ code: 0, stdout: `${served.token}\n` })
    const file = await stat(join(place.home, 'state/serve/token'))
    expect(file.mode & 0o777).toBe(0o600)
  })

  it('listens on this machine alone', async () => {
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
    expect(ran.stderr).toContain(`Port ${port} is taken by another program.`)
  })

  it('lets other machines in only when told so, with a token that the person set', async () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.2']) {
      const alone = await place.run(['serve', '--host', host, '--vault', place.vault])
      expect(alone.code).toBe(2)
      expect(alone.stderr).toContain('--allow-remote')
      const allowed = await place.run(['serve', '--host', host, '--allow-remote', '--vault', place.vault])
      expect(allowed.code).toBe(2)
      expect(allowed.stderr).toContain('NOTEWRIGHT_SERVE_TOKEN=')
    }
    const token = 'a-token-of-my-own-choice'
    const open = await serving(place, ['--host', '0.0.0.0', '--allow-remote'], { NOTEWRIGHT_SERVE_TOKEN: token })
    expect(open.token).toBe(token)
    expect(await open.stop()).toBe(130)
  })

  it('makes a new token when asked, which counts from the next start on', async () => {
    const made = await place.run(['serve', '--new-token'])
    expect(made.stdout.trim()).not.toBe(served.token)
    const again = await serving(place)
    expect(again.token).toBe(made.stdout.trim())
    expect(await again.stop('SIGTERM')).toBe(130)
  })
})
