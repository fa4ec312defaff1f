import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Failure } from '../../../core/errors.js'
import { type LoggedCall, type LogIntent, redactor, type ToolLog } from '../../../core/tools/index.js'
import { faultyFiles, memoryFiles, nodeFiles } from '../files/index.js'
import { type FileLogOptions, fileLog, readLog, verifyLog } from './index.js'

let base: string
let folder: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'notewright-log-'))
  folder = join(base, 'state', 'calls')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const redact = redactor()
const open = (more: Partial<FileLogOptions> = {}) => fileLog({ folder, redact, ...more })

const intent = (more: Partial<LogIntent> = {}): LogIntent => ({
  timestamp: '2026-01-31T12:00:00.000Z',
  session: 's1',
  tool_name: 'append_note',
  arguments: { path: 'Log.md' },
  decision: 'allowed',
  rule: 'level:edit',
  ...more,
})

async function logCalls(log: ToolLog, calls: number, more: Partial<LogIntent> = {}): Promise<void> {
  for (let at = 0; at < calls; at++) {
    const id = await log.intend(intent(more), { durable: false })
    await log.finish(id, { result: `done ${at}`, duration_ms: 1.5 })
  }
}

async function all(question: Partial<Parameters<typeof readLog>[0]> = {}): Promise<LoggedCall[]> {
  const calls: LoggedCall[] = []
  for await (const call of readLog({ folder, ...question })) calls.push(call)
  return calls
}

const current = () => join(folder, 'calls.jsonl')
const logFiles = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()

