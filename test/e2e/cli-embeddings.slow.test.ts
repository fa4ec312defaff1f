import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddingServer, embeddingServer } from '../providers/embedding-server.js'
import { program, type Stage, stage } from './cli-harness.js'
import { atTerminal, noPty } from './pty.js'

let server: EmbeddingServer
let place: Stage

const notes = {
  'Bread.md': 'sourdough starter',
  'Bike.md': 'bicycle chain and oil',
  'Sea.md': 'harbour and tide',
  'Diary.md': '---\nprivate: true\n---\ncanaryprivate',
  'Hidden/Plan.md': 'canaryexcluded',
  'Ruled/Pay.md': 'canaryruled',
  '.notewrightignore': 'Hidden/\n',
}

beforeEach(async () => {
  server = await embeddingServer()
  place = await stage()
  for (const [path, text] of Object.entries(notes)) await place.write(path, text)
})
afterEach(async () => {
  await server.stop()
  await place.remove()
})

const environment = () => ({
  NOTEWRIGHT_EMBEDDINGS_MODEL: 'ollama/all-minilm',
  OLLAMA_HOST: server.url,
  NOTEWRIGHT_PERMISSIONS_DENY: '["reads(folder:Ruled)"]',
})
const run = (words: string[], more: Record<string, string> = {}) =>
  place.run([...words, '--vault', place.vault], { environment: { ...environment(), ...more } })

describe('embeddings of a provider', () => {
  it('are made only after consent, join search, and never include private, excluded or denied notes', async () => {
    const host = new URL(server.url).host
    const unasked = await run(['index'])
    expect(unasked.code).toBe(0)
    expect(unasked.stderr).toContain(`notewright config set embeddings.sendTo ${host}`)
    expect(server.requests).toEqual([])
    expect((await run(['status'])).stdout).toContain('needs your approval (notewright index)')
    const without = await run(['search', 'velocipede'])
    expect(without.stdout).not.toContain('Bike.md')
    expect(without.stderr).toContain('To allow them: notewright index')
    expect(server.requests).toEqual([])

    const agreed = { NOTEWRIGHT_EMBEDDINGS_SEND_TO: host }
    const made = JSON.parse((await run(['index', '--json'], agreed)).stdout)
    expect(made.embeddings).toMatchObject({ model: 'ollama/all-minilm', state: 'made' })
    expect(server.texts().sort().join('\n')).toMatch(/bicycle[\s\S]*sourdough[\s\S]*harbour/)
    expect(server.texts().join('\n')).not.toContain('canary')
    const ledger = (await run(['log', '--egress', '--json'])).stdout
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row))
    expect(ledger.map(({ bytes }) => bytes)).toEqual(server.requests.map(({ body }) => Buffer.byteLength(body)))
    expect(ledger.flatMap((row) => row.notes)).toEqual(expect.arrayContaining(['Bike.md', 'Bread.md', 'Sea.md']))
    expect((await run(['search', 'velocipede'], agreed)).stdout).toContain('Bike.md')
    expect((await run(['status'], agreed)).stdout).toMatch(/10 of 11 passages, 1 note excluded: ollama/)

    const before = server.texts().length
    await place.write('Bread.md', 'sourdough starter, fed')
    await run(['index'], agreed)
    expect(server.texts().slice(before)).toEqual([expect.stringContaining('fed')])
  })

  it('are skipped if the server is unreachable, and the answer says so', async () => {
    const agreed = { NOTEWRIGHT_EMBEDDINGS_SEND_TO: new URL(server.url).host }
    await run(['index'], agreed)
    const gone = { ...agreed, OLLAMA_HOST: server.url }
    await server.stop()
    const found = await run(['search', 'bicycle'], gone)
    expect(found.stdout).toContain('Bike.md')
    expect(found.stderr).toContain("Searched without ollama/all-minilm: Can't reach Ollama")
    server = await embeddingServer()
  })

  it.skipIf(noPty !== undefined)('are asked about once at a terminal, and the answer is remembered', async () => {
    const index = () =>
      atTerminal([process.execPath, program, 'index', '--vault', place.vault], {
        ...place.environment,
        ...environment(),
      })
    const host = new URL(server.url).host
    const refusing = index()
    const asked = (await refusing.sees('[y/N]')).replace(/\s+/g, ' ')
    expect(asked).toMatch(/the text of \d+ notes \(\d+ passages\) is sent to Ollama/)
    expect(asked).toContain(host)
    expect(asked).toContain('Nothing is sent to another computer.')
    refusing.send('n')
    expect(await refusing.exit()).toBe(0)
    const again = index()
    expect(await again.exit()).toBe(0)
    expect(again.shown()).not.toContain('[y/N]')
    expect(again.shown()).toContain(`No embeddings: you did not allow sending notes to ${host}`)
    expect(server.requests).toEqual([])

    await rm(join(place.home, 'state', 'vaults'), { recursive: true })
    const agreeing = index()
    await agreeing.sees('[y/N]')
    agreeing.send('y')
    expect(await agreeing.exit()).toBe(0)
    expect(server.texts().length).toBeGreaterThan(0)
    expect((await run(['search', 'velocipede'])).stdout).toContain('Bike.md')
  })

  it('continue where the process was killed', async () => {
    for (let at = 0; at < 500; at++) await place.write(`Many/${at}.md`, `note number ${at} of many`)
    await server.stop()
    let answers = true
    server = await embeddingServer({
      instead(_response, _texts, count) {
        answers = count <= 25
        return !answers
      },
    })
    const env = { ...place.environment, ...environment(), NOTEWRIGHT_EMBEDDINGS_SEND_TO: new URL(server.url).host }
    const child = spawn(process.execPath, [program, 'index', '--vault', place.vault], { env, stdio: 'ignore' })
    while (answers) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const sentBefore = new Set(server.texts())
    await server.stop()

    server = await embeddingServer()
    const agreed = { NOTEWRIGHT_EMBEDDINGS_SEND_TO: new URL(server.url).host }
    const { embeddings } = JSON.parse((await run(['index', '--json'], agreed)).stdout)
    expect(embeddings).toMatchObject({ state: 'made', made: embeddings.passages - 1 })
    const again = server.texts().filter((text) => sentBefore.has(text))
    // At least the first 256 of 400 sent were stored.
    expect(sentBefore.size).toBeGreaterThanOrEqual(400)
    expect(again.length).toBeLessThanOrEqual(sentBefore.size - 256)
  })
})
