import { afterEach, describe, expect, it, vi } from 'vitest'
import { type LeaseFolder, withWriteLease } from './write-lease.js'

/** A folder as disks keep it: a folder's name is taken over only from an empty one, or not even then. */
function memoryFolder({ overEmpty = true } = {}) {
  const folders = new Map<string, Set<string>>()
  // Everything takes a little, so that others come in between.
  const later = <T>(work: () => T) => new Promise<void>((resume) => setTimeout(resume)).then(work)
  const fail = (): never => {
    throw new Error('It cannot be done.')
  }
  const folder: LeaseFolder = {
    names: (path) => later(() => (path === '' ? [...folders.keys()] : folders.get(path) && [...folders.get(path)!])),
    make: (path, file) => later(() => void folders.set(path, new Set([file]))),
    rename: (path, to) =>
      later(() => {
        const [from, file] = path.split('/')
        const held = folders.get(from) ?? fail()
        if (file !== undefined) {
          if (!held.delete(file)) fail()
          return void held.add(to.split('/')[1])
        }
        const there = folders.get(to)
        if (there !== undefined && (there.size > 0 || !overEmpty)) fail()
        folders.delete(path)
        folders.set(to, held)
      }),
    remove: (path) =>
      later(() => {
        const [from, file] = path.split('/')
        if (!folders.get(from)?.delete(file)) fail()
      }),
    removeFolder: (path) =>
      later(() => {
        if (folders.get(path)?.size !== 0) fail()
        folders.delete(path)
      }),
  }
  return { folder, folders }
}

afterEach(() => void vi.useRealTimers())

describe('taking turns', () => {
  it.each([true, false])(
    'lets one work at a time, and leaves nothing behind; over an empty folder: %s',
    async (over) => {
      const { folder, folders } = memoryFolder({ overEmpty: over })
      let [inside, most] = [0, 0]
      const work = async () => {
        most = Math.max(most, ++inside)
        await new Promise((resume) => setTimeout(resume, 1))
        inside--
      }
      await Promise.all(Array.from({ length: 20 }, () => withWriteLease(folder, work)))
      expect(most).toBe(1)
      expect([...folders.keys()]).toEqual([])
    },
  )

  it('is given back where the work fails', async () => {
    const { folder, folders } = memoryFolder()
    await expect(withWriteLease(folder, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect([...folders.keys()]).toEqual([])
  })

  it('waits for a slow holder, and then asks to try again', async () => {
    vi.useFakeTimers()
    const { folder } = memoryFolder()
    let end = () => {}
    const long = withWriteLease(folder, () => new Promise<void>((resume) => (end = resume)))
    await vi.advanceTimersByTimeAsync(100)
    const refused = expect(withWriteLease(folder, async () => 'mine')).rejects.toMatchObject({
      code: 'timeout',
      details: { hint: 'Try again in a moment.' },
    })
    await vi.advanceTimersByTimeAsync(30_000)
    await refused
    end()
    await vi.advanceTimersByTimeAsync(100)
    await long
  })

  it('takes the turn of one that died in it, and sweeps up after those that died on the way', async () => {
    vi.useFakeTimers()
    const { folder, folders } = memoryFolder()
    folders.set('turn', new Set(['dead-3']))
    folders.set('turn-dead2', new Set(['dead2-0']))
    folders.set('other', new Set(['main.js']))
    let told = 0
    const taken = withWriteLease(
      folder,
      async () => 'mine',
      () => told++,
    )
    await vi.advanceTimersByTimeAsync(1000)
    expect(told).toBe(0)
    await vi.advanceTimersByTimeAsync(14_000)
    expect(await taken).toBe('mine')
    // The waiting notice is shown once.
    expect(told).toBe(1)
    expect([...folders.keys()]).toEqual(['other'])
  })

  it('is taken where one died between emptying it and taking it away', async () => {
    const { folder, folders } = memoryFolder({ overEmpty: false })
    folders.set('turn', new Set())
    expect(await withWriteLease(folder, async () => 'mine')).toBe('mine')
    expect([...folders.keys()]).toEqual([])
  })

  it('is done without where the disk lets no turn be made', async () => {
    const { folder } = memoryFolder()
    const refusing = { ...folder, make: () => Promise.reject(new Error('read-only')) }
    expect(await withWriteLease(refusing, async () => 'done')).toBe('done')
    const unmovable = { ...folder, rename: () => Promise.reject(new Error('no such call')) }
    expect(await withWriteLease(unmovable, async () => 'done')).toBe('done')
  })
})
