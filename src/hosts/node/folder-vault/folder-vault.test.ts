import { spawnSync } from 'node:child_process'
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { append, create, edit, encode, move, set, trash } from '../../../../test/contracts/vault/index.js'
import type { Failure } from '../../../core/errors.js'
import { type NotePath, notePath } from '../../../core/vault/index.js'
import type { FileAccess } from '../files/file-access.js'
import { nodeFiles } from '../files/node-files.js'
import { type FolderVaultOptions, folderVault } from './folder-vault.js'

let base: string
let root: string
let outside: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'notewright-'))
  root = join(base, 'vault')
  outside = join(base, 'outside')
  for (const folder of [root, outside, `${root}-evil`]) mkdirSync(folder)
  writeFileSync(join(outside, 'secret.md'), 'CANARY')
  writeFileSync(join(`${root}-evil`, 'secret.md'), 'CANARY')
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

const open = (options: Partial<FolderVaultOptions> = {}) =>
  folderVault({ root, stateDir: join(base, 'state'), ...options })

const put = (path: string, content: string | Uint8Array) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

const text = (path: string) => readFileSync(join(root, path), 'utf8')

const refused = (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => expect.unreachable('it should have been refused'),
    (error) => error,
  )

describe('reading many notes in a row', () => {
  it('never follows a folder that has become a link out of the vault', async () => {
    put('F/secret.md', 'mine')
    put('G/a.md', 'a')
    const vault = await open()
    await vault.reading(async (read) => {
      expect((await read(notePath('F/secret.md')))?.text).toBe('mine')
      await read(notePath('G/a.md'))
      rmSync(join(root, 'F'), { recursive: true })
      symlinkSync(outside, join(root, 'F'))
      await expect(read(notePath('F/secret.md'))).rejects.toMatchObject({ code: 'path' })
      expect((await read(notePath('G/a.md')))?.text).toBe('a')
    })
  })

  it('sees a new exclusion at the next folder', async () => {
    put('F/a.md', 'a')
    put('G/b.md', 'b')
    const vault = await open()
    await vault.reading(async (read) => {
      await read(notePath('F/a.md'))
      put('.notewrightignore', 'G/\n')
      expect(await read(notePath('G/b.md'))).toBeUndefined()
    })
  })

  it.skipIf(process.platform !== 'linux')('leaves no folder open, also when the work fails', async () => {
    put('F/a.md', 'a')
    const vault = await open()
    const openFolders = () => readdirSync('/proc/self/fd').length
    const before = openFolders()
    await expect(
      vault.reading(async (read) => {
        await read(notePath('F/a.md'))
        throw new Error('enough')
      }),
    ).rejects.toThrow('enough')
    expect(openFolders()).toBe(before)
  })
})

