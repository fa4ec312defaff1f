import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { begin, end, entry } from '../../../test/contracts/session-store/entries.js'
import { type LoggedCall, type LogIntent, redactor, type ToolLog } from '../../core/tools/index.js'
import { type CallLogOptions, callLog, eraseWords, readEgress, readLog, verifyLog } from './call-log.js'
import { vaultSessions } from './sessions.js'
import { openDriver } from './sqlite.js'
import { type StateDatabase, vaultState } from './state-database.js'

let base: string
let folder: string
let state: StateDatabase
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'notewright-log-'))
  folder = join(base, 'state')
  state = vaultState(folder)
})
afterEach(() => {
  state.close()
  rmSync(base, { recursive: true, force: true })
})

const redact = redactor()
const open = (more: Partial<CallLogOptions> = {}) => callLog({ state, redact, ...more })
const file = () => join(folder, 'state.db')

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
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  })

  it('syncs an intent to the disk before its effect where it must survive a power cut', async () => {
    const synchronous = (driver: { first(sql: string): unknown[] | undefined }) =>
      driver.first('PRAGMA synchronous')?.[0]
    const [full, normal] = [2, 1]
    expect(state.change(synchronous, { durable: true })).toBe(full)
    expect(state.change(synchronous)).toBe(normal)
    const seen: unknown[] = []
    const spy: StateDatabase = {
      ...state,
      change(work, options) {
        seen.push(options?.durable)
        return state.change(work, options)
      },
    }
    const id = await open({ state: spy }).intend(intent(), { durable: true })
    await open({ state: spy }).intend(intent(), { durable: false })
    expect(seen).toEqual([true, false])
    // The files as a killed process leaves them.
    const copy = join(base, 'copy')
    cpSync(folder, copy, { recursive: true })
    expect(await all({ folder: copy })).toMatchObject([{ id }, {}])
  })

  it('stays within its size: the oldest rows are dropped, and the newest is always kept', async () => {
    const log = open({ maxBytes: 8000 })
    await logCalls(log, 70)
    const calls = await all()
    expect(calls.length).toBeLessThan(70)
    expect(calls.at(-1)?.result).toBe('done 69')
    expect(calls.every(({ result }) => result !== undefined)).toBe(true)
    const sizes = 'SELECT sum(length(row) + coalesce(length(outcome), 0)) FROM call_log'
    const [[bytes], [counted]] = state.look((driver) => [
      driver.first(sizes)!,
      driver.first('SELECT bytes FROM call_log_size')!,
    ])!
    expect(bytes).toBe(counted)
    expect(bytes).toBeLessThanOrEqual(8000)
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true, last: 70, problems: [] })
    await logCalls(open({ maxBytes: 1 }), 1)
    expect(await all()).toHaveLength(1)
  })

  it('stays whole when several write at once', async () => {
    const logs = Array.from({ length: 4 }, () => open())
    await Promise.all(logs.flatMap((log) => [logCalls(log, 20), logCalls(log, 20)]))
    const calls = await all()
    expect(calls).toHaveLength(160)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(160)
    expect(calls.every(({ result }) => result !== undefined)).toBe(true)
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true, rows: 160 })
  })

  it('does not run an effect while another process does not release the log', async () => {
    await logCalls(open(), 1)
    const other = openDriver(file())
    other.exec('BEGIN IMMEDIATE')
    await expect(open({ waitMs: 5 }).intend(intent(), { durable: true })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('tool call log is in use'),
    })
    other.exec('ROLLBACK')
    other.close()
    await open({ waitMs: 5 }).intend(intent(), { durable: true })
    expect(await all()).toHaveLength(2)
  })

  it('does not wait for a process that was killed while it wrote', async () => {
    await logCalls(open(), 1)
    const { dead, ended } = await killedWriter()
    await ended
    expect(dead).toBeGreaterThan(0)
    await open({ waitMs: 0 }).intend(intent(), { durable: true })
    expect((await all()).map(({ tool_name }) => tool_name)).toEqual(['append_note', 'append_note'])
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
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name), 'latin1')).not.toContain('CANARYKEY')
  })
})

