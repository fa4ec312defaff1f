import { hash as nodeHash, randomUUID } from 'node:crypto'
import { Failure } from '../../../core/errors.js'
import {
  type AppliedChangeSet,
  alreadyApplied,
  type ChangeSet,
  type ContentHash,
  decodeNote,
  type Exclusions,
  type FoundFile,
  folderOf,
  isNote,
  isPrivateNote,
  isRestoring,
  journalSteps,
  type NotePath,
  pathFailure,
  type StagedStep,
  stageChanges,
} from '../../../core/vault/index.js'
import type { FileStat } from '../files/index.js'
import { afterImages, type Journal } from '../journal/index.js'
import { diskFailure } from './disk-failure.js'
import { isPrivateFile } from './is-private-file.js'
import { type EntryWork, performEntry } from './perform-entry.js'
import { readFailure } from './read-failure.js'
import { readRegular } from './read-regular.js'
import { refuseReadOnly, refuseRespelledFolders } from './refuse-steps.js'
import { takeBackEntry } from './take-back-entry.js'
import { type TrashedNotes, trashDeletedNotes } from './trash-deleted-notes.js'
import { joinPath, type Spot, type VaultFolders } from './vault-folders.js'

export interface ApplyContext {
  folders: VaultFolders
  journal: Journal
  rules: Exclusions
  maxReadBytes: number
  /** The desktop's trash, where there is one. */
  systemTrash?: string
}

/**
 * Applies a change set, with the vault's lock held: bases checked against the disk, before-images and intent in the
 * journal, then the files, then the done row. On any error everything is taken back before the error is thrown.
 */
export async function applyChanges(set: ChangeSet, context: ApplyContext): Promise<AppliedChangeSet> {
  const { folders, journal, systemTrash } = context
  if ([...journal.entries.values()].some(({ entry }) => entry.id === set.id)) throw alreadyApplied(set)
  const finder = new Finder(context, isRestoring(set))
  const time = Date.now()
  const { steps: staged, applied } = await stageChanges(set, {
    find: (path) => finder.find(path),
    hasFolder: async (path) => (await folders.within(path, () => true)) === true,
    hash: sha256,
  })
  const answer = { id: set.id, title: set.title, appliedAt: time, changes: applied }
  if (staged.length === 0 && set.settles === undefined) return answer
  refuseReadOnly(staged, finder.seen)
  await refuseRespelledFolders(staged, folders)

  let work: EntryWork | undefined
  let trashed: TrashedNotes | undefined
  const begun = new Set<number>()
  try {
    trashed = await trashDeletedNotes(folders, staged, systemTrash, time)
    const { steps, paths } = trashed
    const entrySteps = journalSteps(steps, (step) => paths.get(step.path)!, sha256)
    const entry = await journal.begin(
      {
        id: set.id,
        time,
        title: set.title,
        session: set.session,
        changes: applied,
        steps: entrySteps,
        folders: await missingFolders(
          folders,
          entrySteps.map((step) => (step.kind === 'rename' ? step.to : step.path)),
        ),
        emptied: [...(set.emptied ?? []), ...foldersOfUndone(set, journal)],
        undoes: set.undoes,
        settles: set.settles,
      },
      imagesOf(steps),
      { temporary: `.notewright-${randomUUID()}-`, modes: steps.map((step) => finder.modeFor(step)) },
      afterImages(steps),
    )
    work = { entry, notes: journal.notes(entry.sequence)!, folders, journal }
    const after = new Map(steps.flatMap((step, index) => (step.kind === 'write' ? [[index, step.after]] : [])))
    await performEntry(work, after, finder.seen, begun)
    await journal.finish(entry.sequence)
  } catch (error) {
    const outcome = work === undefined ? unchanged : await takeBack(work, begun)
    if (outcome === unchanged) await trashed?.withdraw()
    throw asFailure(error, outcome)
  }
  await pruneQuietly(journal)
  return answer
}

const unchanged = 'Nothing was changed.'

async function takeBack(work: EntryWork, begun: Set<number>): Promise<string> {
  try {
    const undecided = await takeBackEntry(work, 'failed', begun)
    if (undecided.length === 0) return unchanged
    const notes = undecided.map((index) => work.entry.steps[index].path).join(', ')
    return `It was taken back, but for ${notes}, which someone else has changed meanwhile: notewright settle`
  } catch {
    return 'The change is unfinished; the next start repairs it.'
  }
}

/** A refusal says that nothing was written; where something is left of it, it must not. */
function asFailure(error: unknown, outcome: string): unknown {
  if (!(error instanceof Failure) || outcome === unchanged) return diskFailure(error, outcome)
  const reason = error.message.replace(/ Nothing was (?:written|changed)\.$/, '')
  return new Failure(error.code, `${reason} ${outcome}`, error.details)
}

