import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileTimers } from './index.js'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'notewright-timers-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe('timers in a file', () => {
  it('are there for the next process, and gone once they are taken away', async () => {
    const folder = join(root, 'state')
    await fileTimers(folder).set('pomodoro', { startedAt: 5, minutes: 25 })
    expect(await fileTimers(folder).get('pomodoro')).toEqual({ startedAt: 5, minutes: 25 })
    await fileTimers(folder).set('pomodoro', undefined)
    expect(await fileTimers(folder).get('pomodoro')).toBeUndefined()
  })

  it('can be read by their owner alone, and leave nothing beside the file', async () => {
    const folder = join(root, 'state')
    await fileTimers(folder).set('a', { startedAt: 1, minutes: 1 })
    await chmod(join(folder, 'timers.json'), 0o644)
    await fileTimers(folder).set('b', { startedAt: 2, minutes: 2 })
    expect((await stat(join(folder, 'timers.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(await readdir(folder)).toEqual(['timers.json'])
  })

  it('all survive being set at once', async () => {
    const timers = fileTimers(root)
    const names = Array.from({ length: 20 }, (_, number) => `timer ${number}`)
    await Promise.all(names.map((name, number) => timers.set(name, { startedAt: number, minutes: 1 })))
    for (const [number, name] of names.entries()) expect(await timers.get(name)).toMatchObject({ startedAt: number })
  })

  for (const spoilt of ['', '{', 'null', '[]', '{"pomodoro":{"startedAt":"soon"}}', '{"pomodoro":null}']) {
    it(`are none in a file that says ${spoilt || 'nothing'}`, async () => {
      await writeFile(join(root, 'timers.json'), spoilt)
      const timers = fileTimers(root)
      expect(await timers.get('pomodoro')).toBeUndefined()
      await timers.set('pomodoro', { startedAt: 1, minutes: 2 })
      expect(await timers.get('pomodoro')).toEqual({ startedAt: 1, minutes: 2 })
    })
  }
})
