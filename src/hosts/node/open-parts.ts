import { join } from 'node:path'
import { type Config, journalBytes } from '../../core/config/index.js'
import { folderVault } from './folder-vault/index.js'
import { sqliteStore } from './sqlite-store/index.js'
import { privateFolder, type StateFolders, vaultFolders } from './state/index.js'

/** Which folder of notes to open, how, and where what belongs to it is kept. Plain data, so that a thread can open it too. */
export interface NotebookSettings {
  /** Real path of the vault's folder. */
  root: string
  config: Pick<Config, 'exclude' | 'journal'>
  folders: StateFolders
}

/** The vault, its journal and its index, where this machine keeps them. */
export async function openParts({ root, config, folders }: NotebookSettings, readsAhead = false) {
  const own = vaultFolders(folders, root)
  await privateFolder(own.index)
  await privateFolder(own.journal)
  const indexFile = join(own.index, 'index.db')
  const vault = await folderVault({
    root,
    stateDir: own.journal,
    exclude: config.exclude,
    retention: { changes: config.journal.changes, days: config.journal.days, bytes: journalBytes(config) },
    systemTrash: folders.systemTrash,
  })
  return { vault, store: await sqliteStore({ file: indexFile, readsAhead }), indexFile, stateDir: own.journal }
}