describe('checking the log', () => {
  it('has nothing to say where nothing was logged', async () => {
    expect(await all()).toEqual([])
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true, rows: 0 })
  })

  it('finds a row that cannot be read, which readers leave out and report', async () => {
    await logCalls(open(), 2)
    state.change((driver) => driver.run("UPDATE call_log SET outcome = '{\"resu' WHERE n = 1"))
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: false, rows: 2, problems: [{ row: 1 }] })
    let damaged = 0
    expect(await all({ onDamaged: (rows) => (damaged = rows) })).toHaveLength(1)
    expect(damaged).toBe(1)
  })

  it('finds damage of the database, and leaves the file where it is', async () => {
    await logCalls(open(), 200)
    state.close()
    const bytes = readFileSync(file())
    for (let at = 4096 * 3; at < bytes.length; at++) bytes[at] = (at * 31) % 251
    writeFileSync(file(), bytes)
    const { isWhole, problems } = await verifyLog({ folder })
    expect(isWhole).toBe(false)
    expect(problems[0]?.text).toMatch(/^The database is damaged/)
    expect(readFileSync(file()).equals(bytes)).toBe(true)
  })

  it('finds a row that is marked as erased and still has words', async () => {
    await logCalls(open(), 1)
    state.change((driver) => driver.run('UPDATE call_log SET erased = 1'))
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: false, erased: 1, problems: [{ row: 1 }] })
  })
})

describe('a disk that fails', () => {
  it('lets no effect happen without its intent, and reads continue', async () => {
    const troubles: unknown[] = []
    const log = open({ onTrouble: (error) => troubles.push(error) })
    await logCalls(log, 1)
    const running = await log.intend(intent(), { durable: true })
    const full = intent({ arguments: { path: 'x'.repeat(400).repeat(200) } })
    fillDisk()
    await expect(open({ redact: (value) => value }).intend(full, { durable: true })).rejects.toMatchObject({
      code: 'too-large',
      message: 'Disk full. The call was not run, because it could not be logged.',
    })
    await expect(
      open({ redact: (value) => value }).sending({
        time: '2026-01-31T12:00:00.000Z',
        provider: 'p',
        model: 'x'.repeat(80_000),
        destination: '',
        bytes: 1,
        sha256: '',
        notes: [],
      }),
    ).rejects.toMatchObject({ message: 'Disk full. The request was not sent, because it could not be logged.' })
    const reading = open({ redact: (value) => value, onTrouble: (error) => troubles.push(error) })
    expect(await reading.intend({ ...full, tool_name: 'read_note' }, { durable: false })).toBe('')
    await reading.finish('', { result: 'x' })
    await reading.finish(running, { result: 'y'.repeat(80_000) })
    expect(troubles).toMatchObject([
      { message: expect.stringMatching(/only reads could not be logged/) },
      { code: 'too-large', message: expect.stringContaining('Disk full') },
    ])
    freeDisk()
    await log.finish(running, { result: 'done' })
    expect((await all()).map(({ result }) => result)).toEqual(['done 0', 'done'])
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true })
  })

  it('lets reads continue where nothing can be stored, and reports it', async () => {
    writeFileSync(folder, 'not a folder')
    const troubles: unknown[] = []
    const log = open({ onTrouble: (error) => troubles.push(error) })
    const id = await log.intend(intent({ tool_name: 'read_note' }), { durable: false })
    await log.finish(id, { result: 'x' })
    expect(troubles).toMatchObject([{ message: expect.stringMatching(/only reads could not be logged/) }])
    await expect(log.intend(intent(), { durable: true })).rejects.toMatchObject({ name: 'Failure' })
  })

  /** The file may not grow any more. */
  function fillDisk(): void {
    state.look((driver) => driver.all('PRAGMA max_page_count = 1'))
  }
  function freeDisk(): void {
    state.look((driver) => driver.all('PRAGMA max_page_count = 1073741823'))
  }
})

