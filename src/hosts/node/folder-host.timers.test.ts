import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { storedTimers } from './folder-host.js'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'notewright-timers-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe('stored timers', () => {
  it('are available to the next process until they are removed', async () => {
    const folder = join(root, 'state')
    await storedTimers(folder).set('pomodoro', { startedAt: 5, minutes: 25 })
    expect(await storedTimers(folder).get('pomodoro')).toEqual({ startedAt: 5, minutes: 25 })
    await storedTimers(folder).set('pomodoro', undefined)
    expect(await storedTimers(folder).get('pomodoro')).toBeUndefined()
  })

  it('can be read by their owner alone', async () => {
    const folder = join(root, 'state')
    await storedTimers(folder).set('a', { startedAt: 1, minutes: 1 })
    await chmod(join(folder, 'state.db'), 0o644)
    await storedTimers(folder).set('b', { startedAt: 2, minutes: 2 })
    expect((await stat(join(folder, 'state.db'))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it('all survive being set at once', async () => {
    const timers = storedTimers(root)
    const names = Array.from({ length: 20 }, (_, number) => `timer ${number}`)
    await Promise.all(names.map((name, number) => timers.set(name, { startedAt: number, minutes: 1 })))
    for (const [number, name] of names.entries()) expect(await timers.get(name)).toMatchObject({ startedAt: number })
  })

  for (const spoilt of ['', '{', 'null', '[]', '{"pomodoro":{"startedAt":"soon"}}', '{"pomodoro":null}']) {
    it(`are none in a file of an earlier version that says ${spoilt || 'nothing'}`, async () => {
      await writeFile(join(root, 'timers.json'), spoilt)
      const timers = storedTimers(root)
      expect(await timers.get('pomodoro')).toBeUndefined()
      await timers.set('pomodoro', { startedAt: 1, minutes: 2 })
      expect(await timers.get('pomodoro')).toEqual({ startedAt: 1, minutes: 2 })
    })
  }
})
