import { expect } from 'vitest'
import { Failure } from '../../src/core/errors.js'
import type { HistoryEntry } from '../../src/core/vault/index.js'
import type { DiskVault } from '../../src/hosts/node/folder-vault/folder-vault.js'
import { before, made } from './changes.js'
import type { Interruption } from './interruptions.js'
import { notesOn, ofChange, open, type Survived, touchedPaths } from './live-through.js'

/** Every note is old, new or as a user left it, all as the history says, and the history names the rest. */
export async function expectWhole(interruption: Interruption, survived: Survived): Promise<void> {
  const vault = await open(survived.disk)
  expect(vault.recovery).not.toBe('failed')
  const entry = ofChange(await vault.history(), survived.id)
  const notes = notesOn(survived.disk)
  const side = sideOf(entry)
  for (const [path, old, after] of touchedPaths(interruption.change)) {
    if (survived.theirs.has(path) || isOtherName(interruption, survived, path)) continue
    // A deleted note stays in the trash if a user has saved another note at its path.
    if (path.startsWith('.trash/') && survived.theirs.has(path.slice(7)) && notes[path] === after) continue
    expect(notes[path], `${path} ${entry?.state}`).toBe(side === 'new' ? after : old)
  }
  expectTheirs(interruption, survived, notes)
  expect(notes['other.md']).toBe(before['other.md'])
  // A temporary file may remain if a user saved text into a file that was about to be replaced, or into one
  // that was about to replace it.
  for (const [path, text] of Object.entries(notes).filter(([path]) => path.includes('.notewright-'))) {
    expect(path).toMatch(/\.(?:kept\d*|new)\.tmp$/)
    expect(survived.written, path).toContain(text)
  }
  if (survived.outcome === 'ok') expect(side).toBe('new')
  expectNamed(interruption, survived, entry, notes)

  const again = await open(survived.disk)
  expect(notesOn(survived.disk)).toEqual(notes)
  expect(ofChange(await again.history(), survived.id)).toEqual(entry)
}

/** Both versions of what could not be decided are there: it is settled each way, and each way is undone. */
export async function expectSettles({ change }: Interruption, survived: Survived): Promise<void> {
  const vault = await open(survived.disk)
  const { unsettled } = ofChange(await vault.history(), survived.id) ?? {}
  for (const note of unsettled?.notes ?? []) {
    if (made[change].moves?.includes(note)) continue
    const [, old, after] = touchedPaths(change).find(([path]) => path === note)!
    const theirs = notesOn(survived.disk)[note]
    await settleAndUndo(vault, survived, note, 'take-back', old)
    expect(notesOn(survived.disk)[note]).toBe(theirs)
    await settleAndUndo(vault, survived, note, 'finish', after)
    expect(notesOn(survived.disk)[note]).toBe(theirs)
    await vault.apply(await vault.planResolution({ decisions: [{ note, how: 'keep' }] }))
    expect(notesOn(survived.disk)[note]).toBe(theirs)
    expect(unsettledNotes(await vault.history(), survived.id)).not.toContain(note)
  }
}

/** Undo brings back what was there, or says truly why not. */
export async function expectUndone(interruption: Interruption, survived: Survived): Promise<void> {
  const vault = await open(survived.disk)
  const entry = ofChange(await vault.history(), survived.id)
  if (entry === undefined) return
  const notes = notesOn(survived.disk)
  const outcome = await undo(vault, survived.id)
  if (entry.state === 'rolled-back') expect(outcome).toMatchObject({ code: 'not-found' })
  if (entry.state === 'undecided') {
    expect(outcome).toMatchObject({ code: 'conflict' })
    for (const note of entry.unsettled!.notes) expect((outcome as Failure).message).toContain(note)
  }
  if (outcome instanceof Failure) {
    expect(notesOn(survived.disk)).toEqual(notes)
    expect(entry.state !== 'applied' || survived.theirs.size > 0, outcome.message).toBe(true)
    return
  }
  for (const [path, old] of touchedPaths(interruption.change)) {
    if (survived.theirs.has(path) || isOtherName(interruption, survived, path) || path.startsWith('.')) continue
    const rewrites: string[] = made[interruption.change].rewrites ?? []
    if (rewrites.includes(path) && rewrites.some((name) => survived.theirs.has(name))) continue
    expect(notesOn(survived.disk)[path]).toBe(old)
  }
}

