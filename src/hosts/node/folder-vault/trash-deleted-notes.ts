import {
  decodeNote,
  type NotePath,
  removal,
  type StagedStep,
  type TrashOption,
  trashOption,
} from '../../../core/vault/index.js'
import { readRegular } from './read-regular.js'
import { copyToSystemTrash } from './system-trash.js'
import { trashPaths } from './trash-paths.js'
import type { VaultFolders } from './vault-folders.js'

export interface TrashedNotes {
  /** What is to be done to the files. A note that does not go to `.trash` is removed, and the journal has its bytes. */
  steps: StagedStep[]
  /** Where each note that goes to `.trash` will lie. */
  paths: Map<NotePath, NotePath>
  /** Nothing was deleted after all: takes the copies out of the system's trash again. */
  withdraw(): Promise<void>
}

/**
 * Sees to it that deleted notes go where Obsidian is set to put them. What goes to the system's trash is copied there
 * before anything else happens, so that no crash can find it in neither place; where that cannot be done, it goes to
 * `.trash`.
 */
export async function trashDeletedNotes(
  folders: VaultFolders,
  steps: StagedStep[],
  systemTrash: string | undefined,
  time: number,
): Promise<TrashedNotes> {
  const deleted = steps.filter((step) => step.kind === 'trash')
  const option = deleted.length === 0 ? 'none' : await configured(folders)
  if (option === 'none') return { steps: steps.map(removal), paths: new Map(), withdraw: nothingToWithdraw }
  if (option === 'system' && systemTrash !== undefined) {
    const withdraw = await copyToSystemTrash(folders, deleted, systemTrash, time)
    if (withdraw !== undefined) return { steps: steps.map(removal), paths: new Map(), withdraw }
  }
  return { steps, paths: await trashPaths(folders, steps), withdraw: nothingToWithdraw }
}

const configFolder = '.obsidian'
const configFile = 'app.json' as NotePath
const configLimit = 1 << 20

/** A folder that is no Obsidian vault, or one whose settings cannot be read, keeps its deleted notes in `.trash`. */
async function configured(folders: VaultFolders): Promise<TrashOption> {
  try {
    const option = await folders.within(configFolder, async (folder): Promise<TrashOption> => {
      const stat = await folders.files.stat(folder.open.at(configFile))
      if (stat === undefined) return 'system'
      const spot = { folder, name: configFile, path: configFile, stat }
      const file = await readRegular(folders.files, spot, configLimit)
      return file === undefined ? 'local' : trashOption(decodeNote(file.bytes).text)
    })
    return option ?? 'local'
  } catch {
    return 'local'
  }
}

async function nothingToWithdraw(): Promise<void> {}