describe('the tool-call log', () => {
  it('has the intent before the effect and the outcome after it', async () => {
    const log = open()
    const id = await log.intend(intent({ turn: 't1', change_set: 'c1' }), { durable: true })
    const before = await all()
    expect(before).toEqual([{ id, ...intent({ turn: 't1', change_set: 'c1' }) }])
    await log.finish(id, { result: '1 note', duration_ms: 3 })
    expect(await all()).toEqual([{ ...before[0], result: '1 note', duration_ms: 3 }])
  })

  it('is for its owner alone', async () => {
    await logCalls(open(), 1)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(folder).sort()).toEqual(['calls.jsonl', 'tally'])
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  })

  it('chains its rows so that anyone can check them', async () => {
    await logCalls(open(), 3)
    let prev = '0'.repeat(64)
    for (const line of readFileSync(current(), 'utf8').trimEnd().split('\n')) {
      const row = JSON.parse(line)
      expect(row.prev).toBe(prev)
      const body = line.replace(/,"hash":"[0-9a-f]{64}"\}$/, '}')
      expect(createHash('sha256').update(body).digest('hex')).toBe(row.hash)
      prev = row.hash
    }
  })

  it('begins a new file with the last hash of the old one, and keeps only so many', async () => {
    const log = open({ maxBytes: 8000, maxFiles: 4 })
    await logCalls(log, 10)
    expect(logFiles().length).toBeGreaterThan(1)
    const rows = logFiles().map((name) =>
      readFileSync(join(folder, name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
    for (let at = 1; at < rows.length; at++) {
      expect(rows[at][0]).toMatchObject({ row: 'file', prev: rows[at - 1].at(-1).hash })
    }
    await logCalls(log, 60)
    expect(logFiles()).toHaveLength(4)
    expect(logFiles()).not.toContain('calls-000001.jsonl')
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true, problems: [] })
    const calls = await all()
    expect(calls.at(-1)?.result).toBe('done 59')
    expect(calls.every(({ result }) => result !== undefined)).toBe(true)
    const bytes = logFiles().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    expect(bytes).toBeLessThan(8000 + 4 * 500)
  })

  it('stays whole when several write at once', async () => {
    const logs = Array.from({ length: 4 }, () => open({ maxBytes: 400_000 }))
    await Promise.all(logs.flatMap((log) => [logCalls(log, 20), logCalls(log, 20)]))
    const calls = await all()
    expect(calls).toHaveLength(160)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(160)
    expect(calls.every(({ result }) => result !== undefined)).toBe(true)
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true, rows: 320 + logFiles().length })
  })

  it('ignores a torn last row, and the next one starts cleanly', async () => {
    await logCalls(open(), 2)
    const whole = readFileSync(current())
    const rowStart = whole.lastIndexOf(10, whole.length - 2) + 1
    for (const cut of [rowStart + 1, whole.length - 20, whole.length - 1]) {
      const torn = Buffer.concat([whole, whole.subarray(rowStart, cut)])
      for (const left of [torn, Buffer.concat([torn, Buffer.alloc(100)])]) {
        writeFileSync(current(), left)
        expect(await verifyLog({ folder })).toMatchObject({ isWhole: true, hasTornRow: true })
        expect(await all()).toHaveLength(2)
        await logCalls(open(), 1)
        expect(await verifyLog({ folder })).toMatchObject({ isWhole: true, hasTornRow: false })
        expect(await all()).toHaveLength(3)
        writeFileSync(current(), whole)
        writeFileSync(join(folder, 'tally'), '|'.repeat(5))
      }
    }
  })

  it('does not wait for a process that died while it was writing', async () => {
    await logCalls(open(), 1)
    const holder = { pid: deadPid(), host: hostname(), started: '1', time: Date.now(), token: 'dead' }
    for (const left of [JSON.stringify(holder), '']) {
      writeFileSync(join(folder, 'lock'), left)
      await open({ waitMs: 0 }).intend(intent(), { durable: true })
    }
    expect(await all()).toHaveLength(3)
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true })
  })

  it('does not run an effect while another process will not let go of the log', async () => {
    await logCalls(open(), 1)
    const holder = { pid: process.pid, host: hostname(), started: '', time: Date.now(), token: 'alive' }
    writeFileSync(join(folder, 'lock'), JSON.stringify(holder))
    const failure = open({ waitMs: 5 }).intend(intent(), { durable: true })
    await expect(failure).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('tool-call log is in use'),
    })
    expect(await all()).toHaveLength(1)
  })

  it('goes on after a process died between two files', async () => {
    await logCalls(open({ maxBytes: 3000, maxFiles: 3 }), 4)
    const last = JSON.parse(readFileSync(current(), 'utf8').trimEnd().split('\n').at(-1)!)
    renameSync(current(), join(folder, `calls-${String(logFiles().length).padStart(6, '0')}.jsonl`))
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true })
    await logCalls(open(), 1)
    expect(JSON.parse(readFileSync(current(), 'utf8').split('\n')[0])).toMatchObject({ prev: last.hash, n: last.n + 1 })
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true })
  })

  it('keeps keys out, whether they come in arguments, rules, addresses, results or errors', async () => {
    const canaries = [
      'sk-test-CANARYKEY-openai',
      'sk-ant-test-CANARYKEY',
      'AIzaCANARYKEYgemini',
      'sk-or-v1-CANARYKEY',
      'ollama CANARYKEY "quoted"/+=',
      'CANARYKEY-lmstudio',
      'http-token-CANARYKEY',
      'mcp env CANARYKEY\nsecond line',
    ]
    const log = open({ redact: redactor({ secrets: canaries }) })
    for (const [at, key] of canaries.entries()) {
      const body = { error: { message: `Incorrect API key provided: ${key}.`, request: { headers: { 'x-key': key } } } }
      const id = await log.intend(
        intent({
          arguments: { query: `why ${key}?`, [key]: body, long: `${'x'.repeat(495)}${key}${'y'.repeat(9000)}` },
          rule: `allow: web_fetch(${key})`,
          egress: [
            { destination: `https://u:${key}@example.org/?q=${encodeURIComponent(key)}`, sha256: 'ab', bytes: 1 },
          ],
        }),
        { durable: at % 2 === 0 },
      )
      const error = { code: 'network', message: `HTTP 401 ${JSON.stringify(body)} at ${key}` }
      await log.finish(id, at % 2 === 0 ? { error, duration_ms: 1 } : { result: `answered ${key}`, duration_ms: 1 })
    }
    expect(await all()).toHaveLength(canaries.length)
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), 'utf8')).not.toContain('CANARYKEY')
  })
})

