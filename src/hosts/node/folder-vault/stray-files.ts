import type { Journal } from '../journal/index.js'
import { codeOf } from './file-moves.js'
import { isSpare, type TemporaryOwner } from './temporary-files.js'
import { joinPath, type VaultFolders } from './vault-folders.js'

const strayName = /^\.notewright-[0-9a-f-]{36}-\d+\.(?:(new|old|kept\d*)\.)?tmp$/

/**
 * Temporary files of ours that were left in the vault: by a copy or a sync made while a change was under way, or by a
 * lost journal. Those whose bytes the journal has are taken away where `removes` says so. The others are answered.
 */
export async function strayFiles(folders: VaultFolders, journal: Journal, removes: boolean): Promise<string[]> {
  const left: string[] = []
  const waiting = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const here = path
    await readable(() =>
      folders.within(here, async ({ path: real, open }) => {
        // A link: what it leads to is looked at where it is.
        if (real !== here) return
        for (const { name, kind } of await folders.files.listFolder(open)) {
          if (kind === 'folder' && !name.startsWith('.')) waiting.push(joinPath(here, name))
          if (kind !== 'file' || !strayName.test(name)) continue
          const owner = ownerOf(name, journal)
          if (owner?.isOpen) continue
          if (removes && owner && (await isSpare(folders.files, open, name, owner)))
            await folders.files.remove(open.at(name))
          else left.push(joinPath(here, name))
        }
      }),
    )
  }
  return left.sort()
}

/** A folder that may not be looked into holds nothing of ours: we could not have written there. */
async function readable(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(codeOf(error) ?? '')) throw error
  }
}

function ownerOf(name: string, { entries, notes, image }: Journal): (TemporaryOwner & { isOpen: boolean }) | undefined {
  for (const [sequence, { state, entry }] of entries) {
    const temporary = notes(sequence)?.temporary
    if (temporary === undefined || !name.startsWith(temporary)) continue
    return { temporary, steps: entry.steps, image: (hash) => image(sequence, hash), isOpen: state === 'open' }
  }
  return undefined
}
