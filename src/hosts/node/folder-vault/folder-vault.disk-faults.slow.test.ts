import { describe, expect, it } from 'vitest'
import { append, create, edit, encode, move, set, texts, trash } from '../../../../test/contracts/vault/index.js'
import { type Fault, type FaultyFiles, faultyFiles } from '../../../../test/doubles/faulty-files.js'
import { type MemoryFiles, memoryFiles } from '../../../../test/doubles/memory-files.js'
import { Failure } from '../../../core/errors.js'
import type { ChangeSet } from '../../../core/vault/index.js'
import { folderVault } from './folder-vault.js'

const start = { 'a.md': 'one\n', 'b.md': 'two\n', 'f/c.md': 'three\n', 'f/d.md': 'four\n', 'e.md': 'five\n' }

/** Changes, and the expected content of the vault, for every test of this file. */
const cases: Record<string, { changes: () => ChangeSet; result: Record<string, string> }> = {
  create: {
    changes: () => set([create('new/deep/n.md', 'fresh')]),
    result: { ...start, 'new/deep/n.md': 'fresh' },
  },
  edit: { changes: () => set([edit('a.md', 'one\n', 'ONE\n')]), result: { ...start, 'a.md': 'ONE\n' } },
  append: { changes: () => set([append('a.md', 'more\n')]), result: { ...start, 'a.md': 'one\nmore\n' } },
  move: {
    changes: () => ({
      ...set([move('f/c.md', 'g/c.md', 'three\n'), move('f/d.md', 'g/d.md', 'four\n')]),
      emptied: ['f'],
    }),
    result: { 'a.md': 'one\n', 'b.md': 'two\n', 'e.md': 'five\n', 'g/c.md': 'three\n', 'g/d.md': 'four\n' },
  },
  trash: {
    changes: () => set([trash('f/d.md', 'four\n')]),
    result: { '.trash/d.md': 'four\n', 'a.md': 'one\n', 'b.md': 'two\n', 'f/c.md': 'three\n', 'e.md': 'five\n' },
  },
  'many files': {
    changes: () =>
      set([
        move('a.md', 'h/a.md', 'one\n'),
        edit('h/a.md', 'one\n', 'ONE\n'),
        edit('b.md', 'two\n', 'TWO\n'),
        create('i.md', 'six\n'),
        move('f/c.md', 'c.md', 'three\n'),
        trash('f/d.md', 'four\n'),
        append('e.md', 'more\n'),
      ]),
    result: {
      '.trash/d.md': 'four\n',
      'b.md': 'TWO\n',
      'c.md': 'three\n',
      'e.md': 'five\nmore\n',
      'h/a.md': 'ONE\n',
      'i.md': 'six\n',
    },
  },
}

/** Results of deleting under each trash setting. `.trash` is acceptable if settings or system fail. */
const deleting: Record<string, { settings: string; left: (tree: Record<string, string>) => boolean }> = {
  none: { settings: '{"trashOption":"none"}', left: (tree) => (tree['vault/.trash/d.md'] ?? 'four\n') === 'four\n' },
  system: {
    settings: '{"trashOption":"system"}',
    left: (tree) => tree['data/Trash/files/d.md'] === 'four\n' || tree['vault/.trash/d.md'] === 'four\n',
  },
}

const errors: Fault['how'][] = ['EIO', 'ENOSPC', 'EACCES', 'EMFILE', 'short-write']

describe('a disk whose k-th call fails', () => {
  for (const [name, { changes, result }] of Object.entries(cases)) {
    it(`leaves the old or the new notes of ${name}, says which, and is repaired by the next start`, async () => {
      for (const how of errors) {
        for (let at = 1; ; at++) {
          const disk = await filledDisk()
          const { files, outcome } = await attempt(disk, { at, how }, changes())
          if (!files.hit) break
          await expectOldOrNew(disk, outcome, result, `${how} at call ${at}`)
        }
      }
    })
  }

  it('is never reported as ok after a failed sync', async () => {
    for (const { changes } of Object.values(cases)) {
      for (let at = 1; ; at++) {
        const disk = await filledDisk()
        const fault: Fault = { at, how: 'EIO', only: ['sync', 'syncAll', 'syncFolder'] }
        const { files, outcome } = await attempt(disk, fault, changes())
        if (!files.hit) break
        // The lock is no promise to anyone, so a failure to keep it is none either.
        expect(outcome, `sync ${at}`).toBeInstanceOf(Failure)
      }
    }
  })

  it('undoes an undo like any other change', async () => {
    const { changes, result } = cases['many files']
    for (const how of errors) {
      for (let at = 1; ; at++) {
        const disk = await filledDisk()
        const vault = await openVault(disk)
        const done = changes()
        await vault.apply(done)
        const undo = await vault.planUndo({ id: done.id })
        const { files, outcome } = await attempt(disk, { at, how }, undo)
        if (!files.hit) break
        const now = texts(disk.tree('/vault'))
        if (outcome === 'ok') expect(now).toEqual(start)
        await openVault(disk)
        const repaired = texts(disk.tree('/vault'))
        expect([start, result], `${how} at call ${at}`).toContainEqual(repaired)
      }
    }
  })
})