describe('tampering', () => {
  type Tamper = (lines: string[][], pick: (below: number) => number) => void
  const ways: Record<string, Tamper> = {
    'a byte of a row is changed': (files, pick) => {
      const rows = files[pick(files.length)]
      const at = pick(rows.length)
      const place = pick(rows[at].length)
      rows[at] = `${rows[at].slice(0, place)}${rows[at][place] === '7' ? '8' : '7'}${rows[at].slice(place + 1)}`
    },
    'a row is removed': (files, pick) => {
      const rows = files[pick(files.length)]
      rows.splice(pick(rows.length), 1)
    },
    'the last rows are removed': (files, pick) => {
      files.at(-1)!.splice(-1 - pick(files.at(-1)!.length))
    },
    'two rows change places': (files, pick) => {
      const rows = files[pick(files.length)]
      const at = pick(rows.length - 1)
      ;[rows[at], rows[at + 1]] = [rows[at + 1], rows[at]]
    },
    'a row is written twice': (files, pick) => {
      const rows = files[pick(files.length)]
      const at = pick(rows.length)
      rows.splice(at, 0, rows[at])
    },
    'an outcome is changed and its hash made anew': (files, pick) => {
      const rows = files[pick(files.length - 1)]
      const at = 1 + pick(rows.length - 1)
      const body = rows[at].replace(/,"hash":"[0-9a-f]{64}"\}$/, '}').replace(/append_note|done|file/, 'other')
      rows[at] = `${body.slice(0, -1)},"hash":"${createHash('sha256').update(body).digest('hex')}"}`
    },
    'a file in the middle is removed': (files, pick) => {
      files[1 + pick(files.length - 2)].length = 0
    },
    'two files change places': (files, pick) => {
      const at = pick(files.length - 1)
      ;[files[at], files[at + 1]] = [files[at + 1], files[at]]
    },
  }

  it.each(Object.keys(ways))('is found when %s', async (way) => {
    await logCalls(open({ maxBytes: 8000, maxFiles: 4 }), 30)
    const names = logFiles()
    expect(names).toHaveLength(4)
    const whole = names.map((name) => readFileSync(join(folder, name), 'utf8'))
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
        const files = whole.map((text) => text.trimEnd().split('\n'))
        const pick = (below: number) => numbers.next().value % below
        ways[way](files, pick)
        for (const [at, rows] of files.entries()) {
          rmSync(join(folder, names[at]), { force: true })
          if (rows.length > 0) writeFileSync(join(folder, names[at]), rows.map((row) => `${row}\n`).join(''))
        }
        const found = await verifyLog({ folder })
        expect(found.isWhole).toBe(false)
        expect(found.problems[0].text).not.toBe('')
        // Going on with the log does not cover it up.
        await logCalls(open({ maxBytes: 8_000_000 }), 1)
        expect((await verifyLog({ folder })).isWhole).toBe(false)
        writeFileSync(join(folder, 'tally'), '|'.repeat(JSON.parse(whole.at(-1)!.trimEnd().split('\n').at(-1)!).n))
      }),
      { numRuns: 25 },
    )
    for (const [at, text] of whole.entries()) writeFileSync(join(folder, names[at]), text)
    expect((await verifyLog({ folder })).isWhole).toBe(true)
  })
})

describe('a disk that fails', () => {
  it('lets no effect happen without its intent, at whichever call it fails', async () => {
    for (const how of ['EIO', 'ENOSPC', 'EACCES', 'EROFS', 'short-write'] as const) {
      for (let at = 1; ; at++) {
        const disk = memoryFiles()
        const files = faultyFiles(disk)
        const place = '/state/calls'
        const log = fileLog({ folder: place, redact, files, maxBytes: 2000, maxFiles: 2 })
        await logCalls(log, 3)
        files.fail({ at, how })
        const outcome = await log.intend(intent(), { durable: true }).catch((error: unknown) => error)
        const wasHit = files.hit
        files.fail(undefined)
        if (typeof outcome !== 'string') {
          expect(outcome).toBeInstanceOf(Failure)
          expect((outcome as Failure).message).toContain('so it was not run')
        } else expect(await intentsIn(disk, place)).toContain(outcome)
        // A lock that could not be removed is this process's own, and it lives.
        disk.erase(`${place}/lock`)
        // A short write that met the tally or the lock's draft makes one more write fail.
        const again = () => log.intend(intent(), { durable: true })
        const id = await (how === 'short-write' ? again().catch(again) : again())
        expect(await intentsIn(disk, place)).toContain(id)
        expect((await verifyLog({ folder: place, files: disk })).problems).toEqual([])
        if (!wasHit) break
      }
    }
  })

  it('lets reads go on, and says so', async () => {
    writeFileSync(join(base, 'state'), 'not a folder')
    const troubles: unknown[] = []
    const log = open({ onTrouble: (error) => troubles.push(error) })
    const id = await log.intend(intent({ tool_name: 'read_note' }), { durable: false })
    await log.finish(id, { result: 'x' })
    expect(troubles).toMatchObject([{ message: expect.stringMatching(/only reads could not be logged/) }])
    await expect(log.intend(intent(), { durable: true })).rejects.toMatchObject({ name: 'Failure' })
  })

  it('never makes a finished call look failed', async () => {
    const files = faultyFiles(nodeFiles)
    const troubles: unknown[] = []
    const log = open({ files, onTrouble: (error) => troubles.push(error) })
    const id = await log.intend(intent(), { durable: true })
    files.fail({ at: 1, how: 'ENOSPC', only: ['write'] })
    await log.finish(id, { result: 'done' })
    expect(troubles).toMatchObject([{ code: 'too-large', message: expect.stringContaining('Disk full') }])
  })

  it('has every durable intent after a power cut', async () => {
    const disk = memoryFiles()
    const place = '/state/calls'
    const log = fileLog({ folder: place, redact, files: disk, maxBytes: 3000, maxFiles: 3 })
    for (let at = 0; at < 20; at++) {
      await logCalls(log, at % 3)
      const id = await log.intend(intent(), { durable: true })
      disk.losePower()
      disk.erase(`${place}/lock`)
      expect(await intentsIn(disk, place)).toContain(id)
    }
  })

  async function intentsIn(files: ReturnType<typeof memoryFiles>, place: string): Promise<string[]> {
    const ids: string[] = []
    for await (const { id } of readLog({ folder: place, files })) ids.push(id)
    return ids
  }
})

