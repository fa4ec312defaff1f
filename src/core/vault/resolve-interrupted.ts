import { Failure } from '../errors.js'
import { type Change, type ChangeSet, type ContentHash, changeSet, type UndoneSteps } from './change-set.js'
import { type JournalStep, type RecordedEntry, undecidedSteps } from './journal.js'
import { foldPath, type NotePath } from './note-path.js'
import type { UndoSource } from './plan-undo.js'

// `!` is used on steps that `undecidedSteps` lists, and on a note that exists, since it differs from the wanted
// absence.

/** `keep`: as it is now. `take-back`: as before the change set. `finish`: as the change set intended. */
export type Resolution = 'keep' | 'take-back' | 'finish'

/** A user's decisions about notes that an interrupted change set has left alone. */
export interface ResolutionTarget {
  /** The change set; needed only where two of them name the same note. */
  id?: string | undefined
  decisions: { note: NotePath; how: Resolution }[]
}

type ResolutionSource = Pick<UndoSource, 'entries' | 'current' | 'image'>

interface UndecidedStep {
  recorded: RecordedEntry
  index: number
}

/**
 * Plans the user's decisions as an ordinary change set: current content goes to the journal or the trash, so this can
 * be undone too. Keeping a note needs no change, only the decision.
 */
export async function planResolution(
  { id, decisions }: ResolutionTarget,
  source: ResolutionSource,
): Promise<ChangeSet> {
  const changes: Change[] = []
  const resolved = new Map<number, number[]>()
  const takenBack = new Map<number, number[]>()
  for (const { note, how } of decisions) {
    for (const { recorded, index } of stepsOf(note, id, source.entries)) {
      const { sequence } = recorded.entry
      addTo(resolved, sequence, index)
      if (how === 'keep') continue
      // The entry was finished for its other notes; it is undone for this note alone.
      if (how === 'take-back' && recorded.state === 'applied') addTo(takenBack, sequence, index)
      changes.push(...(await decide(recorded.entry.steps[index]!, how, sequence, source)))
    }
  }
  const undoes = asSteps(takenBack)
  return {
    ...changeSet(titleOf(decisions), changes),
    resolves: asSteps(resolved),
    ...(undoes.length > 0 && { undoes }),
  }
}

function stepsOf(note: NotePath, id: string | undefined, entries: Map<number, RecordedEntry>): UndecidedStep[] {
  const key = foldPath(note)
  const found: UndecidedStep[] = []
  for (const recorded of entries.values()) {
    if (id !== undefined && recorded.entry.id !== id) continue
    for (const index of undecidedSteps(entries, recorded)) {
      const step = recorded.entry.steps[index]!
      if (foldPath(step.path) === key || (step.kind === 'rename' && foldPath(step.to) === key)) {
        found.push({ recorded, index })
      }
    }
  }
  if (found.length === 0) {
    throw new Failure('not-found', `${note} has nothing to resolve.`, {
      hint: 'List the notes that need a decision.',
      command: 'notewright recover',
    })
  }
  if (new Set(found.map(({ recorded }) => recorded)).size > 1) {
    const ids = found.map(({ recorded }) => recorded.entry.id)
    throw new Failure('invalid-input', `${note} is affected by more than one interrupted change.`, {
      hint: 'Name one of the changes.',
      command: `notewright recover ${ids[0]}`,
      data: { ids },
    })
  }
  return found
}

function decide(
  step: JournalStep,
  how: 'take-back' | 'finish',
  sequence: number,
  source: ResolutionSource,
): Promise<Change[]> {
  const exact = { ...source, current: (path: NotePath) => noteNamed(path, sequence, source) }
  if (step.kind === 'rename') return resolveMove(step, how, sequence, exact)
  const wanted = how === 'take-back' ? step.before : step.kind === 'write' ? step.after : null
  return makeHold(step.path, wanted, sequence, exact)
}

/** A note that differs only in how its name is written is another one, unless a later change set has respelled it so. */
async function noteNamed(path: NotePath, sequence: number, { entries, current }: ResolutionSource) {
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
  { current, image }: ResolutionSource,
): Promise<Change[]> {
  const now = await current(path)
  if ((now?.hash ?? null) === wanted) return []
  if (wanted === null) return [{ kind: 'trash', path: now!.path, before: now!.hash }]
  const after = await image(sequence, wanted)
  if (after === undefined) {
    throw new Failure('not-found', `The journal no longer has this version of ${path}.`, {
      hint: 'Keep the note as it is.',
    })
  }
  if (now === undefined) return [{ kind: 'create', path, after }]
  return [{ kind: 'edit', path: now.path, before: now.hash, after }]
}

async function resolveMove(
  step: JournalStep & { kind: 'rename' },
  how: 'take-back' | 'finish',
  sequence: number,
  source: ResolutionSource,
): Promise<Change[]> {
  const [wanted, other] = how === 'take-back' ? [step.path, step.to] : [step.to, step.path]
  const [there, elsewhere] = [await source.current(wanted), await source.current(other)]
  const isMoved = (file: { hash: ContentHash } | undefined) => file !== undefined && file.hash === step.hash
  // A note that was to be deleted is known by its bytes, and the journal has them.
  if (step.trash === true && !(how === 'take-back' && there === undefined && isMoved(elsewhere))) {
    return makeHold(step.path, how === 'take-back' ? step.hash : null, sequence, source)
  }
  // With both names taken, the moved note is the one whose bytes are known.
  if (isMoved(there) || (there !== undefined && elsewhere === undefined)) return []
  if (elsewhere === undefined || (there !== undefined && !isMoved(elsewhere))) {
    throw new Failure(
      'not-found',
      `The interrupted change was moving ${step.path} to ${step.to}, but the note is at neither path.`,
      {
        hint: 'Move it to the right place yourself, then keep it as it is.',
        data: { path: step.path, to: step.to },
      },
    )
  }
  const move: Change = { kind: 'move', path: elsewhere.path, to: wanted, before: elsewhere.hash }
  return there === undefined ? [move] : [{ kind: 'trash', path: there.path, before: there.hash }, move]
}

function titleOf(decisions: ResolutionTarget['decisions']): string {
  const words = { keep: 'keep', 'take-back': 'undo', finish: 'finish' }
  const [only, ...others] = decisions
  if (only === undefined || others.length > 0) return `Resolve ${decisions.length} notes`
  return `Resolve: ${words[only.how]} ${only.note}`
}

function addTo(steps: Map<number, number[]>, sequence: number, index: number): void {
  steps.set(sequence, [...(steps.get(sequence) ?? []), index])
}

function asSteps(steps: Map<number, number[]>): UndoneSteps[] {
  return [...steps].map(([sequence, indexes]) => ({ sequence, steps: indexes }))
}
