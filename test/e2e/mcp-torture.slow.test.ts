import { execFileSync, spawnSync } from 'node:child_process'
import { watch } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canMount, fill } from '../security/durability/full-disk.js'
import { type Stage, stage } from './cli-harness.js'
import { startMcp } from './mcp-client.js'

let on: Stage
beforeEach(async () => {
  on = await stage()
})
afterEach(() => on.remove())

const open = (name?: string) => startMcp(['--vault', on.vault, '--approvals', 'auto'], on.environment, name)
const acknowledged = (answers: { result?: { isError?: boolean } }[]) =>
  answers.flatMap(({ result }, at) => (result !== undefined && !result.isError ? [at] : []))

describe('writing through MCP', () => {
  it('keeps each of 50 parallel edits that it confirmed', async () => {
    await on.write('log.md', Array.from({ length: 50 }, (_, at) => `line ${at};`).join('\n'))
    const client = await open()
    const edits = Array.from({ length: 50 }, (_, at) =>
      client.call('edit_note', { path: 'log.md', old_text: `line ${at};`, new_text: `done ${at};` }),
    )
    const made = acknowledged(await Promise.all(edits))
    const text = await on.read('log.md')
    for (let at = 0; at < 50; at++) expect(text.includes(`done ${at};`)).toBe(made.includes(at))
    expect(made.length).toBeGreaterThan(0)
    await client.close()
  })

  it('keeps every append of 8 clients, once', async () => {
    await on.write('log.md', 'start\n')
    const clients = await Promise.all(Array.from({ length: 8 }, (_, at) => open(`client ${at}`)))
    const made = await Promise.all(
      clients.map(async (client, who) => {
        // One after the other: 800 at once would wait for each other longer than a call may take.
        const answers = []
        for (let at = 0; at < 100; at++) {
          answers.push(await client.call('append_note', { path: 'log.md', content: `<${who}/${at}>` }))
        }
        return acknowledged(answers).map((at) => `<${who}/${at}>`)
      }),
    )
    const text = await on.read('log.md')
    const counts = made.flat().map((mark) => text.split(mark).length - 1)
    expect(counts.every((count) => count === 1)).toBe(true)
    expect(counts.length).toBe(800)
    await Promise.all(clients.map((client) => client.close()))
  })

  it('leaves the old note or the new one when it is killed at the first change', async () => {
    const [before, after] = ['OLD '.repeat(875_000), 'NEW '.repeat(990_000)]
    for (let round = 0; round < 5; round++) {
      await on.write('big.md', before)
      const client = await open()
      await client.request('ping')
      const watcher = watch(on.vault, () => client.child.kill('SIGKILL'))
      const killed = new Promise((resolve) => client.child.once('close', resolve))
      const written = client.call('write_note', { path: 'big.md', content: after })
      expect(await Promise.race([killed, written])).toBeNull()
      watcher.close()
      expect([before, after]).toContain(await on.read('big.md'))
    }
    await on.run(['status', '--vault', on.vault])
    expect((await readdir(on.vault)).filter((name) => /tmp|notewright-/.test(name))).toEqual([])
  })

  it('answers for a note if pipes, sockets and folders are in its place', async () => {
    for (let at = 0; at < 6; at++) spawnSync('mkfifo', [join(on.vault, `p${at}.md`)])
    const client = await open()
    const odd = Array.from({ length: 6 }, (_, at) => client.call('read_note', { path: `p${at}.md` }))
    const { result } = await client.call('read_note', { path: 'Home.md' })
    expect(result.isError).toBeUndefined()
    expect((await Promise.all(odd)).every(({ result: refused }) => refused.isError)).toBe(true)
    await client.close()
  })

  it.skipIf(!canMount())('says that the disk is full, changes nothing then, and goes on with space', async () => {
    const disk = join(on.home, 'small')
    await mkdir(disk, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
    try {
      await writeFile(join(disk, 'Log.md'), 'start\n')
      const client = await startMcp(['--vault', disk, '--approvals', 'auto'], on.environment)
      fill(disk, 40 << 10)
      const big = { path: 'Log.md', content: 'x'.repeat(240_000) }
      const { result } = await client.call('append_note', big)
      expect(JSON.parse(result.content[0].text)).toMatchObject({
        code: 'too-large',
        text: expect.stringMatching(/^Disk full/),
      })
      expect(await readFile(join(disk, 'Log.md'), 'utf8')).toBe('start\n')
      expect((await client.call('read_note', { path: 'Log.md' })).result.isError).toBeUndefined()
      await rm(join(disk, '.filler'), { recursive: true })
      expect((await client.call('append_note', big)).result.isError).toBeUndefined()
      await client.close()
    } finally {
      execFileSync('umount', ['-l', disk])
    }
  })

  it('stops indexing when the client cancels it, and answers the next request', async () => {
    const text = 'word '.repeat(2000)
    for (let at = 0; at < 1500; at++) await on.write(`many/${at}.md`, `${text}${at}`)
    const client = await open()
    const params = { name: 'index_vault', arguments: {}, _meta: { progressToken: 'p' } }
    client.send(JSON.stringify({ jsonrpc: '2.0', id: 'indexing', method: 'tools/call', params }))
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 'indexing' } }
    client.send(JSON.stringify({ jsonrpc: '2.0', ...cancelled }))
    expect((await client.request('ping')).result).toEqual({})
    expect((await client.call('read_note', { path: 'Home.md' })).result.isError).toBeUndefined()
    expect(client.said.some(({ id }) => id === 'indexing')).toBe(false)
    await client.close()
  })

  it('accepts a valid log level only', async () => {
    const client = await open()
    expect((await client.request('logging/setLevel', { level: 'warning' })).result).toEqual({})
    expect((await client.request('logging/setLevel', { level: 'loud' })).error?.code).toBe(-32602)
    await client.close()
  })

  it('shows no key of its environment in an answer or a file', async () => {
    const key = 'sk-test-CANARYKEY0123456789abcdef'
    const env = { ...on.environment, OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key }
    const client = await startMcp(['--vault', on.vault, '--approvals', 'auto', '--verbose'], env)
    await client.call('search_notes', { query: key })
    await client.call('append_note', { path: 'Gone.md', content: key })
    await client.call('read_note', { path: key })
    await client.close()
    expect(client.stderr()).not.toContain(key)
    const { stdout } = spawnSync('grep', ['-rl', 'CANARYKEY', on.home], { encoding: 'utf8' })
    expect(stdout).toBe('')
  })
})
