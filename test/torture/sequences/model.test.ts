import { describe, expect, it } from 'vitest'
import { checkDisk } from './check-disk.js'
import type { Claims, SetClaim } from './claims.js'
import { Model } from './model.js'
import type { PlannedSet, Texts } from './planned-set.js'

const start: Texts = new Map([
  ['Hub.md', '# Note n0 about hubs\n'],
  ['Ann.md', 'See [[Hub]] for n0.\n'],
  ['Bob.md', 'See [[Hub]] for n0, too.\n'],
])
const linked: Texts = new Map([
  ['Ann.md', 'See [[Moved]] for n0.\n'],
  ['Bob.md', 'See [[Moved]] for n0, too.\n'],
])

describe('the model of possible disk states', () => {
  it('accepts all old or all new notes, as claimed', () => {
    expect(problems({}, 'not applied')).toEqual([])
    expect(problems(allNew, 'applied')).toEqual([])
  })

  it('detects half a change set, whatever is claimed', () => {
    for (const state of ['applied', 'not applied'] as const) {
      expect(problems({ 'Ann.md': linked.get('Ann.md')! }, state)).not.toEqual([])
    }
  })

  it('accepts half a change set if the other half is named', () => {
    const named = new Set(['Bob.md'])
    expect(problems({ ...allNew, 'Bob.md': start.get('Bob.md')! }, 'applied', { named })).toEqual([])
  })

  it('detects a missing acknowledged change, and an applied refused one', () => {
    expect(problems({}, 'not applied', { outcome: 'applied' })).toContain('s1 was applied, and is now not applied')
    expect(problems(allNew, 'applied', { outcome: 'unchanged' })).toContain('s1 was not applied, and is now applied')
  })

  it('detects a lost edit of a user', () => {
    const edit = (model: Model) => model.person('Bob.md', start.get('Bob.md')!, 'mine')
    expect(problems({}, 'not applied', { meanwhile: edit })).toEqual([
      "Bob.md holds the old text of s1 instead of a person's text",
    ])
    expect(problems({ 'Bob.md': 'mine' }, 'not applied', { meanwhile: edit })).toEqual([])
  })

  it('detects a user’s note between the halves of a change set, unless it is named', () => {
    const meanwhile = (model: Model) => model.person('Bob.md', linked.get('Bob.md')!, 'mine, with the new link')
    const disk = { 'Bob.md': 'mine, with the new link' }
    expect(problems(disk, 'not applied', { meanwhile })).toEqual([
      'Bob.md was changed by a person while s1 was under way, which is not applied now; nobody says so',
    ])
    expect(problems(disk, 'not applied', { meanwhile, named: new Set(['Bob.md']) })).toEqual([])
  })

  it('accepts such a note only if the row that named it was damaged', () => {
    const disk = { 'Bob.md': 'mine, with the new link' }
    const damagedAt = (named?: string) => ({
      damage: 1,
      meanwhile: (model: Model) => {
        model.person('Bob.md', linked.get('Bob.md')!, 'mine, with the new link')
        model.damageRow(named)
      },
    })
    expect(problems(disk, 'not applied', damagedAt('s1'))).toEqual([])
    for (const named of [undefined, 's2']) expect(problems(disk, 'not applied', damagedAt(named))).not.toEqual([])
    expect(problems(disk, 'not applied', { ...damagedAt('s1'), damage: 0 })).toEqual([
      'nobody says that the journal is damaged',
    ])
  })

  it("accepts a user's edit of the old text that a sync client had restored", () => {
    const [old, now] = [start.get('Bob.md')!, 'the old text, and mine']
    const meanwhile = (model: Model) => {
      model.person('Bob.md', linked.get('Bob.md')!, old)
      model.person('Bob.md', old, now)
    }
    expect(problems({ 'Bob.md': now }, 'not applied', { meanwhile })).toEqual([])
  })

  it("accepts a user's edit at the target of either of two moves", () => {
    const meanwhile = (model: Model) => {
      model.plan({ ...moveOfTheHub('killed'), id: 's2', touched: new Map(), moves: [['Hub.md', 'Elsewhere.md']] })
      model.person('Hub.md', start.get('Hub.md')!, 'mine')
    }
    expect(problems({ ...allNew, 'Moved.md': 'mine' }, 'applied', { meanwhile })).toEqual([])
    expect(problems(allNew, 'applied', { meanwhile })).toContain(
      'what a person wrote into Hub.md, which was being moved to Elsewhere.md, is lost',
    )
  })

  it('accepts a note restored as last saved on its way to the trash, and no older version', () => {
    const old = start.get('Bob.md')!
    const meanwhile = (model: Model) => {
      const touched = new Map([['Bob.md', { old, new: null }]])
      model.plan({ ...moveOfTheHub('unfinished'), id: 's2', touched, moves: [], trashed: new Map([['Bob.md', old]]) })
      model.person('Bob.md', old, 'mine')
      model.person('Bob.md', 'mine', 'mine, at last')
      model.person('Bob.md', 'mine, at last', null)
    }
    expect(problems({ 'Bob.md': 'mine, at last' }, 'not applied', { meanwhile })).toEqual([])
    expect(problems({ 'Bob.md': 'mine' }, 'not applied', { meanwhile })).toContain(
      "Bob.md holds a person's text instead of nothing",
    )
  })

  it('recognises a file with two names under any later name', () => {
    const model = new Model(start)
    model.plan(moveOfTheHub('killed'))
    model.renamedWhileMoving('Moved.md', 'Renamed.md')
    model.verify(start, claimsOf('applied', {}))
    model.plan({ ...moveOfTheHub('killed'), id: 's2', touched: new Map(), moves: [['Renamed.md', 'Again.md']] })
    model.verify(start, { ...claimsOf('applied', {}), sets: new Map() })
    model.renamedWhileMoving('Again.md', 'At last.md')
    const paths = ['Hub.md', 'Renamed.md', 'Again.md', 'At last.md', 'Ann.md']
    expect(paths.filter((path) => model.isTwin(path))).toEqual(paths.slice(0, -1))
  })

  it('detects an unnamed temporary file, and unreported damage', () => {
    const left = { '.notewright-1.tmp': 'x' }
    expect(problems(left, 'not applied')).toEqual(['.notewright-1.tmp was left over'])
    expect(problems(left, 'not applied', { strays: new Set(['.notewright-1.tmp']) })).toEqual([])
    const meanwhile = (model: Model) => model.damageRow()
    expect(problems({}, 'not applied', { meanwhile })).toContain('nobody says that the journal is damaged')
  })

  it('detects a link to the wrong note', () => {
    const model = new Model(start)
    const disk: Texts = new Map([...start, ['Ann.md', 'See [[Nowhere]] for n0.\n']])
    model.verify(disk, claimsOf('applied', {}))
    expect(checkDisk(disk, claimsOf('applied', {}), model)).toEqual([
      'Ann.md links to Nowhere, and the note it means is Hub.md',
    ])
  })
})

