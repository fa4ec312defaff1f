import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LoggedCall } from '../../core/tools/index.js'
import { dialectMemory } from './agent-model.js'
import { clientTaint } from './approvals.js'
import { approvedPrograms } from './approved-programs.js'
import { readLog, verifyLog } from './call-log.js'
import { storedConsent } from './embeddings.js'
import { storedTimers } from './folder-host.js'
import { serverApprovals } from './mcp-servers.js'
import { storedGrants } from './permissions.js'
import { responseTable } from './response-store.js'
import { vaultSessions } from './sessions.js'
import { openDriver } from './sqlite.js'
import { vaultState } from './state-database.js'

/** State that commit edd0780 wrote: its command line and server used a small vault. */
const written = new URL('../../../test/state/edd0780', import.meta.url)

let state: string
let vault: string
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'notewright-earlier-'))
  cpSync(written, state, { recursive: true })
  vault = join(state, 'vaults', 'garden')
})
afterEach(() => rmSync(state, { recursive: true, force: true }))

async function calls(): Promise<LoggedCall[]> {
  const found: LoggedCall[] = []
  for await (const call of readLog({ folder: vault })) found.push(call)
  return found
}

/** The calls as edd0780 would list them, read from its own lines. */
function earlierCalls(folder: string): LoggedCall[] {
  const rows = readFileSync(join(folder, 'calls', 'calls.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return rows
    .filter(({ row }) => row === 'intent')
    .map(({ row: _, n: __, pid: ___, prev: ____, hash: _____, ...intent }) => {
      const { result, duration_ms, error } = rows.find(({ row, id }) => row === 'outcome' && id === intent.id) ?? {}
      return { ...intent, ...(result !== undefined && { result }), duration_ms, ...(error && { error }) }
    })
}

describe('the state of an earlier version', () => {
  it('has its conversations, with every event, title and cost', async () => {
    const driver = openDriver(join(vault, 'sessions.db'))
    const before = {
      sessions: driver.all(
        'SELECT id, title, created_at, updated_at, bytes FROM sessions WHERE last > 0 ORDER BY touched DESC',
      ),
      events: driver.all('SELECT session, seq, time, event FROM events ORDER BY session, seq'),
      usage: driver.all('SELECT time, model FROM usage ORDER BY time'),
    }
    driver.close()
    expect(before.sessions.length).toBeGreaterThan(0)
    const sessions = vaultSessions(vault)
    const list = await sessions.list()
    expect(list.map(({ id, title, createdAt, updatedAt, bytes }) => [id, title, createdAt, updatedAt, bytes])).toEqual(
      before.sessions,
    )
    const events: unknown[] = []
    for (const { id } of [...list].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      for (const { seq, time, event } of await sessions.read(id)) events.push([id, seq, time, JSON.stringify(event)])
    }
    expect(events).toEqual(before.events)
    expect((await sessions.usage()).map(({ time, model }) => [time, model])).toEqual(before.usage)
    const [first] = list
    expect(await sessions.find(first!.id)).toMatchObject({ state: expect.anything() })
    const writer = await sessions.write(first!.id)
    await writer.release()
    await sessions.close()
  })

  it('has its tool-call log, under the same ids', async () => {
    const before = earlierCalls(vault)
    expect(before).toHaveLength(5)
    expect(await calls()).toEqual(before)
    expect(await verifyLog({ folder: vault })).toMatchObject({ isWhole: true, rows: 5, first: 2, last: 10 })
  })

  it('has what the user allowed, trusted, agreed to and started', async () => {
    expect(await storedGrants({ folder: vault }).load()).toEqual([
      { id: 'cc304b51', rule: 'append_note(Soil.md)', createdAt: '2026-11-18T16:22:46.707Z' },
    ])
    expect(await serverApprovals(state).trusted('/home/ada/garden')).toEqual([
      { server: 'wiki', hash: '98203dd23de183fff52070083b607fa08d43f091f0f7ea21bef70d557fa425e1' },
    ])
    const recipient = { model: 'openai/text-embedding-3-small', host: 'api.openai.com' }
    expect(await storedConsent(vault).recall(recipient as never)).toBe('agreed')
    expect(await storedTimers(state).get('pomodoro')).toEqual({ startedAt: 1795018969196, minutes: 25 })
    expect(await dialectMemory(state).recall('ollama/qwen3:8b')).toBe('sentinel')
  })

  it('has the responses that clients may refer to, and the secret that signs them', () => {
    const driver = openDriver(join(state, 'serve', 'replies.db'))
    const [[id, reply, usedAt]] = driver.all('SELECT id, reply, used_at FROM replies') as [[string, string, number]]
    const [[secret]] = driver.all('SELECT value FROM secrets') as [[Uint8Array]]
    driver.close()
    const responses = responseTable(state, { keepMs: 1000, now: () => usedAt })
    expect(responses.get(id)).toBe(reply)
    expect(Buffer.from(responses.secret())).toEqual(Buffer.from(secret))
    responses.close()
  })

  it('is imported once: its files are gone, and the new ones are for their owner alone', async () => {
    await calls()
    await storedTimers(state).get('pomodoro')
    expect(readdirSync(vault).filter((name) => !name.startsWith('state.db'))).toEqual(['permissions'])
    expect(readdirSync(join(vault, 'permissions'))).toEqual([])
    for (const file of [join(vault, 'state.db'), join(state, 'state.db')]) {
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }
    expect(existsSync(join(state, 'timers.json'))).toBe(false)
  })

  it('changes nothing when it is imported again, after a program was killed before it removed the files', async () => {
    const before = await everything()
    cpSync(written, state, { recursive: true })
    expect(await everything()).toEqual(before)
  })

  it('imports what an earlier version that still runs writes later', async () => {
    await calls()
    mkdirSync(join(vault, 'calls'))
    const late = {
      n: 1,
      row: 'intent',
      id: '1',
      pid: 1,
      timestamp: '2026-11-19T08:00:00.000Z',
      session: 'late',
      tool_name: 'read_note',
      arguments: {},
      decision: 'allowed',
      rule: 'level:ask',
      prev: '',
      hash: '',
    }
    writeFileSync(join(vault, 'calls', 'calls.jsonl'), `${JSON.stringify(late)}\n{"n":2,"row":"inte`)
    expect((await calls()).map(({ session }) => session)).toContain('late')
    expect(await calls()).toHaveLength(6)
  })

  it('keeps what a client has read, so that a new version does not start clean', () => {
    const driver = openDriver(join(vault, 'approvals.db'))
    driver.exec('CREATE TABLE requests (id TEXT)')
    driver.exec('CREATE TABLE seen (client TEXT, provenance TEXT, seen_at INTEGER)')
    driver.exec('CREATE TABLE notes_read (client TEXT, path TEXT, read_at INTEGER)')
    driver.run("INSERT INTO seen VALUES ('editor', 'web', 1000)")
    driver.run("INSERT INTO notes_read VALUES ('editor', 'Home.md', 1000)")
    driver.close()
    const database = vaultState(vault)
    const taint = clientTaint(database, 'editor', () => 1000)
    expect([taint.seen(), taint.notes()]).toEqual([['web'], ['Home.md']])
    database.close()
  })

  it('keeps the approvals of programs', async () => {
    const start = { id: 'codex', argv: ['/usr/bin/codex', 'app-server'], cwd: '/', env: {} }
    const { startHash } = await import('./approved-programs.js')
    mkdirSync(join(state, 'programs'))
    const approval = { id: 'codex', argv: start.argv, cwd: '/', env: [], hash: startHash(start) }
    writeFileSync(join(state, 'programs', 'approved.json'), JSON.stringify({ version: 1, approvals: [approval] }))
    expect(await approvedPrograms(state).isApproved(start)).toBe(true)
    expect(await approvedPrograms(state).isApproved({ ...start, argv: ['/usr/bin/other'] })).toBe(false)
  })

  it('leaves out rows of the log that cannot be read, and says so', async () => {
    appendFileSync(join(vault, 'calls', 'calls.jsonl'), 'not a row\n')
    const troubles: string[] = []
    const database = vaultState(vault, (text) => troubles.push(text))
    database.look(() => undefined)
    database.close()
    expect(troubles).toEqual(['1 damaged rows of the tool call log were skipped.'])
    expect(await calls()).toHaveLength(5)
  })

  it.each([
    ['sessions.db', /stored chats were damaged/],
    ['permissions/grants.json', /grants\.json is damaged, so its rules no longer apply/],
  ])('sets a damaged %s aside, and imports the rest', async (name, message) => {
    const bytes = readFileSync(join(vault, name))
    writeFileSync(join(vault, name), Buffer.alloc(bytes.length, 'x'))
    const troubles: string[] = []
    const database = vaultState(vault, (text) => troubles.push(text))
    database.look(() => undefined)
    database.close()
    expect(troubles).toEqual([expect.stringMatching(message)])
    expect(await calls()).toHaveLength(5)
    const folder = join(vault, name, '..')
    expect(readdirSync(folder).some((file) => file.includes('damaged'))).toBe(true)
  })
})

async function everything(): Promise<unknown> {
  const database = vaultState(vault)
  const tables = [
    'sessions',
    'event_rows',
    'states',
    'file_rows',
    'usage',
    'call_log',
    'call_log_size',
    'grants',
    'embedding_consent',
  ]
  const rows = database.look((driver) => tables.map((table) => driver.all(`SELECT * FROM ${table}`)))
  database.close()
  return rows
}
