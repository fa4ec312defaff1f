import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryFiles } from '../../../../test/doubles/memory-files.js'
import { Failure } from '../../../core/errors.js'
import {
  type Change,
  changeSet,
  foldPath,
  hashBytes,
  type JournaledVault,
  memoryVault,
  type NotePath,
} from '../../../core/vault/index.js'
import { folderVault } from './folder-vault.js'

const names = [
  'a.md',
  'b.md',
  'B.md',
  'f/a.md',
  'f/c.md',
  'F/d.md',
  'g/h/i.md',
  'g/e.md',
  'cafe\u0301.md',
  'caf\u00e9.md',
]

const name = fc.constantFrom(...names)
const content = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ maxLength: 40 }).map((text) => Buffer.from(text)),
)
const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), name, content }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), name, content }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('append' as const), name, content }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), name, to: name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('trash' as const), name }) },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never
const step = fc.oneof(
  { weight: 6, arbitrary: fc.array(action, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.nat({ max: 10 }) },
)
const start = fc.dictionary(fc.constantFrom('a.md', 'f/c.md', 'g/h/i.md', 'p.md'), content)

describe('undoing everything', () => {
  it('restores every path and every byte on a disk, through undos of undos', async () => {
    await fc.assert(
      fc.asyncProperty(start, fc.array(step, { maxLength: 40 }), async (initial, steps) => {
        const files = memoryFiles()
        files.put('/state/keep', new Uint8Array())
        files.put('/vault/keep.md', new Uint8Array())
        for (const [path, bytes] of Object.entries(initial)) files.put(`/vault/${path}`, bytes)
        const vault = await folderVault({ root: '/vault', stateDir: '/state/v', files })
        const tree = () => hashOf(files.tree('/vault'))
        const before = tree()
        await play(vault, steps)
        await undoAll(vault)
        expect(tree()).toBe(before)
      }),
      { numRuns: 150 },
    )
  })

  it('restores what a session did in one go, in memory as on a disk', async () => {
    await fc.assert(
      fc.asyncProperty(
        start,
        fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { maxLength: 25 }),
        async (initial, steps) => {
          const files = memoryFiles()
          files.put('/state/keep', new Uint8Array())
          files.put('/vault/keep.md', new Uint8Array())
          for (const [path, bytes] of Object.entries(initial)) files.put(`/vault/${path}`, bytes)
          const disk = await folderVault({ root: '/vault', stateDir: '/state/v', files })
          const memory = memoryVault({ files: { 'keep.md': new Uint8Array(), ...initial } })
          const states = (): [string, string] => [hashOf(files.tree('/vault')), hashOf(memory.snapshot())]
          const before = states()
          expect(before[0]).toBe(before[1])
          await play(disk, steps)
          await play(memory, steps)
          expectSame(...states())
          for (const vault of [disk, memory]) {
            const undo = await vault.planUndo({ session: 's' }).catch(() => undefined)
            if (undo !== undefined) await vault.apply(undo)
          }
          expect(states()[0]).toBe(before[0])
          expectSame(states()[1], before[1])
        },
      ),
      { numRuns: 150 },
    )
  })
})

// A disk keeps an empty folder, and with it the spelling of its name; memory does not.
function expectSame(one: string, other: string): void {
  const folded = (rows: string) => rows.split('\n').map(foldPath).sort()
  expect(folded(one)).toEqual(folded(other))
}

/** Refused sets leave no trace; a number undoes the change set that many steps ago. */
async function play(vault: JournaledVault, steps: (Action[] | number)[]): Promise<void> {
  for (const step of steps) {
    try {
      if (typeof step === 'number') {
        const entry = (await vault.history())[step]
        if (entry !== undefined) await vault.apply(await vault.planUndo({ id: entry.id }))
      } else {
        const changes = await planned(vault, step)
        await vault.apply(changeSet('Random', changes, { session: 's' }))
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }
}

/** Changes with correct bases: a small model tracks the result of the earlier changes of the set. */
async function planned(vault: JournaledVault, actions: Action[]): Promise<Change[]> {
  const known = new Map<string, Uint8Array | undefined>()
  const at = async (path: string) => {
    const key = foldPath(path)
    if (!known.has(key)) known.set(key, (await vault.read(path as NotePath))?.bytes)
    return known.get(key)
  }
  const changes: Change[] = []
  for (const one of actions) {
    const path = one.name as NotePath
    const bytes = await at(path)
    const before = hashBytes(bytes ?? new Uint8Array())
    if (one.kind === 'create') changes.push({ kind: 'create', path, after: one.content })
    else if (one.kind === 'edit') changes.push({ kind: 'edit', path, before, after: one.content })
    else if (one.kind === 'append') changes.push({ kind: 'append', path, added: one.content })
    else if (one.kind === 'move') changes.push({ kind: 'move', path, before, to: one.to as NotePath })
    else changes.push({ kind: 'trash', path, before })

    if (one.kind === 'append') known.set(foldPath(path), Buffer.concat([bytes ?? new Uint8Array(), one.content]))
    else if (one.kind === 'move') {
      known.set(foldPath(path), undefined)
      known.set(foldPath(one.to), bytes)
    } else known.set(foldPath(path), one.kind === 'trash' ? undefined : one.content)
  }
  return changes
}

async function undoAll(vault: JournaledVault): Promise<void> {
  for (const { id } of await vault.history()) {
    const { state } = (await vault.history()).find((entry) => entry.id === id)!
    if (state === 'applied' || state === 'partly-undone') await vault.apply(await vault.planUndo({ id }))
  }
}

function hashOf(files: Map<string, Uint8Array>): string {
  const rows = [...files].map(([path, bytes]) => `${path} ${hashBytes(bytes)}`)
  return rows.sort().join('\n')
}