describe('a crash at the k-th call', () => {
  for (const [name, { changes, result }] of Object.entries(cases)) {
    it(`leaves the old or the new notes of ${name} after the next start, even when unsynced data is lost`, async () => {
      for (const keeps of [() => true, () => false, flipping()]) {
        for (let at = 1; ; at++) {
          const disk = await filledDisk()
          const { files, outcome } = await attempt(disk, { at, how: 'crash' }, changes())
          if (!files.hit) break
          disk.losePower(keeps)
          await expectOldOrNew(disk, outcome === 'ok' ? 'ok' : 'crashed', result, `crash at call ${at}`)
        }
      }
    })
  }

  it('during the repair is repaired by the start after that', async () => {
    const { changes, result } = cases['many files']
    const { calls } = (await attempt(await filledDisk(), undefined, changes())).files
    for (let first = 10; first <= calls.length; first += 7) {
      for (let second = 1; ; second += 3) {
        const disk = await filledDisk()
        await attempt(disk, { at: first, how: 'crash' }, changes())
        disk.losePower(flipping())
        const files = faultyFiles(disk, { at: second, how: 'crash' })
        await openVault(disk, files).catch(() => undefined)
        if (!files.hit) break
        disk.losePower(() => true)
        await expectOldOrNew(disk, 'crashed', result, `crash at calls ${first} and ${second}`)
      }
    }
  })

  it('keeps what was acknowledged before', async () => {
    const disk = await filledDisk()
    await (await openVault(disk)).apply(set([edit('a.md', 'one\n', 'ONE\n'), create('n/m.md', 'x')]))
    disk.losePower()
    const vault = await openVault(disk)
    expect(texts(disk.tree('/vault'))).toEqual({ ...start, 'a.md': 'ONE\n', 'n/m.md': 'x' })
    expect((await vault.history())[0].state).toBe('applied')
  })
})

describe('deleting as Obsidian is set', () => {
  for (const [option, { settings, left }] of Object.entries(deleting)) {
    it(`(${option}) leaves the old or the new notes when any call fails, and the bytes can be had back`, async () => {
      for (const how of [...errors, 'crash'] as Fault['how'][]) {
        for (let at = 1; ; at++) {
          const disk = await filledDisk({ '.obsidian/app.json': settings })
          const before = texts(disk.tree('/vault'))
          const changes = set([trash('f/d.md', 'four\n'), edit('a.md', 'one\n', 'ONE\n')])
          const { files, outcome } = await attempt(disk, { at, how }, changes)
          if (!files.hit) break
          if (how === 'crash') disk.losePower(flipping())
          const label = `${how} at call ${at}`
          const isUnchanged = outcome instanceof Failure && /Nothing was/.test(outcome.message)
          if (isUnchanged) expect(texts(disk.tree('/vault')), label).toEqual(before)
          const vault = await openVault(disk)
          const now = texts(disk.tree('/'))
          if (now['vault/f/d.md'] === undefined) {
            expect(now['vault/a.md'], label).toBe('ONE\n')
            expect(left(now), label).toBe(true)
            await vault.apply(await vault.planUndo({ id: changes.id }))
          }
          expect(texts(disk.tree('/vault')), label).toEqual(before)
        }
      }
    })
  }

  it('takes its copy out of the system trash again when the change fails', async () => {
    const { calls } = (await attemptToDelete(undefined)).files
    const removed = calls.filter(({ name }) => name === 'remove').map(({ path = '' }) => path)
    const at = removed.findIndex((path) => path.endsWith('f/d.md')) + 1
    const { outcome, disk } = await attemptToDelete({ at, how: 'EIO', only: ['remove'] })
    expect((outcome as Failure).message).toMatch(/Nothing was changed/)
    expect(texts(disk.tree('/data/Trash'))).toEqual({})
  })

  async function attemptToDelete(fault: Fault | undefined) {
    const disk = await filledDisk({ '.obsidian/app.json': '{}' })
    return { disk, ...(await attempt(disk, fault, set([trash('f/d.md', 'four\n')]))) }
  }
})