/** Answers staging's questions from the disk, and remembers what each file looked like. */
class Finder {
  readonly seen = new Map<NotePath, FileStat>()

  constructor(
    private readonly context: ApplyContext,
    private readonly isUndo: boolean,
  ) {}

  get #limit(): number {
    return this.isUndo ? Number.MAX_SAFE_INTEGER : this.context.maxReadBytes
  }

  async find(path: NotePath): Promise<FoundFile> {
    const { folders, rules } = this.context
    const isExcluded = !this.isUndo && rules.hides(path)
    const found = isExcluded ? undefined : await folders.at(path, (spot) => this.#look(path, spot))
    if (found !== undefined) return found
    if (isExcluded) return { path, state: 'excluded', load: () => this.#load(path) }
    const spelled = joinPath(await folders.spellFolder(folderOf(path)), nameOf(path))
    return { path: spelled, state: 'absent', load: nothingToLoad }
  }

  modeFor(step: StagedStep): number {
    const known = this.seen.get(step.kind === 'write' ? (step.origin ?? step.path) : step.path)
    return known === undefined ? 0o666 & ~process.umask() : known.mode & 0o777
  }

  async #look(asked: NotePath, spot: Spot): Promise<FoundFile> {
    const { path, stat } = spot
    if (!this.isUndo && this.context.rules.hides(path)) return { path, state: 'excluded', load: () => this.#load(path) }
    if (stat === undefined) return { path, state: 'absent', load: nothingToLoad }
    if (stat.kind === 'link') throw pathFailure(asked, 'it is a link; name the file that it leads to')
    if (stat.kind !== 'file') throw pathFailure(asked, 'it is not a regular file')
    this.seen.set(path, stat)
    // A file that is too large to be read can still be moved.
    if (!isNote(path) || stat.size > this.#limit) {
      const isHidden = !this.isUndo && (await isPrivateFile(this.context.folders.files, spot))
      return { path, state: isHidden ? 'hidden' : 'present', load: (anySize) => this.#load(path, anySize) }
    }
    const file = await this.#read(spot)
    if (file === undefined) return { path, state: 'absent', load: nothingToLoad }
    const isHidden = !this.isUndo && isPrivateNote(decodeNote(file.bytes).text)
    return { path, state: isHidden ? 'hidden' : 'present', load: async () => file }
  }

  async #load(path: NotePath, anySize = false) {
    const limit = anySize ? Number.MAX_SAFE_INTEGER : this.#limit
    const file = await this.context.folders.at(path, (spot) => this.#read(spot, limit))
    if (file === undefined) throw new Failure('not-found', `Note not found: ${path}`)
    return file
  }

  async #read(spot: Spot, limit = this.#limit) {
    const file = await readRegular(this.context.folders.files, spot, limit).catch((error) => {
      throw readFailure(error, spot.path)
    })
    if (file === undefined) return undefined
    this.seen.set(spot.path, file.stat)
    return { bytes: file.bytes, hash: sha256(file.bytes) }
  }
}

async function missingFolders(folders: VaultFolders, paths: string[]): Promise<string[]> {
  const missing = new Set<string>()
  const checked = new Set<string>()
  const check = async (folder: string): Promise<void> => {
    if (folder === '' || checked.has(folder)) return
    checked.add(folder)
    await check(folderOf(folder))
    if ((await folders.within(folder, () => true)) === undefined) missing.add(folder)
  }
  for (const path of paths) await check(folderOf(path))
  return [...missing]
}

/** Taking back everything of an entry also takes back the folders it made. */
function foldersOfUndone(set: ChangeSet, { entries }: Journal): string[] {
  return (set.undoes ?? []).flatMap(({ sequence, steps }) => {
    const undone = entries.get(sequence)
    return undone !== undefined && undone.undone.size + steps.length >= undone.entry.steps.length
      ? undone.entry.folders
      : []
  })
}

/** What every note held before, and notes that are made anew: `afterImages` tells the others apart from these. */
function imagesOf(steps: StagedStep[]): Map<ContentHash, Uint8Array> {
  const images = new Map<ContentHash, Uint8Array>()
  for (const step of steps) {
    // What only moves keeps its bytes; what goes to the trash may be gone from there when it is wanted back.
    if (step.kind !== 'rename' && step.before !== null) images.set(step.before.hash, step.before.bytes)
    else if (step.kind === 'write') images.set(step.hash, step.after)
  }
  return images
}

// The change is done and safe; a journal that is too large can wait for the next time.
async function pruneQuietly(journal: Journal): Promise<void> {
  try {
    await journal.prune()
  } catch {}
}

function nothingToLoad(): Promise<never> {
  return Promise.reject(new Error('There is nothing to load.'))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function sha256(bytes: Uint8Array): ContentHash {
  return nodeHash('sha256', bytes)
}