describe('anything but a regular file inside the vault', () => {
  it('is refused when it is a link out of the vault, a pipe, a socket, a device or a folder, without waiting', async () => {
    symlinkSync(join(outside, 'secret.md'), join(root, 'link.md'))
    symlinkSync(outside, join(root, 'linkdir'))
    symlinkSync('/dev/zero', join(root, 'zero.md'))
    symlinkSync(join(outside, 'nowhere.md'), join(root, 'dangling.md'))
    spawnSync('mkfifo', [join(root, 'pipe.md')])
    mkdirSync(join(root, 'd.md'))
    const server = createServer().listen(join(root, 's.md'))
    await new Promise((resolve) => server.once('listening', resolve))
    put('Note.md', 'fine')

    const vault = await open()
    const odd = ['link.md', 'linkdir/secret.md', 'zero.md', 'dangling.md', 'pipe.md', 'd.md', 's.md']
    for (const path of odd) {
      const failure = await refused(vault.read(notePath(path)))
      expect([path, failure.code]).toEqual([path, 'path'])
      expect(failure.message).not.toContain(base)
      await refused(vault.readPart(notePath(path), { from: 0, bytes: 10 }))
    }
    expect((await vault.files()).map(({ path }) => path)).toEqual(['Note.md'])
    expect((await vault.read(notePath('Note.md')))?.text).toBe('fine')
    server.close()
  })

  it('is never written through', async () => {
    symlinkSync(join(outside, 'new.md'), join(root, 'dangling.md'))
    symlinkSync(join(outside, 'secret.md'), join(root, 'link.md'))
    symlinkSync(outside, join(root, 'linkdir'))
    put('a.md', 'a')
    const vault = await open()
    const changes = [
      create('dangling.md', 'x'),
      append('dangling.md', 'x'),
      edit('link.md', 'CANARY', 'x'),
      trash('link.md', 'CANARY'),
      move('link.md', 'stolen.md', 'CANARY'),
      create('linkdir/x.md', 'x'),
      edit('linkdir/secret.md', 'CANARY', 'x'),
      move('a.md', 'linkdir/a.md', 'a'),
    ]
    for (const change of changes) expect((await refused(vault.apply(set([change])))).code).toBe('path')
    expect(readdirSync(outside)).toEqual(['secret.md'])
    expect(readFileSync(join(outside, 'secret.md'), 'utf8')).toBe('CANARY')
    expect(lstatSync(join(root, 'dangling.md')).isSymbolicLink()).toBe(true)
  })

  it('may be a link inside the vault, to read under its real name', async () => {
    put('real/a.md', 'text')
    put('.obsidian/app.json', 'CANARY')
    symlinkSync(join(root, 'real/a.md'), join(root, 'alias.md'))
    symlinkSync('real', join(root, 'folder'))
    symlinkSync('.obsidian', join(root, 'settings'))
    const vault = await open()
    expect((await vault.read(notePath('alias.md')))?.path).toBe('real/a.md')
    expect((await vault.read(notePath('folder/a.md')))?.path).toBe('real/a.md')
    expect((await refused(vault.read(notePath('settings/app.json')))).code).toBe('path')
    await vault.apply(set([edit('folder/a.md', 'text', 'TEXT')]))
    expect(text('real/a.md')).toBe('TEXT')
    expect((await vault.files()).map(({ path }) => path)).toEqual(['real/a.md'])
  })

  it('does not get past the exclusions by a link', async () => {
    put('diary/a.md', 'CANARY')
    put('.notewrightignore', 'diary/')
    symlinkSync('diary', join(root, 'open'))
    symlinkSync('diary/a.md', join(root, 'b.md'))
    const vault = await open()
    expect(await vault.read(notePath('open/a.md'))).toBeUndefined()
    expect(await vault.read(notePath('b.md'))).toBeUndefined()
    expect((await refused(vault.apply(set([edit('open/a.md', 'CANARY', 'x')])))).code).toBe('not-found')
  })

  it('keeps the bytes that a hard link outside shares', async () => {
    linkSync(join(outside, 'secret.md'), join(root, 'hard.md'))
    const vault = await open()
    await vault.apply(set([edit('hard.md', 'CANARY', 'NEW')]))
    await vault.apply(set([append('hard.md', '!')]))
    expect(text('hard.md')).toBe('NEW!')
    expect(readFileSync(join(outside, 'secret.md'), 'utf8')).toBe('CANARY')
  })

  it('fails closed when the exclusion rules cannot be read, and says why', async () => {
    put('a.md', 'x')
    mkdirSync(join(root, '.notewrightignore'))
    const vault = await open()
    expect((await refused(vault.read(notePath('a.md')))).message).toContain(
      '.notewrightignore cannot be read: it is a folder',
    )
    await refused(vault.files())
    rmSync(join(root, '.notewrightignore'), { recursive: true })
    expect(await vault.read(notePath('a.md'))).toBeDefined()
    symlinkSync('nowhere', join(root, '.notewrightignore'))
    expect((await refused(vault.read(notePath('a.md')))).message).toContain('it is a link')
  })

  it.each([
    ['open', 'EACCES', 'you have no permission to read it'],
    ['stat', 'EACCES', 'you have no permission to read it'],
    ['read', 'EIO', 'reading it failed (EIO)'],
  ] as const)('fails closed when to %s the rules ends with %s', async (call, code, why) => {
    put('a.md', 'x')
    put('.notewrightignore', 'b.md')
    let opened = -1
    const fails = (place: unknown) => `${place}`.endsWith('.notewrightignore') || place === opened
    const files: FileAccess = {
      ...nodeFiles,
      async open(path, how) {
        const file = await nodeFiles.open(path, how)
        if (fails(path)) opened = file ?? -1
        return file
      },
    }
    const whole = files[call] as (...given: unknown[]) => unknown
    Object.assign(files, {
      [call]: (...given: unknown[]) => {
        if (fails(given[0])) throw Object.assign(new Error(code), { code })
        return whole(...given)
      },
    })
    const vault = await open({ files })
    const questions = [() => vault.read(notePath('a.md')), () => vault.files(), () => vault.sum(), vault.checkRules]
    for (const ask of questions) {
      const { code: told, message } = await refused(ask())
      expect([told, message]).toEqual(['invalid-input', expect.stringContaining(why)])
    }
  })
})