describe('the order of the calls', () => {
  it('is intent, bytes, names, done, each made to last before the next begins', async () => {
    const { files } = await attempt(await filledDisk(), undefined, cases['many files'].changes())
    const names = files.calls.map(({ name, path = '' }) => `${name} ${path}`)
    const at = (pattern: RegExp, from = 0) => names.findIndex((call, index) => index >= from && pattern.test(call))
    const last = (pattern: RegExp) => names.length - 1 - [...names].reverse().findIndex((call) => pattern.test(call))

    const images = at(/open .*images.*/)
    const intent = at(/open .*log\.jsonl/, images)
    const intentSynced = at(/^syncAll/, intent)
    const firstTouch = at(/^(open|rename|link|remove|makeFolder) .*\/vault\/.*(tmp|\.md)/, intent)
    const firstName = at(/^(rename|link|remove) \/vault/)
    const lastBytes = last(/^open \/vault.*tmp$/)
    const lastName = last(/^(rename|link|remove) \/vault/)
    const done = at(/open .*log\.jsonl/, lastName)
    const foldersSynced = at(/^syncAll/, lastName)

    expect(images).toBeGreaterThan(0)
    expect(intentSynced).toBeLessThan(firstTouch)
    expect(at(/^syncAll/, lastBytes)).toBeLessThan(firstName)
    expect(foldersSynced).toBeLessThan(done)
    expect(at(/^syncAll/, done)).toBeGreaterThan(done)
  })
})

async function filledDisk(more: Record<string, string> = {}): Promise<MemoryFiles> {
  const disk = memoryFiles()
  disk.put('/state/keep', encode(''))
  for (const [path, text] of Object.entries({ ...start, ...more })) disk.put(`/vault/${path}`, encode(text))
  return disk
}

/** A new process for the lock: the earlier holder is dead. */
function openVault(disk: MemoryFiles, files: FaultyFiles | MemoryFiles = disk) {
  const lock = { isAlive: () => false }
  return folderVault({ root: '/vault', stateDir: '/state/v', systemTrash: '/data/Trash', files, lock })
}

async function attempt(disk: MemoryFiles, fault: Fault | undefined, changes: ChangeSet) {
  const files = faultyFiles(disk, undefined)
  const vault = await openVault(disk, files)
  // Only the calls of `apply` are counted, so the fault begins here.
  files.fail(fault)
  const outcome = await vault.apply(changes).then(
    () => 'ok' as const,
    (error: unknown) => error,
  )
  files.fail(undefined)
  return { files, outcome }
}

async function expectOldOrNew(disk: MemoryFiles, outcome: unknown, result: Record<string, string>, label: string) {
  const now = texts(disk.tree('/vault'))
  if (outcome === 'ok') expect(now, label).toEqual(result)
  else if (outcome !== 'crashed') {
    expect(outcome, label).toBeInstanceOf(Failure)
    expect((outcome as Failure).message, label).toMatch(/Nothing was (changed|written)|next start/)
    if (/Nothing was/.test((outcome as Failure).message)) expect(now, label).toEqual(start)
  }
  const vault = await openVault(disk)
  const repaired = texts(disk.tree('/vault'))
  expect([start, result], label).toContainEqual(repaired)
  // A row that a power cut has torn is named for itself.
  const states = (await vault.history()).map(({ state }) => state).filter((state) => state !== 'damaged')
  expect(states, label).not.toContain('unfinished')
  if (states.length > 0) expect(states[0], label).toBe(isSame(repaired, result) ? 'applied' : 'rolled-back')
  await vault.apply(set([create('later.md', 'works again')]))
}

function isSame(a: Record<string, string>, b: Record<string, string>): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())
}

/** Loses some unsynced data, the same on every run. */
function flipping(): () => boolean {
  let state = 1
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % 3 === 0
  }
}
