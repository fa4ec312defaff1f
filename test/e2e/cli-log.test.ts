import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpath } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LogIntent, type LogOutcome, redactor } from '../../src/core/tools/index.js'
import { callLog } from '../../src/hosts/node/call-log.js'
import { vaultState } from '../../src/hosts/node/state-database.js'
import { stateFolders, vaultFolders } from '../../src/hosts/node/state-folders.js'
import { program, type Stage, stage } from './cli-harness.js'

let here: Stage
let folder: string
beforeEach(async () => {
  here = await stage()
  const { environment, vault } = here
  const folders = stateFolders({ environment, platform: process.platform, home: '/', currentFolder: '/' })
  folder = vaultFolders(folders, await realpath(vault)).journal
})
afterEach(() => here.remove())

const log = (...words: string[]) => here.run(['log', ...words, '--vault', here.vault])
const lines = async (...words: string[]) =>
  (await log('--json', ...words)).stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

async function call(intent: Partial<LogIntent>, outcome?: LogOutcome): Promise<string> {
  const state = vaultState(folder)
  const calls = callLog({ state, redact: redactor() })
  const id = await calls.intend(
    {
      timestamp: new Date().toISOString(),
      session: 'e2e',
      tool_name: 'read_note',
      arguments: { path: 'Home.md' },
      decision: 'allowed',
      rule: 'level:ask',
      ...intent,
    },
    { durable: true },
  )
  if (outcome !== undefined) await calls.finish(id, outcome)
  state.close()
  return id
}

describe('notewright log', () => {
  it('reports an empty log', async () => {
    expect(await log()).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('No tool calls'),
    })
    expect(await lines()).toEqual([])
    expect(await log('--verify')).toMatchObject({ code: 0 })
  })

  it('prints a line of JSON for every call, with the documented fields', async () => {
    const id = await call({ turn: 't1', tool_name: 'edit_note' }, { result: '1 note', duration_ms: 4.2 })
    expect(await lines()).toEqual([
      {
        id,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        session: 'e2e',
        turn: 't1',
        tool_name: 'edit_note',
        arguments: { path: 'Home.md' },
        decision: 'allowed',
        rule: 'level:ask',
        result: '1 note',
        duration_ms: 4.2,
      },
    ])
  })

  it('filters by tool, time, failure and number', async () => {
    await call({ timestamp: '2020-01-01T00:00:00.000Z' }, { result: 'old', duration_ms: 1 })
    await call(
      { tool_name: 'write_note', decision: 'denied' },
      { error: { code: 'denied', message: 'no' }, duration_ms: 1 },
    )
    await call({ tool_name: 'append_note' })
    const tools = async (...words: string[]) => (await lines(...words)).map(({ tool_name }) => tool_name)
    expect(await tools('--since', '2h')).toEqual(['write_note', 'append_note'])
    expect(await tools('--since', '2019-12-31')).toHaveLength(3)
    expect(await tools('--failed')).toEqual(['write_note', 'append_note'])
    expect(await tools('--tool', 'read_note')).toEqual(['read_note'])
    expect(await tools('-n', '1')).toEqual(['append_note'])
    expect(await log('--since', 'soon')).toMatchObject({ code: 2 })
  })

  it('prints a table without colours or control characters into a pipe, and says if it was cut', async () => {
    for (let at = 0; at < 22; at++)
      await call({ arguments: { path: `\u001b[2J${at}.md` } }, { result: 'ok', duration_ms: 7 })
    await call({ tool_name: 'append_note' })
    const { stdout, stderr } = await log()
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toContain('⟦U+001B⟧[2J21.md → ok')
    expect(stdout).not.toContain('2J2.md')
    expect(stdout).toContain('Home.md → unfinished')
    expect(stderr).toContain('Showing the last 20')
  })

  it('checks the database and its rows, says that there is no hash chain, and exits with 1 for a damaged row', async () => {
    await call({}, { result: 'ok', duration_ms: 1 })
    await call({}, { result: 'ok', duration_ms: 1 })
    const whole = await log('--verify')
    expect(whole).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The database is intact. All 2 rows can be read'),
    })
    expect(whole.stdout).toContain('no hash chain')
    const state = vaultState(folder)
    state.change((driver) => driver.run(`UPDATE call_log SET row = '{"too' WHERE n = 2`))
    state.close()
    expect(await log('--verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('row 2  The row cannot be read'),
    })
    expect(JSON.parse((await log('--verify', '--json')).stdout)).toMatchObject({ ok: false, rows: 2, hashChain: false })
    expect(await log()).toMatchObject({ code: 0, stderr: expect.stringContaining('Skipped 1 damaged row') })
  })

  it('follows calls as they end', async () => {
    await call({ tool_name: 'first' }, { result: 'ok', duration_ms: 1 })
    const words = ['log', '--follow', '--json', '--vault', here.vault]
    const child = spawn(process.execPath, [program, ...words], { env: here.environment })
    let seen = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text))
    const until = async (text: string) => {
      while (!seen.includes(text)) await once(child.stdout, 'data')
    }
    try {
      await until('"first"')
      await call({ tool_name: 'second' }, { result: 'ok', duration_ms: 1 })
      await until('"second"')
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      expect((await ended)[0]).toBe(130)
      expect(
        seen
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).tool_name),
      ).toEqual(['first', 'second'])
    } finally {
      child.kill('SIGKILL')
    }
  })
})
