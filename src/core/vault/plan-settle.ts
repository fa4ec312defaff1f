import { Failure } from '../errors.js'
import { type Change, type ChangeSet, type ContentHash, changeSet, type UndoneSteps } from './change-set.js'
import { foldPath } from './fold-path.js'
import { type JournalStep, type RecordedEntry, unsettledSteps } from './journal-entry.js'
import type { NotePath } from './note-path.js'
import type { UndoSource } from './undo/index.js'

/** `keep`: as it is now. `take-back`: as it was before the change set. `finish`: as the change set meant it to be. */
export type Settlement = 'keep' | 'take-back' | 'finish'

/** What a person decides about notes that an interrupted change set has left alone. */
export interface SettleTarget {
  /** The change set; needed only where two of them name the same note. */
  id?: string
  decisions: { note: NotePath; how: Settlement }[]
}

type SettleSource = Pick<UndoSource, 'entries' | 'current' | 'image'>

interface UnsettledStep {
  recorded: RecordedEntry
  index: number
}

/**
 * Plans what a person has decided, as an ordinary change set: what is there now goes to the journal or the trash, so
 * this can be undone too. What is kept as it is needs no change, only the decision.
 */
export async function planSettle({ id, decisions }: SettleTarget, source: SettleSource): Promise<ChangeSet> {
  const changes: Change[] = []
  const settled = new Map<number, number[]>()
  const takenBack = new Map<number, number[]>()
  for (const { note, how } of decisions) {
    for (const { recorded, index } of stepsOf(note, id, source.entries)) {
      const { sequence } = recorded.entry
      addTo(settled, sequence, index)
      if (how === 'keep') continue
      // What had been finished all around is undone for this note alone.
      if (how === 'take-back' && recorded.state === 'applied') addTo(takenBack, sequence, index)
      changes.push(...(await decide(recorded.entry.steps[index], how, sequence, source)))
    }
  }
  const undoes = asSteps(takenBack)
  return {
    ...changeSet(titleOf(decisions), changes),
    settles: asSteps(settled),
    ...(undoes.length > 0 && { undoes }),
  }
}

function stepsOf(note: NotePath, id: string | undefined, entries: Map<number, RecordedEntry>): UnsettledStep[] {
  const key = foldPath(note)
  const found: UnsettledStep[] = []
  for (const recorded of entries.values()) {
    if (id !== undefined && recorded.entry.id !== id) continue
    for (const index of unsettledSteps(entries, recorded)) {
      const step = recorded.entry.steps[index]
      if (foldPath(step.path) === key || (step.kind === 'rename' && foldPath(step.to) === key)) {
        found.push({ recorded, index })
      }
    }
  }
  if (found.length === 0) {
    throw new Failure('not-found', `There is nothing to settle about ${note}.`, {
      hint: 'See what waits for a decision.',
      command: 'notewright settle',
    })
  }
  if (new Set(found.map(({ recorded }) => recorded)).size > 1) {
    const ids = found.map(({ recorded }) => recorded.entry.id)
    throw new Failure('invalid-input', `${note} was left undecided by more than one change set.`, {
      hint: 'Name one of them.',
      command: `notewright settle ${ids[0]}`,
      data: { ids },
    })
  }
  return found
}

function decide(
  step: JournalStep,
  how: 'take-back' | 'finish',
  sequence: number,
  source: SettleSource,
): Promise<Change[]> {
  const exact = { ...source, current: (path: NotePath) => noteNamed(path, sequence, source) }
  if (step.kind === 'rename') return settleMove(step, how, sequence, exact)
  const wanted = how === 'take-back' ? step.before : step.kind === 'write' ? step.after : null
  return makeHold(step.path, wanted, sequence, exact)
}

/** A note that differs only in how its name is written is another one, unless a later change set has respelled it so. */
async function noteNamed(path: NotePath, sequence: number, { entries, current }: SettleSource) {
  let name = path
  for (const [later, { entry, state }] of entries) {
    if (later <= sequence || state !== 'applied') continue
    for (const step of entry.steps) {
      const [from, to] =
        step.kind === 'rename' ? [step.path, step.to] : [step.kind === 'write' && step.origin, step.path]
      if (from === name && foldPath(to) === foldPath(name)) name = to
    }
  }
  // Under its old name there may be another note by now.
  for (const spelling of [name, path]) {
    const found = await current(spelling)
    if (found?.path === spelling) return found
  }
  return undefined
}

/** Leaves a path with the bytes of this hash; null: with no file. */
async function makeHold(
  path: NotePath,
  wanted: ContentHash | null,
  sequence: number,
  { current, image }: SettleSource,
): Promise<Change[]> {
  const now = await current(path)
  if ((now?.hash ?? null) === wanted) return []
  if (wanted === null) return [{ kind: 'trash', path: now!.path, before: now!.hash }]
  const after = await image(sequence, wanted)
  if (after === undefined) {
    throw new Failure('not-found', `The journal no longer has that version of ${path}.`, {
      hint: 'Decide to keep the note as it is.',
    })
  }
  if (now === undefined) return [{ kind: 'create', path, after }]
  return [{ kind: 'edit', path: now.path, before: now.hash, after }]
}

async function settleMove(
  step: JournalStep & { kind: 'rename' },
  how: 'take-back' | 'finish',
  sequence: number,
  source: SettleSource,
): Promise<Change[]> {
  const [wanted, other] = how === 'take-back' ? [step.path, step.to] : [step.to, step.path]
  const [there, elsewhere] = [await source.current(wanted), await source.current(other)]
  const isMoved = (file: { hash: ContentHash } | undefined) => file !== undefined && file.hash === step.hash
  // What was to be deleted is known by its bytes, and the journal has them.
  if (step.trash === true && !(how === 'take-back' && there === undefined && isMoved(elsewhere))) {
    return makeHold(step.path, how === 'take-back' ? step.hash : null, sequence, source)
  }
  // Where both names are taken, the note that was to be moved is the one whose bytes are known.
  if (isMoved(there) || (there !== undefined && elsewhere === undefined)) return []
  if (elsewhere === undefined || (there !== undefined && !isMoved(elsewhere))) {
    throw new Failure('not-found', `The note that was to be moved from ${step.path} to ${step.to} cannot be found.`, {
      hint: 'Put it where you want it by hand, and then decide to keep it as it is.',
      data: { path: step.path, to: step.to },
    })
  }
  const move: Change = { kind: 'move', path: elsewhere.path, to: wanted, before: elsewhere.hash }
  return there === undefined ? [move] : [{ kind: 'trash', path: there.path, before: there.hash }, move]
}

function titleOf(decisions: SettleTarget['decisions']): string {
  const words = { keep: 'keep', 'take-back': 'take back', finish: 'finish' }
  const [{ note, how }] = decisions
  return decisions.length === 1 ? `Settle: ${words[how]} ${note}` : `Settle ${decisions.length} notes`
}

function addTo(steps: Map<number, number[]>, sequence: number, index: number): void {
  steps.set(sequence, [...(steps.get(sequence) ?? []), index])
}

function asSteps(steps: Map<number, number[]>): UndoneSteps[] {
  return [...steps].map(([sequence, indexes]) => ({ sequence, steps: indexes }))
}