describe('large notes', () => {
  it('are refused whole and read in parts', async () => {
    put('big.md', '---\ntitle: x\n---\n')
    truncateSync(join(root, 'big.md'), 200 << 20)
    const vault = await open()
    const failure = await refused(vault.read(notePath('big.md')))
    expect([failure.code, failure.details.data?.size]).toEqual(['too-large', 200 << 20])
    const part = await vault.readPart(notePath('big.md'), { from: 4, bytes: 8 })
    expect(Buffer.from(part!.bytes).toString()).toBe('title: x')
    const end = await vault.readPart(notePath('big.md'), { from: (200 << 20) - 2, bytes: 1000 })
    expect([end?.bytes.length, end?.size]).toEqual([2, 200 << 20])
    const beyond = await vault.readPart(notePath('big.md'), { from: 300 << 20, bytes: 10 })
    expect(beyond?.bytes.length).toBe(0)
  })

  it('can be moved and moved back, unread', async () => {
    put('big.md', 'start')
    truncateSync(join(root, 'big.md'), 64 << 20)
    const vault = await open()
    const changes = set([{ kind: 'move', path: notePath('big.md'), to: notePath('far/big.md') }])
    await vault.apply(changes)
    expect(statSync(join(root, 'far/big.md')).size).toBe(64 << 20)
    await vault.apply(await vault.planUndo({ id: changes.id }))
    expect(readdirSync(root)).toEqual(['big.md'])
    expect((await refused(vault.apply(set([append('big.md', 'x')])))).code).toBe('too-large')
  })

  it('are hidden when they are private', async () => {
    put('big.md', '---\nprivate: true\n---\n')
    truncateSync(join(root, 'big.md'), 64 << 20)
    const vault = await open()
    expect(await vault.read(notePath('big.md'))).toBeUndefined()
    expect(await vault.readPart(notePath('big.md'), { from: 0, bytes: 10 })).toBeUndefined()
  })
})

