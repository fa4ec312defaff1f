import { Failure } from '../../../core/errors.js'
import { folderOf, foldPath, type NotePath, type StagedStep } from '../../../core/vault/index.js'
import type { FileStat } from '../files/index.js'
import type { VaultFolders } from './vault-folders.js'

const anyWrite = 0o222

/**
 * A note that its owner has made read-only is not written, although putting another file in its place would be possible.
 * The whole set is refused: a rename that leaves one note out would break its links.
 */
export function refuseReadOnly(steps: readonly StagedStep[], seen: ReadonlyMap<NotePath, FileStat>): void {
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

/** Where a disk ignores case, a folder's own name is not changed by putting its files under the other spelling. */
export async function refuseRespelledFolders(steps: readonly StagedStep[], folders: VaultFolders): Promise<void> {
  const checked = new Set<string>()
  for (const step of steps) {
    if (step.kind !== 'rename') continue
    const [from, to] = [folderOf(step.path), folderOf(step.to)]
    if (from === to || checked.has(to) || foldPath(from) !== foldPath(to)) continue
    checked.add(to)
    const there = await folders.within(to, ({ path }) => path)
    if (there === undefined || there === to) continue
    throw new Failure('invalid-input', `This disk does not tell ${from} from ${to}. Nothing was changed.`, {
      hint: 'Move the folder to another name first, then to the one you want.',
    })
  }
}
