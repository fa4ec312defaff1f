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
  foldPath,
  hashBytes,
  isNote,
  isPrivateNote,
  isRestoring,
  journalSteps,
  type NotePath,
  removal,
  type StagedStep,
  stageChanges,
  tooLarge,
  trashOption,
} from '../../../core/vault/index.js'
import type { Journal } from '../journal.js'
import { type EntryWork, performSteps, takeBackEntry } from './perform-entry.js'
import type { VaultFiles } from './vault-files.js'

export interface ApplyContext {
  files: VaultFiles
  journal: Journal
  rules: Exclusions
  maxReadBytes: number
  /** Text of Obsidian's `app.json`. */
  appSettings: string
}

const unchanged = 'Nothing was changed.'

/** Bases checked, images and intent in the journal, then the files, then the done row. On any error all is taken back. */
export async function applyChanges(set: ChangeSet, context: ApplyContext): Promise<AppliedChangeSet> {
  const { files, journal } = context
  if ([...journal.entries.values()].some(({ entry }) => entry.id === set.id)) throw alreadyApplied(set)
  await files.saveEditors(new Set(set.changes.map(({ path }) => foldPath(path))))
  const { steps: staged, applied } = await stageChanges(set, {
    find: (path) => find(path, context, isRestoring(set)),
    hasFolder: async (path) => files.hasFolder(path),
    hash: hashBytes,
  })
  const time = Date.now()
  const answer = { id: set.id, title: set.title, appliedAt: time, changes: applied }
  if (staged.length === 0 && set.settles === undefined) return answer
  const isLocal = trashOption(context.appSettings) === 'local'
  const steps = isLocal ? staged : staged.map(removal)
  const trashPaths = isLocal ? await freeTrashPaths(files, staged) : new Map<NotePath, NotePath>()
  const entrySteps = journalSteps(steps, ({ path }) => trashPaths.get(path)!, hashBytes)

  let work: EntryWork | undefined
  const begun = new Set<number>()
  try {
    const entry = await journal.begin(
      {
        id: set.id,
        time,
        title: set.title,
        session: set.session,
        changes: applied,
        steps: entrySteps,
        folders: await missingFolders(
          entrySteps.map((step) => (step.kind === 'rename' ? step.to : step.path)),
          files,
        ),
        emptied: [...(set.emptied ?? []), ...foldersOfUndone(set, journal)],
        undoes: set.undoes,
        settles: set.settles,
      },
      imagesOf(steps),
    )
    work = { entry, files, journal }
    await performSteps(work, [...entry.steps.keys()], begun, (index) => staged[index].kind === 'trash')
    await journal.add({ row: 'done', sequence: entry.sequence })
  } catch (error) {
    throw asFailure(error, work === undefined ? unchanged : await takeBack(work, begun))
  }
  // The change is done and safe; a journal that is too large can wait for the next time.
  await journal.prune().catch(() => undefined)
  return answer
}

async function find(path: NotePath, { files, rules, maxReadBytes }: ApplyContext, isUndo: boolean): Promise<FoundFile> {
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

async function takeBack(work: EntryWork, begun: Set<number>): Promise<string> {
  try {
    const undecided = await takeBackEntry(work, 'failed', begun)
    if (undecided.length === 0) return unchanged
    const notes = undecided.map((index) => work.entry.steps[index].path).join(', ')
    return `It was taken back, but for ${notes}, which someone else has changed meanwhile.`
  } catch {
    return 'The change is unfinished; the next start repairs it.'
  }
}

/** A refusal says that nothing was written; where something is left of it, it must not. */
function asFailure(error: unknown, outcome: string): unknown {
  if (!(error instanceof Failure)) {
    const failure = new Failure('internal', `Obsidian could not write: ${(error as Error).message}. ${outcome}`)
    failure.cause = error
    return failure
  }
  if (outcome === unchanged) return error
  const reason = error.message.replace(/ Nothing was (?:written|changed)\.$/, '')
  return new Failure(error.code, `${reason} ${outcome}`, error.details)
}

/** All that a step was and will be: enough to finish it, and to take it back. What only moves keeps its bytes. */
function imagesOf(steps: readonly StagedStep[]): Map<ContentHash, Uint8Array> {
  const images = new Map<ContentHash, Uint8Array>()
  for (const step of steps) {
    if (step.kind !== 'rename' && step.before !== null) images.set(step.before.hash, step.before.bytes)
    if (step.kind === 'write') images.set(step.hash, step.after)
  }
  return images
}

async function missingFolders(paths: readonly string[], files: VaultFiles): Promise<string[]> {
  const missing = new Set<string>()
  const check = async (folder: string): Promise<void> => {
    if (folder === '' || missing.has(folder) || (await files.app.vault.adapter.exists(folder))) return
    await check(folderOf(folder))
    missing.add(folder)
  }
  for (const path of paths) await check(folderOf(path))
  return [...missing]
}

/** Taking back everything of an entry also takes back the folders it made. */
function foldersOfUndone(set: ChangeSet, { entries }: Journal): string[] {
  return (set.undoes ?? []).flatMap(({ sequence, steps }) => {
    const undone = entries.get(sequence)
    const isAll = undone !== undefined && undone.undone.size + steps.length >= undone.entry.steps.length
    return isAll ? undone.entry.folders : []
  })
}

/** A free name in the vault's own trash for each note that goes there. */
async function freeTrashPaths(files: VaultFiles, steps: readonly StagedStep[]): Promise<Map<NotePath, NotePath>> {
  const paths = new Map<NotePath, NotePath>()
  const trashed = steps.filter((step) => step.kind === 'trash')
  if (trashed.length === 0) return paths
  const { adapter } = files.app.vault
  const there = (await adapter.exists('.trash')) ? (await adapter.list('.trash')).files : []
  const taken = new Set(there.map(foldPath))
  for (const { path } of trashed) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const cut = isNote(name) ? name.length - 3 : name.length
    let free = `.trash/${name}`
    for (let count = 2; taken.has(foldPath(free)); count++)
      free = `.trash/${name.slice(0, cut)} ${count}${name.slice(cut)}`
    taken.add(foldPath(free))
    paths.set(path, free as NotePath)
  }
  return paths
}