describe('reading the log', () => {
  it('picks by tool, time and failure, and the newest', async () => {
    const log = open({ maxBytes: 6000, maxFiles: 4 })
    for (let hour = 0; hour < 24; hour++) {
      const timestamp = new Date(Date.UTC(2026, 0, 31, hour)).toISOString()
      const id = await log.intend(intent({ timestamp, tool_name: hour % 2 ? 'read_note' : 'write_note' }), {
        durable: false,
      })
      if (hour === 20) continue
      await log.finish(
        id,
        hour === 21 ? { error: { code: 'not-found', message: 'x' }, duration_ms: 1 } : { result: 'ok' },
      )
    }
    const hours = async (question: Parameters<typeof all>[0]) =>
      (await all(question)).map(({ timestamp }) => new Date(timestamp).getUTCHours())
    expect(await hours({ last: 3 })).toEqual([21, 22, 23])
    expect(await hours({ tool: 'write_note', last: 2 })).toEqual([20, 22])
    expect(await hours({ since: new Date(Date.UTC(2026, 0, 31, 20)) })).toEqual([20, 21, 22, 23])
    expect(await hours({ failed: true })).toEqual([20, 21])
    expect((await all({ failed: true }))[0]).not.toHaveProperty('result')
    expect(await all({ tool: 'nothing' })).toEqual([])
  })

  it('has nothing to say where nothing was logged', async () => {
    expect(await all()).toEqual([])
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true, rows: 0 })
  })

  it('leaves out rows that are not as they were written, and says so', async () => {
    await logCalls(open(), 2)
    writeFileSync(current(), readFileSync(current(), 'utf8').replace('level:edit', 'level:auto'))
    let damaged = 0
    expect(await all({ onDamaged: (rows) => (damaged = rows) })).toHaveLength(1)
    expect(damaged).toBe(1)
  })

  it('follows calls as they end, from file to file, and tells of those whose process died', async () => {
    const log = open({ maxBytes: 20_000 })
    await logCalls(log, 1, { tool_name: 'past' })
    const running = await log.intend(intent({ tool_name: 'running' }), { durable: false })
    const stop = new AbortController()
    const seen: string[] = []
    const following = (async () => {
      for await (const { tool_name, result } of readLog({ folder, follow: true, signal: stop.signal })) {
        seen.push(`${tool_name} ${result}`)
        if (seen.length === 1 + 15 + 1 + 1) stop.abort()
      }
    })()
    await until(() => seen.length === 1)
    for (let at = 0; at < 3; at++) {
      await logCalls(log, 5, { tool_name: 'new' })
      await until(() => seen.length === 1 + 5 * (at + 1))
    }
    const dead = open({ redact: (value) => ({ ...(redact(value) as object), pid: deadPid() }) })
    await dead.intend(intent({ tool_name: 'dead' }), { durable: false })
    await log.finish(running, { result: 'late' })
    await following
    expect(seen[0]).toBe('past done 0')
    expect(seen.slice(1, 16).every((line) => line.startsWith('new done'))).toBe(true)
    expect(seen.slice(16).sort()).toEqual(['dead undefined', 'running late'])
  })
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Linux gives no process a number above this. */
const deadPid = () => 4_194_304 + 7
