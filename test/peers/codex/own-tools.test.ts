import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { askModel, type ReplyEvent } from '../../../src/core/model/index.js'
import { openApprovedCodex } from '../../codex/recorded-codex.js'
import { type ServedModel, serveModel } from '../scripted-model/serve-model.js'
import { codexHome, codexPath } from './real-codex.js'

let served: ServedModel
afterEach(() => served.close())

/** Codex 0.166 with these tools of its own, asked once. */
async function asked(tools: string[], question: string) {
  served = await serveModel()
  const { home, startedServers } = await codexHome(served.url)
  const model = await openApprovedCodex('scripted', {
    environment: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home },
    state: await mkdtemp(join(tmpdir(), 'notewright-state-')),
    settings: { path: codexPath('0.166'), tools, environment: [] },
  })
  const events: ReplyEvent[] = []
  const signal = new AbortController().signal
  for await (const event of askModel(model, { messages: [{ role: 'user', content: question }], signal })) {
    events.push(event)
  }
  const offered = served.requests.flatMap(({ tools: all }) => (all as { name: string }[]).map(({ name }) => name))
  const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
  return { offered: [...new Set(offered)], text, end: events.at(-1), startedServers }
}

describe('Codex 0.166 with tools of its own', () => {
  it('runs a command without approval, and the answer contains its output', async () => {
    const { offered, text, end } = await asked(['shell'], 'Please use exec_command with "echo $((6 * 7)) pears".')
    expect(offered).toEqual(['exec_command', 'write_stdin'])
    expect(text).toMatch(/^Let me look\.\n\nThis is what I found: .*\n42 pears\n/s)
    expect(end).toMatchObject({ type: 'finish', reason: 'stop' })
  })

  it('cannot write with it', async () => {
    const file = join(tmpdir(), `notewright-codex-wrote-${process.pid}`)
    const { text } = await asked(['shell'], `Please use exec_command with "touch ${file}".`)
    expect(text).toMatch(/exited with code [1-9]/)
    expect(existsSync(file)).toBe(false)
  })

  it("starts the user's servers, and none if it may only use another tool", async () => {
    expect(existsSync((await asked(['mcp'], 'Hello')).startedServers)).toBe(true)
    await served.close()
    expect(existsSync((await asked(['image'], 'Hello')).startedServers)).toBe(false)
  })
})
