import { Failure } from '../../errors.js'
import { type Change, type ChangeSet, changeSet, type UndoneSteps } from '../change-set.js'
import { foldPath } from '../fold-path.js'
import { markUndone, type RecordedEntry, unsettledSteps } from '../journal-entry.js'
import type { NotePath } from '../note-path.js'
import { PlannedFiles } from './planned-files.js'
import { takeBackSteps } from './take-back.js'
import { type Settle, UndoConflicts } from './undo-conflict.js'
import type { UndoSource } from './undo-source.js'

/** What to take back: one change set, all of a session, or the last change of one note. */
export type UndoTarget = { id: string } | { session: string } | { note: NotePath }

/**
 * Plans taking back what a target names, newest first, as an ordinary change set. Later edits of the same notes stay;
 * where they touch the same lines, `settle` is asked. Refuses with the diff where something is not settled.
 */
export async function planUndo(target: UndoTarget, source: UndoSource, settle?: Settle): Promise<ChangeSet> {
  const undoes = stepsToUndo(target, source)
  const files = new PlannedFiles(source)
  const taking = { source, files, conflicts: new UndoConflicts(settle), merged: new Set<NotePath>() }
  const changes: Change[] = []
  for (const { sequence, steps } of undoes) {
    const { entry } = source.entries.get(sequence)!
    const chosen = steps.map((index) => entry.steps[index])
    changes.push(...(await takeBackSteps(chosen, sequence, taking)))
  }
  taking.conflicts.mustBeSettled()
  const titles = undoes.map(({ sequence }) => source.entries.get(sequence)!.entry.title)
  const title = titles.length === 1 ? `Undo: ${titles[0]}` : `Undo ${titles.length} change sets`
  if (changes.length === 0) throw nothing(`Nothing would change by this, so nothing is undone: ${title}.`)
  const merged = [...taking.merged]
  return { ...changeSet(title, changes), undoes, ...(merged.length > 0 && { merged }) }
}

function stepsToUndo(target: UndoTarget, { entries, damaged = [] }: UndoSource): UndoneSteps[] {
  const standing = [...entries.values()].reverse().filter(({ state }) => state === 'applied')
  if ('id' in target) {
    const recorded = [...entries.values()].find(({ entry }) => entry.id === target.id)
    if (recorded === undefined && damaged.some(({ remains }) => remains.id === target.id)) {
      throw nothing(`The journal's row of change set ${target.id} is damaged, so it cannot be undone.`)
    }
    if (recorded === undefined) throw nothing(`There is no change set ${target.id}.`)
    mustBeSettled(recorded, entries)
    const left = recorded.state === 'applied' ? remaining(recorded) : []
    if (left.length === 0) throw nothing(`Change set ${target.id} is not applied, so there is nothing to undo.`)
    return [{ sequence: recorded.entry.sequence, steps: left }]
  }
  if ('session' in target) {
    const chosen = stepsOfSession(target.session, entries)
    if (chosen.length === 0) throw nothing(`Session ${target.session} has nothing to undo.`)
    return chosen
  }
  for (const recorded of standing) {
    // Going back through undos would only bring the undone change back.
    if (recorded.entry.undoes !== undefined) continue
    const steps = stepsOfNote(recorded, target.note)
    if (steps.length > 0) mustBeSettled(recorded, entries)
    if (steps.length > 0) return [{ sequence: recorded.entry.sequence, steps }]
  }
  throw nothing(`No change of ${target.note} is left to undo.`)
}

/** Strictly backwards: an undo of this session is taken back like any change, and then what it had brought back. */
function stepsOfSession(session: string, entries: Map<number, RecordedEntry>): UndoneSteps[] {
  const chosen: UndoneSteps[] = []
  const states = new Map([...entries].map(([at, each]) => [at, { ...each, undone: new Set(each.undone) }]))
  for (const [sequence, recorded] of [...states].reverse()) {
    if (recorded.entry.session !== session) continue
    mustBeSettled(recorded, entries)
    if (recorded.state !== 'applied') continue
    const steps = remaining(recorded)
    if (steps.length === 0) continue
    chosen.push({ sequence, steps })
    markUndone(states, [{ sequence, steps }], true)
  }
  return chosen
}

// A note that was moved takes its whole set along: the links that were rewritten belong to the move.
function stepsOfNote(recorded: RecordedEntry, note: NotePath): number[] {
  const key = foldPath(note)
  const left = remaining(recorded)
  const touching = (isMeant: (path: NotePath) => boolean) =>
    left.filter((index) => {
      const step = recorded.entry.steps[index]
      return isMeant(step.path) || (step.kind === 'rename' && isMeant(step.to))
    })
  // Some disks hold two spellings of a name beside each other.
  const exactly = touching((path) => path === note)
  const own = exactly.length > 0 ? exactly : touching((path) => foldPath(path) === key)
  const moved = recorded.entry.changes.some(
    (change) => change.kind === 'move' && (foldPath(change.path) === key || foldPath(change.to ?? '') === key),
  )
  return own.length > 0 && moved ? left : own
}

/** Part of it is neither done nor taken back: saying that undoing did either would not be true. */
function mustBeSettled(recorded: RecordedEntry, entries: Map<number, RecordedEntry>): void {
  const { entry, state } = recorded
  const notes = unsettledSteps(entries, recorded).map((step) => entry.steps[step].path)
  if (notes.length === 0) return
  const went = state === 'applied' ? 'was finished' : 'was taken back'
  throw new Failure(
    'conflict',
    `“${entry.title}” was cut off and ${went}, but for ${notes.join(', ')}: someone else had changed that meanwhile.`,
    { hint: 'Decide about it first.', command: `notewright settle ${entry.id}`, data: { notes } },
  )
}

function remaining({ entry, undone }: RecordedEntry): number[] {
  return entry.steps.map((_, index) => index).filter((index) => !undone.has(index))
}

function nothing(message: string): Failure {
  return new Failure('not-found', message, { hint: 'List what can be undone with history.' })
}