describe('reading the log', () => {
  it('picks by tool, time and failure, and the newest', async () => {
    const log = open()
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

  it('follows calls as they end, and reports those whose process died', async () => {
    const log = open()
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
    const dead = await log.intend(intent({ tool_name: 'dead' }), { durable: false })
    state.change((driver) => driver.run('UPDATE call_log SET pid = ? WHERE n = ?', [deadPid(), Number(dead)]))
    await log.finish(running, { result: 'late' })
    await following
    expect(seen[0]).toBe('past done 0')
    expect(seen.slice(1, 16).every((line) => line.startsWith('new done'))).toBe(true)
    expect(seen.slice(16).sort()).toEqual(['dead undefined', 'running late'])
  })
})

describe('erasing the words of a deleted conversation', () => {
  const words = (at: number, session: string) => `${session}-secret-${at}`
  async function chats(log: ToolLog, calls: number): Promise<void> {
    for (let at = 0; at < calls; at++) {
      for (const session of ['kept', 'deleted']) {
        const egress = [{ destination: `https://site.test/${words(at, session)}`, sha256: 'c0ffee', bytes: 12 }]
        const id = await log.intend(intent({ session, arguments: { query: words(at, session) }, egress }), {
          durable: false,
        })
        const error = { code: 'not-found', message: `no ${words(at, session)}` }
        await log.finish(id, at % 2 ? { result: words(at, session) } : { error })
        const request = { provider: 'p', model: 'm', destination: 'https://model.test', bytes: 9, sha256: 'ab' }
        await log.sending({ time: '2026-01-31T12:00:00.000Z', session, ...request, notes: ['Soil.md'] })
      }
    }
  }
  const erase = (session: string) => state.change((driver) => eraseWords(driver, session))
  const bytes = () => {
    state.flush()
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('')
  }

  it('leaves every row, and nothing that was said in those of the chat', async () => {
    const log = open()
    await chats(log, 20)
    const [before, sent] = [await all(), await readEgress({ folder })]
    erase('deleted')
    expect(bytes()).not.toContain('deleted-secret')
    const after = await all()
    expect(after.filter(({ session }) => session === 'kept')).toEqual(
      before.filter(({ session }) => session === 'kept'),
    )
    expect(after.map(({ id, timestamp, tool_name, decision }) => [id, timestamp, tool_name, decision])).toEqual(
      before.map(({ id, timestamp, tool_name, decision }) => [id, timestamp, tool_name, decision]),
    )
    expect(after.filter(({ session }) => session === 'deleted').slice(0, 2)).toMatchObject([
      { arguments: {}, error: { code: 'not-found', message: '' } },
      { arguments: {}, result: '', egress: [{ destination: 'https://site.test', sha256: '', bytes: 12 }] },
    ])
    expect(await readEgress({ folder })).toHaveLength(sent.length)
  })

  it('leaves a log that is whole and can be added to', async () => {
    const log = open()
    await chats(log, 10)
    erase('deleted')
    erase('deleted')
    await chats(log, 3)
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true, erased: 10, problems: [] })
    erase('deleted')
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true, erased: 13 })
    expect(bytes()).not.toContain('deleted-secret')
    const [[size], [counted]] = state.look((driver) => [
      driver.first('SELECT sum(length(row) + coalesce(length(outcome), 0)) FROM call_log')!,
      driver.first('SELECT bytes FROM call_log_size')!,
    ])!
    expect(size).toBe(counted)
  })

  it('takes the words out of a call that ends later, too', async () => {
    const log = open()
    const id = await log.intend(intent({ session: 'deleted', arguments: { query: 'deleted-secret' } }), {
      durable: true,
    })
    erase('deleted')
    await log.finish(id, { result: 'deleted-secret', duration_ms: 2 })
    expect(await all()).toMatchObject([{ arguments: {}, result: '', duration_ms: 2 }])
    expect(bytes()).not.toContain('deleted-secret')
  })

  it('happens with the conversation or not at all', async () => {
    const log = open()
    const store = vaultSessions(folder)
    const writer = await store.write('deleted')
    await writer.append(entry([begin('hello'), end('bye')]))
    await chats(log, 2)
    await expect(store.remove('deleted')).rejects.toMatchObject({ code: 'conflict' })
    await writer.release()
    state.change((driver) =>
      driver.exec("CREATE TRIGGER refuse BEFORE UPDATE OF erased ON call_log BEGIN SELECT raise(ABORT, 'no'); END"),
    )
    await expect(store.remove('deleted')).rejects.toThrow('no')
    expect(await store.find('deleted')).toBeDefined()
    state.change((driver) => driver.exec('DROP TRIGGER refuse'))
    expect(await store.remove('deleted')).toBe(true)
    expect(await store.remove('deleted')).toBe(false)
    await store.close()
    expect(bytes()).not.toContain('deleted-secret')
    expect(bytes()).toContain('kept-secret')
    expect(await verifyLog({ folder })).toMatchObject({ isWhole: true, erased: 2 })
  })
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Linux gives no process a number above this. */
const deadPid = () => 4_194_304 + 7

/** A process that is killed in the middle of a transaction that adds a row. */
async function killedWriter(): Promise<{ dead: number; ended: Promise<unknown> }> {
  const script = `
    const sqlite = process.getBuiltinModule('node:sqlite') ?? require('@photostructure/sqlite')
    const database = new sqlite.DatabaseSync(${JSON.stringify(file())})
    database.exec("BEGIN IMMEDIATE")
    database.exec("INSERT INTO call_log (kind, time, session, tool, pid, row) VALUES ('call', 'x', 's', 'torn', 1, '{}')")
    console.log('writing')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  return { dead: child.pid ?? 0, ended }
}