const allNew = { 'Hub.md': null, 'Moved.md': start.get('Hub.md')!, ...Object.fromEntries(linked) }

interface Circumstances extends Partial<Pick<PlannedSet, 'outcome'>>, Partial<Pick<SetClaim, 'named'>> {
  strays?: Set<string>
  damage?: number
  meanwhile?: (model: Model) => void
}

/** The model's problems for a disk after `s1`, which moves the hub and rewrites two links to it. */
function problems(
  changed: Record<string, string | null>,
  state: SetClaim['state'],
  more: Circumstances = {},
): string[] {
  const model = new Model(start)
  model.plan(moveOfTheHub(more.outcome ?? 'killed'))
  more.meanwhile?.(model)
  const disk: Texts = new Map(start)
  for (const [path, text] of Object.entries(changed)) text === null ? disk.delete(path) : disk.set(path, text)
  return checkDisk(disk, claimsOf(state, more), model)
}

function moveOfTheHub(outcome: PlannedSet['outcome']): PlannedSet {
  const hub = start.get('Hub.md')!
  return {
    id: 's1',
    touched: new Map<string, { old: string | null; new: string | null }>([
      ['Hub.md', { old: hub, new: null }],
      ['Moved.md', { old: null, new: hub }],
      ...[...linked].map(([path, text]) => [path, { old: start.get(path)!, new: text }] as const),
    ]),
    moves: [['Hub.md', 'Moved.md']],
    appended: new Map(),
    trashed: new Map(),
    savedMeanwhile: new Set(),
    outcome,
    named: new Set(),
    keepsNoTrash: false,
  }
}

function claimsOf(
  state: SetClaim['state'],
  { named = new Set(), strays = new Set(), damage = 0 }: Circumstances,
): Claims {
  return { sets: new Map([['s1', { state, named }]]), damage, strays }
}