describe('writing', () => {
  it('keeps the permissions of a note and gives the journal to its owner alone', async () => {
    put('a.md', 'one')
    spawnSync('chmod', ['640', join(root, 'a.md')])
    const vault = await open()
    await vault.apply(set([edit('a.md', 'one', 'two')]))
    expect(statSync(join(root, 'a.md')).mode & 0o777).toBe(0o640)
    for (const item of readdirSync(join(base, 'state'), { recursive: true, withFileTypes: true })) {
      const { mode } = statSync(join(item.parentPath, item.name))
      expect([item.name, (mode & 0o777).toString(8)]).toEqual([item.name, item.isDirectory() ? '700' : '600'])
    }
  })

  it('leaves nothing of its own in the vault', async () => {
    put('a.md', 'one')
    const vault = await open()
    await vault.apply(set([edit('a.md', 'one', 'two'), create('n/b.md', 'b')]))
    await refused(vault.apply(set([edit('a.md', 'one', 'three')])))
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['a.md', 'n', 'n/b.md'])
  })

  it('keeps two notes apart whose names differ only in case, where the disk does', async () => {
    put('a.md', 'small')
    put('A.md', 'large')
    const vault = await open()
    await vault.apply(set([edit('a.md', 'small', 'SMALL'), edit('A.md', 'large', 'LARGE')]))
    expect([text('a.md'), text('A.md')]).toEqual(['SMALL', 'LARGE'])
    expect((await refused(vault.apply(set([move('a.md', 'A.md', 'SMALL')])))).code).toBe('conflict')
    await vault.apply(await vault.planUndo({ id: (await vault.history())[0].id }))
    expect([text('a.md'), text('A.md')]).toEqual(['small', 'large'])
  })

  it('removes the folders that a folder move has emptied, and undo restores them', async () => {
    put('old/sub/a.md', 'a')
    put('old/b.png', 'b')
    const vault = await open()
    const changes = set([
      move('old/sub/a.md', 'new/sub/a.md', 'a'),
      { kind: 'move', path: notePath('old/b.png'), to: notePath('new/b.png') },
    ])
    await vault.apply({ ...changes, emptied: ['old', 'old/sub'] })
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['new', 'new/b.png', 'new/sub', 'new/sub/a.md'])
    await vault.apply(await vault.planUndo({ id: changes.id }))
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['old', 'old/b.png', 'old/sub', 'old/sub/a.md'])
  })

  it('refuses a state folder inside the vault', async () => {
    await expect(open({ stateDir: join(root, 'state') })).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('says when the vault cannot be written, and changes nothing', async () => {
    put('a.md', 'one')
    mkdirSync(join(base, 'state'))
    // A file where the journal's folder must be.
    writeFileSync(join(base, 'state/journal'), '')
    const vault = await open()
    const failure = await refused(vault.apply(set([edit('a.md', 'one', 'two')])))
    expect(failure.message).toContain('Nothing was changed')
    expect(text('a.md')).toBe('one')
    expect((await vault.read(notePath('a.md')))?.text).toBe('one')
  })
})

describe('another process', () => {
  const holder = (more: object) =>
    JSON.stringify({ pid: 1, host: 'elsewhere', started: '', time: Date.now(), token: 'other', ...more })

  it('that holds the lock is waited for, and then the change is refused', async () => {
    put('a.md', 'one')
    mkdirSync(join(base, 'state'))
    writeFileSync(join(base, 'state/lock'), holder({}))
    const vault = await open({ lock: { waitMs: 30 } })
    const failure = await refused(vault.apply(set([edit('a.md', 'one', 'two')])))
    expect([failure.code, failure.details.data?.lockFile]).toEqual(['timeout', join(base, 'state/lock')])
    expect(text('a.md')).toBe('one')
  })

  it('that died with the lock is noticed', async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    const { hostname } = await import('node:os')
    for (const content of [holder({ host: hostname(), pid: dead }), '']) {
      rmSync(join(base, 'state'), { recursive: true, force: true })
      put('a.md', 'one')
      mkdirSync(join(base, 'state'))
      writeFileSync(join(base, 'state/lock'), content)
      writeFileSync(join(base, 'state/lock-gone'), holder({ host: hostname(), pid: dead, token: 'gone' }))
      const vault = await open({ lock: { waitMs: 1000 } })
      await vault.apply(set([edit('a.md', 'one', 'two')]))
      expect(text('a.md')).toBe('two')
      expect(readdirSync(join(base, 'state'))).toEqual(['journal'])
    }
  })

  it('that was given a dead holder’s number is not taken for it', async () => {
    const { hostname } = await import('node:os')
    put('a.md', 'one')
    mkdirSync(join(base, 'state'))
    writeFileSync(join(base, 'state/lock'), holder({ host: hostname(), pid: process.pid, started: '1' }))
    const vault = await open({ lock: { waitMs: 1000 } })
    await vault.apply(set([edit('a.md', 'one', 'two')]))
    expect(text('a.md')).toBe('two')
  })

  it('shares the history', async () => {
    put('a.md', 'one')
    const [first, second] = [await open(), await open()]
    const changes = set([edit('a.md', 'one', 'two')])
    await first.apply(changes)
    await second.apply(set([edit('a.md', 'two', 'three')]))
    expect((await first.history()).length).toBe(2)
    await first.apply(await first.planUndo({ note: notePath('a.md') }))
    await second.apply(await second.planUndo({ id: changes.id }))
    expect(text('a.md')).toBe('one')
  })
})

