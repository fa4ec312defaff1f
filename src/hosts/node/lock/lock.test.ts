import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { howOften } from '../../../../test/runner/how-often.js'
import { Failure } from '../../../core/errors.js'
import { nodeFiles } from '../files/node-files.js'
import { describeLock, withLock } from './lock.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notewright-lock-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const lock = () => join(folder, 'lock')
const take = (waitMs = 20) => withLock(nodeFiles, folder, { subject: 'The vault', waitMs }, async () => 'done')
const holder = (more: object = {}) => ({
  pid: spawnSync(process.execPath, ['-e', '']).pid,
  host: hostname(),
  started: '1',
  time: Date.now(),
  token: 'someone',
  ...more,
})

async function refusal(): Promise<Failure> {
  const error = await take().then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(Failure)
  return error
}

describe('a file that is not a lock of Notewright', () => {
  it.each([
    ['null', 'null'],
    ['a number', '7'],
    ['a list', '[]'],
    ['an object without a holder', '{}'],
    ['garbage', 'not a lock'],
    ['bytes that are no text', '\xff\xfe\x01'],
    ['a token that leads elsewhere', JSON.stringify(holder({ token: '../../elsewhere' }))],
    ['a token that is an object', JSON.stringify(holder({ token: {} }))],
    ['a token that is too long for a name', JSON.stringify(holder({ token: 'x'.repeat(5000) }))],
    ['an empty token', JSON.stringify(holder({ token: '' }))],
    ['a process number that means a group', JSON.stringify(holder({ pid: -1 }))],
    ['a process number that is a text', JSON.stringify(holder({ pid: '12' }))],
    ['a machine that is a number', JSON.stringify(holder({ host: 5 }))],
  ])('%s: a sentence that says what to do, at once, and the file stays', async (_, content) => {
    writeFileSync(lock(), content, 'latin1')
    const { code, message, details } = await refusal()
    expect(code).toBe('conflict')
    expect(message).toContain(`${lock()} is a file that is not a lock`)
    expect(details.hint).toContain(`rm '${lock()}'`)
    expect(readFileSync(lock(), 'latin1')).toBe(content)
    expect(readdirSync(folder)).toEqual(['lock'])
    expect(await describeLock(nodeFiles, folder)).toMatchObject({ advice: details.hint })
  })

  it('a folder: a sentence that says how to take it away', async () => {
    mkdirSync(lock())
    const { message, details } = await refusal()
    expect(message).toContain('is a folder')
    expect(details.hint).toContain(`rm -r '${lock()}'`)
  })

  it('a link, even to a lock: reports an error, and leaves its target alone', async () => {
    writeFileSync(join(folder, 'elsewhere'), JSON.stringify(holder()))
    symlinkSync(join(folder, 'elsewhere'), lock())
    expect((await refusal()).message).toContain('is a link')
    expect(existsSync(join(folder, 'elsewhere'))).toBe(true)
  })

  it('a folder where a dead holder’s lock is to be claimed: a sentence that names it', async () => {
    writeFileSync(lock(), JSON.stringify(holder()))
    mkdirSync(join(folder, 'claim-someone'))
    expect((await refusal()).details.hint).toContain('claim-someone')
  })
})

it.each(['', '\0\0\0\0'])('an empty lock is what a power cut leaves, so it is taken away', async (content) => {
  writeFileSync(lock(), content)
  expect(await take()).toBe('done')
  expect(readdirSync(folder)).toEqual([])
})

it('a lock of another machine is waited for, then named with what to do', async () => {
  writeFileSync(lock(), JSON.stringify(holder({ host: 'elsewhere' })))
  const { code, message, details } = await refusal()
  expect([code, message]).toEqual(['timeout', expect.stringMatching(/process \d+ on another computer, elsewhere/)])
  expect(details.hint).toContain(`rm '${lock()}'`)
})

it('a living holder keeps its lock while the clock is set right by years', async () => {
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now - 400 * 86_400_000)
  await withLock(nodeFiles, folder, { subject: 'The vault', waitMs: 20 }, async () => {
    vi.spyOn(Date, 'now').mockReturnValue(now)
    expect((await refusal()).code).toBe('timeout')
  })
  expect(await take()).toBe('done')
})

it('the wait ends although the clock is set back all the time', async () => {
  writeFileSync(lock(), JSON.stringify(holder({ host: 'elsewhere' })))
  let now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => (now -= 1000))
  expect((await refusal()).code).toBe('timeout')
})

it('a lock from before the machine was started has no holder', async () => {
  if (!existsSync('/proc/sys/kernel/random/boot_id')) return
  writeFileSync(lock(), JSON.stringify(holder({ pid: process.pid, started: '', boot: 'an earlier one' })))
  expect(await take()).toBe('done')
})

it('with any file in its place, taking the lock succeeds or reports what to do', async () => {
  const whole = JSON.stringify(holder())
  const alive = JSON.stringify(holder({ pid: process.pid, started: '' }))
  for (let turn = 0; turn < howOften(150, 3000); turn++) {
    const content = Buffer.from(turn % 2 === 0 ? whole : alive)
    const at = Math.floor(Math.random() * content.length)
    const kind = turn % 4
    if (kind < 2) content[at] ^= 1 << Math.floor(Math.random() * 8)
    const left = kind === 2 ? content.subarray(0, at) : kind === 3 ? Buffer.concat([content, content]) : content
    writeFileSync(lock(), left)
    const outcome = await withLock(nodeFiles, folder, { subject: 'The vault', waitMs: 2 }, async () => 'done').catch(
      (error) => (error instanceof Failure ? error.details.hint : `${error}: ${left}`),
    )
    expect(outcome === 'done' || outcome?.includes("rm '"), `${outcome}`).toBe(true)
    rmSync(lock(), { force: true })
    expect(readdirSync(folder)).toEqual([])
  }
})
