import { hash as nodeHash, randomUUID } from 'node:crypto'
import { Failure } from '../../../core/errors.js'
import {
  type ChangeHost,
  type ChangeSet,
  type ChangeSurvey,
  type ContentHash,
  decodeNote,
  type Exclusions,
  type FoundFile,
  folderOf,
  foldPath,
  isNote,
  isPrivateNote,
  isRestoring,
  type NotePath,
  pathFailure,
  type StagedStep,
} from '../../../core/vault/index.js'
import type { FileStat } from '../files/file-access.js'
import type { FileJournal } from '../journal/journal.js'
import { diskFailure } from './disk-failure.js'
import { DiskEntryFiles } from './entry-files.js'
import { yieldToEventLoop } from './list-files.js'
import { isPrivateFile } from './note-files.js'
import { readFailure, readRegular } from './read-files.js'
import { planTrash } from './trash.js'
import { joinPath, type OpenPath, type VaultFolders } from './vault-folders.js'

export interface DiskChangeSetup {
  folders: VaultFolders
  journal: FileJournal
  rules(): Promise<Exclusions>
  maxReadBytes: number
  /** The desktop's trash, if there is one. */
  systemTrash?: string | undefined
}

/** A survey that remembers how each file looked when its bytes were checked. */
interface DiskSurvey extends ChangeSurvey {
  seen: ReadonlyMap<NotePath, FileStat>
}

/** The change engine's host for a folder on a disk. The vault's lock must be held while it is used. */
export function diskChangeHost(setup: DiskChangeSetup): ChangeHost<DiskSurvey> {
  const { folders, journal } = setup
  return {
    journal,
    now: () => Date.now(),
    survey: async (set) => surveyDisk(set, setup, await setup.rules()),
    filesOf(entry, survey) {
      const { sequence } = entry
      const image = (hash: ContentHash) => journal.image(sequence, hash)
      // `!`: the journal has notes for every entry it has opened.
      return new DiskEntryFiles(folders, { entry, notes: journal.notes(sequence)!, image, seen: survey?.seen })
    },
    asFailure: diskFailure,
    decideHint: ': notewright recover',
  }
}

function surveyDisk(set: ChangeSet, setup: DiskChangeSetup, rules: Exclusions): DiskSurvey {
  const { folders, journal, systemTrash } = setup
  const seen = new Map<NotePath, FileStat>()
  const isUndo = isRestoring(set)
  const pause = yieldToEventLoop()
  const readLimit = isUndo ? Number.MAX_SAFE_INTEGER : setup.maxReadBytes

  async function find(path: NotePath): Promise<FoundFile> {
    await pause()
    const isExcluded = !isUndo && rules.hides(path)
    const found = isExcluded ? undefined : await folders.at(path, (spot) => look(path, spot))
    if (found !== undefined) return found
    if (isExcluded) return { path, state: 'excluded', load: () => load(path) }
    const spelled = joinPath(await folders.spellFolder(folderOf(path)), path.slice(path.lastIndexOf('/') + 1))
    return { path: spelled, state: 'absent', load: nothingToLoad }
  }

  async function look(asked: NotePath, spot: OpenPath): Promise<FoundFile> {
    const { path, stat } = spot
    if (!isUndo && rules.hides(path)) return { path, state: 'excluded', load: () => load(path) }
    if (stat === undefined) return { path, state: 'absent', load: nothingToLoad }
    if (stat.kind === 'link') throw pathFailure(asked, 'it is a link; use the path of the file it points to')
    if (stat.kind !== 'file') throw pathFailure(asked, 'it is not a regular file')
    seen.set(path, stat)
    // A file that is too large to be read can still be moved.
    if (!isNote(path) || stat.size > readLimit) {
      const isHidden = !isUndo && (await isPrivateFile(folders.files, spot))
      return { path, state: isHidden ? 'hidden' : 'present', load: (anySize) => load(path, anySize) }
    }
    const file = await read(spot, readLimit)
    if (file === undefined) return { path, state: 'absent', load: nothingToLoad }
    const isHidden = !isUndo && isPrivateNote(decodeNote(file.bytes).text)
    return { path, state: isHidden ? 'hidden' : 'present', load: async () => file }
  }

  async function load(path: NotePath, anySize = false) {
    const limit = anySize ? Number.MAX_SAFE_INTEGER : readLimit
    const file = await folders.at(path, (spot) => read(spot, limit))
    if (file === undefined) throw new Failure('not-found', `Note not found: ${path}`)
    return file
  }

  async function read(spot: OpenPath, limit: number) {
    const file = await readRegular(folders.files, spot, limit).catch((error) => {
      throw readFailure(error, spot.path)
    })
    if (file === undefined) return undefined
    seen.set(spot.path, file.stat)
    return { bytes: file.bytes, hash: sha256(file.bytes) }
  }

  /** The permissions of the file that a step replaces or moves; new files get the process's default. */
  function modeFor(step: StagedStep): number {
    const known = seen.get(step.kind === 'write' ? (step.origin ?? step.path) : step.path)
    return known === undefined ? 0o666 & ~process.umask() : known.mode & 0o777
  }

  return {
    seen,
    find,
    hasFolder: async (path) => (await folders.within(path, () => true)) === true,
    hash: sha256,
    async check(steps) {
      refuseReadOnly(steps, seen)
      await refuseRespelledFolders(steps, folders)
    },
    planTrash: (steps, time) => planTrash(folders, steps, systemTrash, time),
    begin: (entry, steps) =>
      journal.begin(entry, steps, { temporary: `.notewright-${randomUUID()}-`, modes: steps.map(modeFor) }),
  }
}

function nothingToLoad(): Promise<never> {
  return Promise.reject(new Error('Nothing to load.'))
}

const anyWrite = 0o222

/**
 * A note that its owner has made read-only is not written, although putting another file in its place would be possible.
 * The whole set is refused: a rename that leaves one note out would break its links.
 */
function refuseReadOnly(steps: readonly StagedStep[], seen: ReadonlyMap<NotePath, FileStat>): void {
  for (const step of steps) {
    if (step.kind !== 'write') continue
    const path = step.origin ?? step.path
    const mode = seen.get(path)?.mode
    if (mode === undefined || (mode & anyWrite) !== 0) continue
    throw new Failure('conflict', `${path} is read-only. Nothing was changed.`, {
      hint: 'Make the file writable and try again.',
      data: { path },
    })
  }
}

/** On a case-insensitive disk, a folder is not respelled by writing its files under the other spelling. */
async function refuseRespelledFolders(steps: readonly StagedStep[], folders: VaultFolders): Promise<void> {
  const checked = new Set<string>()
  for (const step of steps) {
    if (step.kind !== 'rename') continue
    const [from, to] = [folderOf(step.path), folderOf(step.to)]
    if (from === to || checked.has(to) || foldPath(from) !== foldPath(to)) continue
    checked.add(to)
    const there = await folders.within(to, ({ path }) => path)
    if (there === undefined || there === to) continue
    throw new Failure('invalid-input', `This disk treats ${from} and ${to} as the same name. Nothing was changed.`, {
      hint: 'Rename the folder to another name first, then to the new name.',
    })
  }
}

function sha256(bytes: Uint8Array): ContentHash {
  return nodeHash('sha256', bytes)
}
