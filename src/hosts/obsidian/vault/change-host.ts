import { Failure } from '../../../core/errors.js'
import {
  type ChangeHost,
  type ChangeSet,
  type ChangeSurvey,
  type ContentHash,
  decodeNote,
  type EntryFiles,
  type Exclusions,
  type FoundFile,
  foldPath,
  freeNames,
  hashBytes,
  imagesOf,
  isNote,
  isPrivateNote,
  isRestoring,
  type JournalEntry,
  type JournalStep,
  type NotePath,
  type PreparedWrite,
  removal,
  type StagedStep,
  type StepMove,
  type StepState,
  type TrashPlan,
  tooLarge,
  trashOption,
} from '../../../core/vault/index.js'
import type { IndexedDbJournal } from '../journal.js'
import { changedInObsidian, type VaultFiles } from './vault-files.js'

export interface ObsidianChangeSetup {
  files: VaultFiles
  journal: IndexedDbJournal
  rules(): Promise<Exclusions>
  /** Text of Obsidian's `app.json`. */
  settings(): Promise<string>
  maxReadBytes: number
}

interface ObsidianSurvey extends ChangeSurvey {
  /** Indexes of the steps whose file goes where Obsidian puts deleted files. Other removed files stay in the journal only. */
  trashed: ReadonlySet<number>
}

/** The change engine's host for the vault that Obsidian has open. */
export function obsidianChangeHost(setup: ObsidianChangeSetup): ChangeHost<ObsidianSurvey> {
  const { files, journal } = setup
  return {
    journal: {
      entries: journal.entries,
      add: journal.add,
      image: (_, hash) => journal.image(hash),
      prune: journal.prune,
    },
    now: () => Date.now(),
    survey: (set) => surveyVault(set, setup),
    filesOf: (entry, survey) => new ObsidianEntryFiles(entry, files, journal, survey?.trashed),
    asFailure(error, outcome) {
      if (error instanceof Failure) return error
      const failure = new Failure('internal', `Obsidian could not write: ${(error as Error).message}. ${outcome}`)
      failure.cause = error
      return failure
    },
    decideHint: '.',
  }
}

async function surveyVault(set: ChangeSet, setup: ObsidianChangeSetup): Promise<ObsidianSurvey> {
  const { files, journal, maxReadBytes } = setup
  const [rules, settings] = [await setup.rules(), await setup.settings()]
  await files.saveEditors(new Set(set.changes.map(({ path }) => foldPath(path))))
  const isUndo = isRestoring(set)
  const trashed = new Set<number>()

  async function find(path: NotePath): Promise<FoundFile> {
    const found = await files.read(path)
    const spelled = found?.path ?? (isUndo ? path : files.spelled(path))
    const load = async (anySize = isUndo) => {
      if (found === undefined) throw new Error('There is nothing to load.')
      if (!anySize && found.bytes.length > maxReadBytes) throw tooLarge(found.path, found.bytes.length, maxReadBytes)
      return { bytes: found.bytes, hash: found.hash }
    }
    if (!isUndo && (rules.hides(path) || rules.hides(spelled))) return { path: spelled, state: 'excluded', load }
    if (found === undefined) return { path: spelled, state: 'absent', load }
    const isHidden = !isUndo && isNote(found.path) && isPrivateNote(decodeNote(found.bytes).text)
    return { path: spelled, state: isHidden ? 'hidden' : 'present', load }
  }

  async function planTrash(steps: StagedStep[]): Promise<TrashPlan> {
    for (const [index, { kind }] of steps.entries()) if (kind === 'trash') trashed.add(index)
    if (trashOption(settings) !== 'local') return { steps: steps.map(removal), paths: new Map() }
    const nextName = freeNames(trashed.size === 0 ? [] : await files.namesIn('.trash'))
    const notes = steps.filter(({ kind }) => kind === 'trash')
    return { steps, paths: new Map(notes.map(({ path }) => [path, `.trash/${nextName(path)}` as NotePath])) }
  }

  return {
    trashed,
    find,
    hasFolder: (path) => files.app.vault.adapter.exists(path),
    hash: hashBytes,
    planTrash,
    begin: (entry, steps) => journal.begin(entry, imagesOf(steps)),
  }
}

/**
 * The files of an entry in Obsidian, which has no atomic replacement and no fsync: a file is rewritten in place, so that a
 * crash may leave a part of its bytes, and a rename is one call.
 */
class ObsidianEntryFiles implements EntryFiles {
  readonly #bytes = new Map<number, Uint8Array>()
  /** True if an interrupted rollback may have left a part of the earlier bytes. */
  readonly #wasGoingBack: boolean

  constructor(
    private readonly entry: JournalEntry,
    private readonly files: VaultFiles,
    private readonly journal: IndexedDbJournal,
    /** Unknown after a crash: then every removed file goes where Obsidian puts deleted files, and nothing is lost. */
    private readonly trashed?: ReadonlySet<number>,
  ) {
    this.#wasGoingBack = journal.entries.get(entry.sequence)?.isGoingBack === true
  }