describe('the journal', () => {
  it('drops what is too old or too much, never the newest', async () => {
    put('a.md', 'x'.repeat(1000))
    const vault = await open({ retention: { bytes: 4500 } })
    for (let turn = 0; turn < 6; turn++) {
      const now = text('a.md')
      await vault.apply(set([edit('a.md', now, `${turn}`.repeat(1000))]))
    }
    expect(await vault.journalSize()).toBeLessThanOrEqual(4500)
    expect((await vault.history()).length).toBe(2)
    expect(readdirSync(join(base, 'state/journal/images')).length).toBe(2)
    const reopened = await open()
    await reopened.apply(await reopened.planUndo({ note: notePath('a.md') }))
    expect(text('a.md')).toBe('4'.repeat(1000))
    const old = await open({ retention: { days: 0, changes: 0 } })
    await old.apply(set([create('b.md')]))
    expect((await old.history()).length).toBe(1)
  })

  it('can be looked at while changes are being made', async () => {
    const vault = await open()
    const changes = Array.from({ length: 30 }, (_, index) => vault.apply(set([append('log.md', `${index}\n`)])))
    let isDone = false
    const all = Promise.all(changes).finally(() => {
      isDone = true
    })
    while (!isDone) {
      const histories = await Promise.all([
        vault.history(),
        vault.history(),
        vault.planUndo({ id: 'x' }).catch(() => []),
      ])
      expect(new Set(histories[0].map(({ id }) => id)).size).toBe(histories[0].length)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await all
    expect((await vault.history()).filter(({ state }) => state === 'applied').length).toBe(30)
    expect((await (await open()).history()).length).toBe(30)
  })

  it('says so when a before-image was damaged, and restores nothing', async () => {
    put('a.md', 'one')
    const vault = await open()
    const changes = set([edit('a.md', 'one', 'two')])
    await vault.apply(changes)
    writeFileSync(join(base, 'state/journal/images/1'), 'One')
    await expect(vault.planUndo({ id: changes.id })).rejects.toMatchObject({ code: 'not-found' })
    expect(text('a.md')).toBe('two')
  })
})

describe('watching', () => {
  it('reports changed notes in old and new folders, not hidden ones, until it is stopped', async () => {
    put('sub/a.md', 'one')
    put('.notewrightignore', 'hidden.md')
    const vault = await open()
    const told: (NotePath | undefined)[] = []
    const stop = vault.watch((path) => told.push(path))
    put('hidden.md', 'x')
    put('.obsidian/workspace.json', 'x')
    put('sub/a.md', 'two')
    await vi.waitFor(() => expect(told).toContain('sub/a.md'), 30_000)
    put('new/b.md', 'x')
    await vi.waitFor(() => expect(told.includes('new/b.md' as NotePath) || told.includes(undefined)).toBe(true), 30_000)
    told.length = 0
    put('new/c.md', 'x')
    await vi.waitFor(() => expect(told).toContain('new/c.md'), 30_000)
    renameSync(join(root, 'new'), join(root, 'renamed'))
    await vi.waitFor(() => expect(told).toContain(undefined), 30_000)
    expect(told).not.toContain('hidden.md')
    stop()
    told.length = 0
    put('sub/a.md', 'three')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(told).toEqual([])
  })
})

it('reads bytes that are not text as they are', async () => {
  put('bad.md', Uint8Array.of(0x23, 0xff))
  const vault = await open()
  expect((await vault.read(notePath('bad.md')))?.bytes).toEqual(Uint8Array.of(0x23, 0xff))
  expect((await refused(vault.apply(set([edit('bad.md', '', '')])))).code).toBe('conflict')
  expect(encode('').length).toBe(0)
})
