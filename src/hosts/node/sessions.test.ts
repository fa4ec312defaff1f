import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { begin, entry, keep } from '../../../test/contracts/session-store/entries.js'
import type { SessionStore } from '../../core/session/index.js'
import { vaultSessions } from './sessions.js'
import { openDriver } from './sqlite.js'

let folder: string
let store: SessionStore
let troubles: string[]
const file = () => join(folder, 'state.db')
const open = () => vaultSessions(folder, (text) => troubles.push(text))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notewright-sessions-'))
  troubles = []
  store = open()
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const holder = (more: object) =>
  JSON.stringify({ pid: process.pid, host: hostname(), boot: '', started: '', time: 1, token: 'other', ...more })

function setHolder(text: string): void {
  const driver = openDriver(file())
  driver.run('UPDATE sessions SET holder = ?', [text])
  driver.close()
}

it('creates no file before something is stored', async () => {
  expect(await store.list()).toEqual([])
  expect(await store.find('s')).toBeUndefined()
  expect(readdirSync(folder)).toEqual([])
})

it('stores its file privately', async () => {
  await keep(store, 's')
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

describe('a session held by', () => {
  it('a living process is refused with its number', async () => {
    await keep(store, 's')
    setHolder(holder({ pid: process.ppid }))
    await expect(store.write('s')).rejects.toMatchObject({
      code: 'conflict',
      message: `The chat s is open in process ${process.ppid}.`,
    })
    await expect(store.remove('s')).rejects.toMatchObject({ code: 'conflict' })
  })

  it('a process that died is free at once', async () => {
    await keep(store, 's')
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    setHolder(holder({ pid }))
    expect(await (await store.write('s')).append(entry([begin('mine now')]))).toBe(4)
  })

  it('another machine is refused with its name', async () => {
    await keep(store, 's')
    setHolder(holder({ host: 'elsewhere' }))
    await expect(store.write('s')).rejects.toMatchObject({ message: expect.stringContaining('elsewhere') })
  })

  it('another writer since is lost to the first writer', async () => {
    const writer = await store.write('s')
    await writer.append(entry([begin('one')]))
    setHolder(holder({ pid: process.ppid }))
    await expect(writer.append(entry([begin('two')]))).rejects.toMatchObject({ code: 'conflict' })
    expect(await store.read('s')).toHaveLength(1)
  })
})

it('leaves no text of a deleted session in any of its files', async () => {
  await keep(store, 'other')
  await keep(store, 's', `Where is the CANARY? ${'CANARY words '.repeat(5000)}`)
  await store.rename('s', 'CANARY title', 'person')
  expect(await store.remove('s')).toBe(true)
  const left = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString('latin1'))
  expect(left.join().toLowerCase()).not.toContain('canary')
  expect((await store.list()).map(({ id }) => id)).toEqual(['other'])
})

describe('a damaged store', () => {
  async function damage(): Promise<void> {
    for (let at = 0; at < 40; at++) await keep(store, `s${at}`, 'word '.repeat(200))
    await store.close()
    const bytes = readFileSync(file())
    for (let at = 4096; at < bytes.length; at++) bytes[at] = (at * 31) % 251
    writeFileSync(file(), bytes)
    store = open()
  }

  it('is set aside with a message, and a new one works', async () => {
    await damage()
    expect(await store.list()).toEqual([])
    expect(troubles).toEqual([expect.stringMatching(/damaged. They were moved to .*state-damaged-.*\.db/)])
    await keep(store, 'new')
    expect((await store.list()).map(({ id }) => id)).toEqual(['new'])
    expect(readdirSync(folder).some((name) => /^state-damaged-.*\.db$/.test(name))).toBe(true)
  })

  it('is also found by the first write', async () => {
    await damage()
    await keep(store, 'new')
    expect(await store.read('new')).toHaveLength(3)
    expect(troubles).toHaveLength(1)
  })

  it('that is no database at all is set aside too', async () => {
    await store.close()
    writeFileSync(file(), 'this is not a database '.repeat(500))
    await keep(store, 'new')
    expect(troubles).toHaveLength(1)
  })

  it('lets a session that was being written continue', async () => {
    const writer = await store.write('s')
    await writer.append(entry([begin('one')]))
    rmSync(file())
    rmSync(`${file()}-wal`, { force: true })
    rmSync(`${file()}-shm`, { force: true })
    expect(await writer.append(entry([begin('two')]))).toBe(1)
  })

  it('shows a notice in place of one unreadable row', async () => {
    await keep(store, 's')
    const driver = openDriver(file())
    driver.run(`UPDATE event_rows SET event = '{"type":"text-de' WHERE type = 'text-delta'`)
    driver.close()
    const types = (await store.read('s')).map(({ event }) => event.type)
    expect(types).toEqual(['run-start', 'notice', 'run-end'])
  })
})

it('leaves a file of a later version alone', async () => {
  await keep(store, 's')
  await store.close()
  const driver = openDriver(file())
  driver.exec('PRAGMA user_version = 99')
  driver.close()
  store = open()
  await expect(store.list()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('later') })
})

it('reports a folder in its place', async () => {
  mkdirSync(file())
  await expect(keep(store, 's')).rejects.toThrow()
})