/** No link leads to a note that was never moved. */
export async function expectLinksWhole({ disk }: Survived): Promise<void> {
  await open(disk)
  const notes = notesOn(disk)
  for (const path of ['a.md', 'b.md', 'f/c.md']) {
    const [, name] = /\[\[(\w+)\]\]/.exec(notes[path] ?? '') ?? []
    const isThere = Object.keys(notes).some((note) => note.endsWith(`${name}.md`))
    expect(isThere, `${path}: ${notes[path]}`).toBe(true)
  }
}

function sideOf(entry: HistoryEntry | undefined): 'old' | 'new' {
  if (entry?.state === 'undecided') return entry.unsettled!.went === 'finished' ? 'new' : 'old'
  expect(['applied', 'rolled-back', undefined]).toContain(entry?.state)
  return entry?.state === 'applied' ? 'new' : 'old'
}

/** A moved note goes with whatever a user did to it under either name. */
function isOtherName({ change }: Interruption, { theirs }: Survived, path: string): boolean {
  const { moves } = made[change]
  return moves?.includes(path) === true && moves.some((name) => theirs.has(name))
}

/** A user's bytes are where they put them, or went along with a note that was moved. */
function expectTheirs({ change }: Interruption, { theirs, written }: Survived, notes: Record<string, string>): void {
  const { moves } = made[change]
  for (const [path, text] of theirs) {
    if (text === undefined) {
      const [, old, after] = touchedPaths(change).find(([touched]) => touched === path)!
      // A note of two names, written under one and taken away under it, is still there under the other.
      const texts = moves?.includes(path) ? [undefined, old, after, ...written] : [undefined, old, after]
      expect(texts, `${path} was taken away by a person`).toContain(notes[path])
    } else {
      const places = moves?.includes(path) ? moves : [path]
      const isCovered = places.some((place) => place !== path && theirs.has(place))
      if (!isCovered)
        expect(
          places.map((place) => notes[place]),
          `${path} is a person's`,
        ).toContain(text)
    }
  }
}

/** Named is what the user touched while the change was open and what is neither old nor new; nothing else. */
function expectNamed(
  { change }: Interruption,
  { hasBegun, touchedWhileOpen, touchedLater }: Survived,
  entry: HistoryEntry | undefined,
  notes: Record<string, string>,
): void {
  const { moves } = made[change]
  const named: string[] = entry?.unsettled?.notes ?? []
  for (const note of named) {
    const names = moves?.includes(note) ? moves : [note]
    expect(
      names.some((name) => touchedWhileOpen.has(name)),
      `${note} is named`,
    ).toBe(true)
  }
  // A user's edit does not matter to a change of which nothing was done.
  if (entry === undefined || (entry.state === 'rolled-back' && !hasBegun)) return
  for (const path of touchedWhileOpen) {
    const [, old, after] = touchedPaths(change).find(([touched]) => touched === path)!
    const isOurs = notes[path] === old || notes[path] === after || touchedLater.has(path)
    if (!isOurs && moves?.includes(path) !== true) expect(named, `${path} is neither old nor new`).toContain(path)
  }
}

async function settleAndUndo(
  vault: DiskVault,
  { disk, id }: Survived,
  note: string,
  how: 'take-back' | 'finish',
  expected: string | undefined,
): Promise<void> {
  const plan = await vault.planResolution({ id, decisions: [{ note: note as never, how }] })
  // If the user has already done it, only the decision is recorded, and that cannot be undone.
  if (plan.changes.length > 0) await vault.apply(plan)
  expect(notesOn(disk)[note], `${how} ${note}`).toBe(expected)
  if (plan.changes.length === 0) return
  expect(unsettledNotes(await vault.history(), id)).not.toContain(note)
  await vault.apply(await vault.planUndo({ id: plan.id }))
  expect(unsettledNotes(await vault.history(), id)).toContain(note)
}

function unsettledNotes(history: HistoryEntry[], id: string): string[] {
  return ofChange(history, id)?.unsettled?.notes ?? []
}

async function undo(vault: DiskVault, id: string): Promise<'ok' | Failure> {
  try {
    await vault.apply(await vault.planUndo({ id }))
    return 'ok'
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}