  async stateOf(step: JournalStep): Promise<StepState> {
    const state = await this.#ownState(step)
    if (state !== 'foreign') return state
    // Nothing shows whether the note was changed before or after its step, unless all other steps are done.
    for (const other of this.entry.steps) {
      const otherState = await this.#ownState(other)
      if (otherState === 'before' || otherState === 'partial') return 'foreign'
    }
    return 'foreign-after'
  }

  async #ownState(step: JournalStep): Promise<'before' | 'after' | 'partial' | 'foreign'> {
    if (step.kind === 'rename') return this.#renameState(step)
    const current = await this.files.readExactly(step.path)
    const now = current?.hash ?? null
    const after = step.kind === 'write' ? step.after : null
    if (now === after) return 'after'
    if (now === step.before) return 'before'
    if (current === undefined) return 'foreign'
    // A file is not replaced atomically: one that begins as our bytes do and ends too soon is our own.
    for (const hash of this.#wasGoingBack ? [after, step.before] : [after]) {
      if (hash !== null && (await this.#isPartOf(current.bytes, hash))) return 'partial'
    }
    return 'foreign'
  }

  async #isPartOf(bytes: Uint8Array, hash: ContentHash): Promise<boolean> {
    const whole = await this.journal.image(hash)
    return whole !== undefined && bytes.length < whole.length && bytes.every((byte, at) => byte === whole[at])
  }

  async #renameState(step: JournalStep & { kind: 'rename' }) {
    const here = await this.files.read(step.path)
    const isIt = (found: typeof here) => found !== undefined && (step.hash === null || found.hash === step.hash)
    if (foldPath(step.path) === foldPath(step.to)) {
      return !isIt(here) ? 'foreign' : here?.path === step.to ? 'after' : 'before'
    }
    const there = await this.files.read(step.to)
    if (here === undefined) return isIt(there) ? 'after' : 'foreign'
    return isIt(here) && there === undefined ? 'before' : 'foreign'
  }

  makeFolder(path: string): Promise<void> {
    return this.files.makeFolder(path)
  }

  async prepare(writes: readonly PreparedWrite[]): Promise<number[]> {
    const missing: number[] = []
    for (const { index, load } of writes) {
      const bytes = await load()
      if (bytes === undefined) missing.push(index)
      else this.#bytes.set(index, bytes)
    }
    return missing
  }

  async bring({ step, index, isRollback }: StepMove): Promise<void> {
    if (step.kind === 'remove') return
    if (step.kind === 'rename') {
      if (step.hash !== null && (await this.files.read(step.path))?.hash !== step.hash)
        throw changedInObsidian(step.path)
      return this.files.rename(step.path, step.to)
    }
    // `!`: every write was prepared.
    const bytes = this.#bytes.get(index)!
    const state = await this.#ownState(this.#stepAt(index))
    if (state === 'partial') return this.#rewrite(step.path, bytes)
    if (step.before !== null) {
      if (!isRollback) return this.files.replace(step.path, step.before, bytes)
      if (state !== 'after') throw changedInObsidian(step.path)
      return this.#rewrite(step.path, bytes)
    }
    const other = await this.#otherSpelling(step, isRollback)
    if (other === undefined) return this.files.create(step.path, bytes)
    // Not every disk can hold two spellings of one name.
    await this.files.rename(other.path, step.path)
    if (other.kind === 'remove') await this.files.replace(step.path, other.before, bytes)
    else await this.#rewrite(step.path, bytes)
  }

  /** The step of the same note under another spelling, where it is there to be renamed. */
  async #otherSpelling({ path }: JournalStep, isRollback: boolean): Promise<JournalStep | undefined> {
    const kind = isRollback ? 'write' : 'remove'
    const other = this.entry.steps.find((one) => one.kind === kind && foldPath(one.path) === foldPath(path))
    if (other === undefined || other.path === path) return undefined
    const state = await this.#ownState(other)
    const isThere = isRollback ? state === 'after' || state === 'partial' : state === 'before'
    return isThere ? other : undefined
  }

  #stepAt(index: number): JournalStep {
    const step = this.entry.steps[index]
    if (step === undefined) throw new Error(`The journal entry has no step ${index}.`)
    return step
  }

  /** Over our own bytes, complete or not. */
  async #rewrite(path: NotePath, bytes: Uint8Array): Promise<void> {
    const current = await this.files.read(path)
    if (current === undefined) await this.files.create(path, bytes)
    else await this.files.replace(path, current.hash, bytes)
  }

  async takeAway({ step, index, isRollback }: StepMove): Promise<void> {
    if (step.kind !== 'remove') return
    if (!isRollback) {
      const isTrashed = this.trashed?.has(index) ?? true
      return isTrashed ? this.files.trash(step.path, step.before) : this.files.remove(step.path, step.before)
    }
    const state = await this.#ownState(this.#stepAt(index))
    if (state === 'foreign') throw changedInObsidian(step.path)
    if (state !== 'before') await this.files.remove(step.path, null)
  }

  async removeEmptyFolders(paths: readonly string[]): Promise<void> {
    for (const folder of [...new Set(paths)].sort((a, b) => b.length - a.length)) await this.files.removeIfEmpty(folder)
  }
}
