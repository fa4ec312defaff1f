import { hash as nodeHash } from 'node:crypto'
import { type ContentHash, folderOf, type JournalStep } from '../../../core/vault/index.js'
import { type FileAccess, type OpenFolder, readWholeFile } from '../files/file-access.js'
import type { FileJournal } from '../journal/journal.js'
import { codeOf } from './file-moves.js'
import { joinPath, type VaultFolders } from './vault-folders.js'

/**
 * The content of a temporary file: bytes after or before a step, or bytes saved by others while their file was
 * replaced.
 */
export type TemporaryKind = 'new' | 'old' | 'kept'

/** The entry that a temporary file belongs to. */
export interface TemporaryOwner {
  /** Prefix of its temporary files. */
  temporary: string
  steps: readonly JournalStep[]
  image(hash: ContentHash): Promise<Uint8Array | undefined>
}

/** Preserved bytes get a new name at each attempt: those of an earlier one may be the user's only copy. */
export const temporaryName = (temporary: string, step: number, what: TemporaryKind, attempt = 1): string =>
  `${temporary}${step}.${what}${attempt === 1 ? '' : attempt}.tmp`

/** True if a temporary file can be removed: its bytes are in the journal or in place, and it has not been edited. */
export async function isExpendable(
  files: FileAccess,
  folder: OpenFolder,
  name: string,
  { temporary, steps, image }: TemporaryOwner,
): Promise<boolean> {
  const bytes = await readWholeFile(files, folder.at(name)).catch(unlessForbidden)
  if (bytes === 'forbidden') return false
  if (bytes === undefined || bytes.length === 0) return true
  const [, number, what] = /^(\d+)\.(?:(\w+)\.)?tmp$/.exec(name.slice(temporary.length)) ?? []
  const step = steps[Number(number)]
  if (step === undefined || step.kind === 'rename') return false
  const after = step.kind === 'write' ? step.after : null
  if ([step.before, after].includes(nodeHash('sha256', bytes))) return true
  if (what?.startsWith('kept')) return isInPlace(files, folder, name, step)
  // If a power cut reverted the rename, the saved bytes are in this file.
  const wanted = what === 'old' ? step.before : after
  const whole = wanted === null ? undefined : await image(wanted)
  return whole !== undefined && Buffer.compare(bytes, whole.subarray(0, bytes.length)) === 0
}

function unlessForbidden(error: unknown): 'forbidden' {
  if (['EACCES', 'EPERM', 'ELOOP'].includes(codeOf(error) ?? '')) return 'forbidden'
  throw error
}

/** A file that a step was about to let go may have its old name still. */
async function isInPlace(files: FileAccess, folder: OpenFolder, name: string, { path }: JournalStep): Promise<boolean> {
  const there = await files.stat(folder.at(path.slice(folderOf(path).length).replace(/^\//, '')))
  const kept = await files.stat(folder.at(name))
  return kept !== undefined && kept.identity === there?.identity
}

const strayName = /^\.notewright-[0-9a-f-]{36}-\d+\.(?:(new|old|kept\d*)\.)?tmp$/

/**
 * Our temporary files left in the vault: by a copy or a sync during a change, or by a lost journal. With `removes`,
 * those whose bytes are in the journal are deleted. The others are returned.
 */
export async function strayFiles(folders: VaultFolders, journal: FileJournal, removes: boolean): Promise<string[]> {
  const left: string[] = []
  const waiting = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const here = path
    await readable(() =>
      folders.within(here, async ({ path: real, open }) => {
        // A link: its target is checked in its own place.
        if (real !== here) return
        for (const { name, kind } of await folders.files.listFolder(open)) {
          if (kind === 'folder' && !name.startsWith('.')) waiting.push(joinPath(here, name))
          if (kind !== 'file' || !strayName.test(name)) continue
          const owner = ownerOf(name, journal)
          if (owner?.isOpen) continue
          if (removes && owner && (await isExpendable(folders.files, open, name, owner)))
            await folders.files.remove(open.at(name))
          else left.push(joinPath(here, name))
        }
      }),
    )
  }
  return left.sort()
}

/** An unreadable folder contains none of our files: we could not have written there. */
async function readable(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(codeOf(error) ?? '')) throw error
  }
}

function ownerOf(
  name: string,
  { entries, notes, image }: FileJournal,
): (TemporaryOwner & { isOpen: boolean }) | undefined {
  for (const [sequence, { state, entry }] of entries) {
    const temporary = notes(sequence)?.temporary
    if (temporary === undefined || !name.startsWith(temporary)) continue
    return { temporary, steps: entry.steps, image: (hash) => image(sequence, hash), isOpen: state === 'open' }
  }
  return undefined
}
